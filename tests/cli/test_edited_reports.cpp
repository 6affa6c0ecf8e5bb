// No edit of a certificate passes: see edited_reports.hpp; the nightly one makes more.
#include "cli/edited_reports.hpp"

namespace {

void no_edit_passes() { edited::edits(10000, 1); }

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(no_edit_passes)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
