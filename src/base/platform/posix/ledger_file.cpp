#include "base/platform/ledger_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/platform/owner_file.hpp"
#include "base/platform/posix/files.hpp"

namespace dpadapt::privacy {

using namespace platform::files;

namespace {

int descriptor(std::intptr_t file) { return static_cast<int>(file); }

}  // namespace

LedgerFile::LedgerFile(const std::string &path, Access access)
    : path_(path),
      file_(open(path.c_str(),
                 (access == Access::write ? O_RDWR | O_APPEND : O_RDONLY) | O_CLOEXEC |
                     O_NONBLOCK)) {  // a pipe waits for nobody
    if (file_ < 0) fail("cannot open the ledger", path_, errno);
    const char *what = "a ledger must be a regular file, not";
    int reason = EINVAL;
    struct stat facts {};
    if (fstat(descriptor(file_), &facts) == 0 && S_ISREG(facts.st_mode)) {
        const int kind = access == Access::write ? LOCK_EX : LOCK_SH;
        if (again([&] { return flock(descriptor(file_), kind); }) == 0) return;
        what = "cannot lock the ledger";
        reason = errno;
    }
    close(descriptor(file_));
    fail(what, path_, reason);
}

LedgerFile::~LedgerFile() { close(descriptor(file_)); }

std::vector<std::uint8_t> LedgerFile::read_from(std::size_t begin) const {
    struct stat facts {};
    if (fstat(descriptor(file_), &facts) != 0) fail("cannot read the ledger", path_, errno);
    const auto size = static_cast<std::size_t>(facts.st_size);
    std::vector<std::uint8_t> bytes(size - std::min(begin, size));
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = again([&] {
            return pread(descriptor(file_), bytes.data() + at, bytes.size() - at,
                         static_cast<off_t>(begin + at));
        });
        if (count < 0) fail("cannot read the ledger", path_, errno);
        if (count == 0) bytes.resize(at);  // somebody cuts it without its lock
        at += static_cast<std::size_t>(count);
    }
    return bytes;
}

void LedgerFile::append(std::span<const std::uint8_t> block) {
    struct stat facts {};
    if (fstat(descriptor(file_), &facts) != 0) fail("cannot write the ledger", path_, errno);
    if (!write_all(descriptor(file_), static_cast<std::size_t>(facts.st_size), block)) {
        const int reason = errno;
        // Nothing has been read for a part of an entry; if it stays, the file is refused.
        (void)!ftruncate(descriptor(file_), facts.st_size);
        fail("cannot write the ledger", path_, reason);
    }
    if (!sync(descriptor(file_))) fail("cannot write the ledger", path_, errno);
}

std::string LedgerFile::real_path(const std::string &path) {
    const std::unique_ptr<char, void (*)(void *)> real(realpath(path.c_str(), nullptr), std::free);
    if (!real) fail("cannot open the ledger", path, errno);
    return real.get();
}

std::string LedgerFile::new_path(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    return real_path(folder_of(path)) + '/' + name;
}

void LedgerFile::create(const std::string &path, std::span<const std::uint8_t> content) {
    const std::string folder = folder_of(path);
    const std::intptr_t made = platform::create_for_owner(path);
    const int file = descriptor(made);
    if (file < 0) fail("cannot make the ledger", path, errno);
    const bool written = write_all(file, 0, content) && sync(file) && sync_folder(folder.c_str());
    const int reason = errno;
    platform::close_file(made);
    if (written) return;
    unlink(path.c_str());
    fail("cannot write the ledger", path, reason);
}

}  // namespace dpadapt::privacy
