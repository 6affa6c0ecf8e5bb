// The page of a key is neither swapped nor dumped, and a forked child finds it empty.
#include <fstream>
#include <sstream>

#include "core/core.hpp"
#include "random/key.hpp"

using namespace dpadapt;

namespace {

/** Mappings of the process that have all of these flags, by /proc/self/smaps; -1 where it has none.
 */
int mappings_with(const std::vector<std::string> &wanted) {
    std::ifstream file("/proc/self/smaps");
    int count = 0;
    bool any = false;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("VmFlags:", 0) != 0) continue;
        any = true;
        std::istringstream words(line.substr(8));
        std::vector<std::string> flags;
        for (std::string flag; words >> flag;) flags.push_back(flag);
        bool all = true;
        for (const std::string &flag : wanted)
            all = all && std::find(flags.begin(), flags.end(), flag) != flags.end();
        count += all ? 1 : 0;
    }
    return any ? count : -1;
}

void a_key_is_not_swapped_and_not_dumped() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip();  // whose own mappings come and go
#endif
    const std::vector<std::string> flags = {"lo", "dd", "wf"};
    const int before = mappings_with(flags);
    if (before < 0) skip();  // no such file, or an instrument that hides it
    const random::Key key;
    check_true("one more locked page that is left out of core files and wiped in a child",
               mappings_with(flags) == before + 1);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(a_key_is_not_swapped_and_not_dumped)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
