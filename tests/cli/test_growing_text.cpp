// A report may grow between the call that tells its size and the one that fills it.
#include <cstring>

#include "cli/read/failure.hpp"
#include "core/core.hpp"

namespace {

using namespace dpadapt;

void a_text_that_grows_is_whole() {
    const std::string texts[] = {"one", "one, two", "one, two, three"};
    std::size_t calls = 0;
    const std::string text =
        cli::filled_text([&](char *out, std::size_t length, std::size_t *needed) -> dpa_status {
            const std::string &now = texts[std::min<std::size_t>(calls++, 2)];
            if (needed != nullptr) *needed = now.size() + 1;
            if (out == nullptr || length < now.size() + 1) return DPA_E_BUFFER;
            std::memcpy(out, now.c_str(), now.size() + 1);
            return DPA_OK;
        });
    check_true("the last one", text == texts[2]);
    check_true("three calls and one that fills", calls == 4);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(a_text_that_grows_is_whole)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
