#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::platform::files {

[[noreturn]] inline void fail(const std::string &what, const std::string &path, int reason) {
    if (reason == ENOMEM) throw std::bad_alloc();
    throw Error(DPA_E_STORE,
                what + ' ' + in_quotes(path) + ": " + std::generic_category().message(reason));
}

/** A file system that has nothing to confirm says EINVAL. */
inline bool sync(int file) { return fsync(file) == 0 || errno == EINVAL; }

/** Whoever writes beyond the limit of files is killed by a signal. */
inline bool is_beyond_limit(std::size_t size) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           size > limit.rlim_cur;
}

/** @param begin  Size of the file before. */
inline bool write_all(int file, std::size_t begin, std::span<const std::uint8_t> bytes) {
    if (is_beyond_limit(begin + bytes.size())) {
        errno = EFBIG;
        return false;
    }
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

/** A new name is on the disk when its folder is. */
inline bool sync_folder(const char *folder) {
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno == EACCES;  // a folder to write in but not to read
    const bool synced = sync(file);
    const int reason = errno;
    close(file);
    errno = reason;
    return synced;
}

inline std::string folder_of(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/** Whether a link lies in a folder that all may write to, and belongs neither to this user nor to
 *  the folder's owner. The kernel does not follow such a link (fs.protected_symlinks), but cannot
 *  help where a program reads links itself. */
inline bool is_planted(const std::string &path) {
    struct stat link {};
    struct stat folder {};
    if (lstat(path.c_str(), &link) != 0 || stat(folder_of(path).c_str(), &folder) != 0)
        return false;
    return (folder.st_mode & S_IWOTH) != 0 && link.st_uid != geteuid() &&
           link.st_uid != folder.st_uid;
}

/** The path with its last part no symbolic link; it need not exist.
 *  @param refuse  Called with a link that is planted. */
template <typename Refuse>
std::string without_link(const std::string &given, const Refuse &refuse) {
    constexpr int kMostLinks = 40;  // like the kernel, which then says what is wrong
    std::filesystem::path path(given);
    std::error_code error;
    for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(path, error); ++k) {
        if (is_planted(path.string())) refuse(path.string());
        path = path.parent_path() / std::filesystem::read_symlink(path, error);
    }
    return path.string();
}

}  // namespace dpadapt::platform::files
