// The same with more files than anybody would look at.
#include "cli/mutated_files.hpp"

namespace {

void one_row() { mutated::one_row_changes_nothing_else(100'000, 3); }

void fixed_rows() { mutated::a_fixed_number_of_rows_holds(100'000, 4); }

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(one_row), core_test(fixed_rows)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
