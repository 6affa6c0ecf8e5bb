// No edit of a certificate passes: see edited_reports.hpp.
#include "cli/edited_reports.hpp"

namespace {

void no_edit_passes() { edited::edits(100000, 2); }

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(no_edit_passes)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
