// Files for their owner alone, by one function on every system, and how that is read back.
#include <filesystem>
#include <fstream>

#include "base/platform/ledger_file.hpp"
#include "base/platform/owner_file.hpp"
#include "core/core.hpp"

using namespace dpadapt;

namespace {

namespace files = std::filesystem;

/** A folder of this test, empty. */
files::path fresh_folder() {
    files::path folder = files::temp_directory_path() / "dpadapt-owner-file";
    files::remove_all(folder);
    files::create_directory(folder);
    return folder;
}

void a_file_for_its_owner_is_for_nobody_else() {
    const std::string path = (fresh_folder() / "own").string();
    const std::intptr_t made = platform::create_for_owner(path);
    check_true("made", made != -1);
    platform::close_file(made);
    check_true("alone", platform::is_for_owner_alone(path));
    check_true("not twice", platform::create_for_owner(path) == -1);
}

void an_ordinary_file_is_for_others_too() {
    const files::path path = fresh_folder() / "open";
    std::ofstream(path) << "text";
    files::permissions(path, files::perms::others_read, files::perm_options::add);
    check_true("not alone", !platform::is_for_owner_alone(path.string()));
    check_true("nor one that is missing", !platform::is_for_owner_alone(path.string() + "-not"));
}

void a_ledger_is_for_its_owner() {
    const std::string path = (fresh_folder() / "ledger").string();
    const std::vector<std::uint8_t> content{1, 2, 3};
    privacy::LedgerFile::create(path, content);
    check_true("alone", platform::is_for_owner_alone(path));
    check_true("content",
               privacy::LedgerFile(path, privacy::LedgerFile::Access::read).read() == content);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(a_file_for_its_owner_is_for_nobody_else),
                                core_test(an_ordinary_file_is_for_others_too),
                                core_test(a_ledger_is_for_its_owner)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
