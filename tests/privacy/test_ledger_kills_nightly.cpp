// A thousand times, the writers of one ledger are killed at some point.
#include "privacy/ledger_files.hpp"

namespace {

void killed_writers_leave_a_whole_ledger() {
    std::mt19937 random(7);
    for (int k = 0; k < 1000; ++k) (void)kill_writers(2000 + random() % 60000);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(killed_writers_leave_a_whole_ledger)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
