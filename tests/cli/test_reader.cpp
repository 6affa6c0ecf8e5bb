// No content of a private row changes whether a file is read, how many rows it has, or another row.
#include "cli/mutated_files.hpp"

namespace {

void one_row() { mutated::one_row_changes_nothing_else(2000, 1); }

void fixed_rows() { mutated::a_fixed_number_of_rows_holds(2000, 2); }

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(one_row), core_test(fixed_rows)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
