#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <new>
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

/** A call that a signal ends is made again. */
auto again(const auto &call) {
    for (;;) {
        const auto result = call();
        if (result >= 0 || errno != EINTR) return result;
    }
}

inline bool close_file(int file) { return ::close(file) == 0 || errno == EINTR; }

/** Makes a file of a name of this process and call; that of a killed one is passed over.
 *  @param name  Receives it, between its begin and end. */
inline int create(std::string &name, const std::string &begin, const std::string &end,
                  mode_t mode) {
    static std::atomic<unsigned> count{0};
    for (;;) {
        name = begin + std::to_string(getpid()) + '-' + std::to_string(count++) + end;
        const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0 || (errno != EEXIST && errno != EINTR)) return file;
    }
}

/** A file system that has nothing to confirm says EINVAL. */
inline bool sync(int file) {
    return again([&] { return fsync(file); }) == 0 || errno == EINVAL;
}

/** Beyond RLIMIT_FSIZE, which pipes do not have, a write raises a signal that kills the process. */
inline bool is_beyond_limit(int file, std::size_t size) {
    struct stat facts {};
    rlimit limit{};
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
           getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           size > limit.rlim_cur;
}

ssize_t write_some(int file, const auto &bytes) {
    return ::write(file, bytes.data(), bytes.size());
}

/** @param begin  Size of the file before.
 *  @param bytes  Or letters. */
template <typename Bytes>
bool write_all(int file, std::size_t begin, Bytes bytes) {
    if (is_beyond_limit(file, begin + bytes.size())) {
        errno = EFBIG;
        return false;
    }
    while (!bytes.empty()) {
        const ssize_t count = again([&] { return write_some(file, bytes); });
        if (count < 0) return false;
        bytes = Bytes(bytes.begin() + count, bytes.end());
    }
    return true;
}

/** A new name is on the disk when its folder is. */
inline bool sync_folder(const char *folder) {
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno == EACCES;  // a folder to write in but not to read
    const bool done = sync(file);
    const int reason = errno;
    (void)close_file(file);
    errno = reason;
    return done;
}

inline bool move_over(const std::string &from, const std::string &to) {
    return std::rename(from.c_str(), to.c_str()) == 0;
}

inline void remove(const std::string &path) { unlink(path.c_str()); }

inline std::string folder_of(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

}  // namespace dpadapt::platform::files
