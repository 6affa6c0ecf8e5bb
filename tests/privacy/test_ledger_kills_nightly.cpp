// A thousand times, the writers of one ledger are killed at some point.
#include "privacy/ledger_files.hpp"

namespace {

void killed_writers_leave_a_whole_ledger() {
    std::mt19937 random(7);
    std::size_t entries = 0;
    for (int k = 0; k < 1000; ++k)
        entries += kill_writers(2000 + static_cast<useconds_t>(random() % 60000));
    check_true("some were killed while they wrote", entries > 2000);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(killed_writers_leave_a_whole_ledger)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
