#include "base/platform/new_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/platform/target.hpp"
#include "base/platform/windows/system.hpp"
#include "base/text.hpp"

namespace dpadapt::platform {

using namespace files;

namespace {

[[noreturn]] void fail(const char *what, const std::string &path, int reason) {
    if (reason == ENOMEM) throw std::bad_alloc();
    throw Error(DPA_E_STORE, std::string(what) + ' ' + in_quotes(path) + ": " +
                                 std::generic_category().message(reason));
}

bool replace(const Target &target, std::string_view content, unsigned mode) {
    std::string name;
    Descriptor file(create(name, folder_of(target.path) + "/.dpadapt-", "", mode));
    if (file.get() < 0) return false;
    const bool done = write_all(file.get(), 0, content) && sync(file.get()) && file.close() &&
                      move_over(name, target.path);
    const int reason = errno;
    file = Descriptor();
    if (!done) files::remove(name);
    errno = reason;
    return done;
}

bool write_directly(const Target &target, std::string_view content) {
    Descriptor file = open_directly(target);
    return file.get() >= 0 && write_all(file.get(), 0, content) && file.close();
}

}  // namespace

void replace_file(const std::string &path, std::span<const std::uint8_t> content, bool for_owner) {
    const Target target = find_target(path);
    if (target.reason != 0) fail("cannot write", path, target.reason);
    const std::string_view text(reinterpret_cast<const char *>(content.data()), content.size());
    if (!(target.is_direct() ? write_directly(target, text)
                             : replace(target, text, for_owner || target.exists ? 0600 : 0666)))
        fail("cannot write", path, errno);
}

std::vector<std::uint8_t> read_file(const std::string &path) {
    std::ifstream file(std::filesystem::path(wide(path)), std::ios::binary);
    std::vector<std::uint8_t> content{std::istreambuf_iterator<char>(file), {}};
    if (!file || !file.eof()) fail("cannot read", path, errno);
    return content;
}

}  // namespace dpadapt::platform
