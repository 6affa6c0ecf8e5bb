#include "cli/system/system.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "base/platform/target.hpp"

namespace dpadapt::cli {

void prepare_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        // Opened the wrong way round: use of a stream that was closed still fails, as it should.
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void at_interrupt(void (*handler)(int)) {
    struct sigaction before {};
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler == SIG_IGN) return;  // started in the background: Ctrl-C is for others
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // without SA_RESTART: blocked reads return
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

bool has_terminal() { return isatty(STDERR_FILENO) != 0; }

double most_memory() {
    const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
    const double memory = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return memory;
    return std::min(memory, static_cast<double>(limit.rlim_cur));
}

bool has_limited_addresses() {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

namespace {

std::optional<Identity> identity_of(const struct stat &found) {
    if (!S_ISREG(found.st_mode)) return {};
    return Identity{found.st_dev, found.st_ino, ""};
}

}  // namespace

std::optional<Identity> identity(const std::string &path) {
    struct stat found {};
    if (path.empty()) return {};
    if (stat(path.c_str(), &found) == 0) return identity_of(found);
    const std::string target = platform::files::followed(path).back();
    if (stat(platform::files::folder_of(target).c_str(), &found) != 0) return {};
    return Identity{found.st_dev, found.st_ino, std::filesystem::path(target).filename()};
}

std::optional<Identity> identity_of_standard_input() {
    struct stat found {};
    if (fstat(STDIN_FILENO, &found) != 0) return {};
    return identity_of(found);
}

bool is_standard_output(const std::string &path) {
    struct stat file {};
    struct stat output {};
    return stat(path.c_str(), &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
           file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

int copy_of_standard_input() { return dup(STDIN_FILENO); }

int copy_of_standard_output() { return dup(STDOUT_FILENO); }

bool reserve_room(int file, std::size_t bytes) {
    const auto size = static_cast<off_t>(bytes);
#ifdef __APPLE__
    const int error = ftruncate(file, size) == 0 ? 0 : errno;
#else
    const int error = posix_fallocate(file, 0, size);
#endif
    errno = error;
    return error == 0 || error == EOPNOTSUPP || error == EINVAL;  // of file systems that cannot
}

bool set_size(int file, std::size_t bytes) {
    return ftruncate(file, static_cast<off_t>(bytes)) == 0;
}

int why_unwritable(int stream, std::size_t bytes) {
    struct stat now {};
    const int flags = fcntl(stream, F_GETFL);
    if ((flags & O_ACCMODE) == O_RDONLY) return EBADF;
    if (fstat(stream, &now) != 0) return errno;
    if (!S_ISREG(now.st_mode)) {
        pollfd asked{stream, POLLOUT, 0};
        if (poll(&asked, 1, 0) > 0 && (asked.revents & POLLERR) != 0) return EPIPE;
        // as /dev/full answers
        return S_ISCHR(now.st_mode) && ::write(stream, "", 0) < 0 ? errno : 0;
    }
    const off_t begin = (flags & O_APPEND) != 0 ? now.st_size : lseek(stream, 0, SEEK_CUR);
    const auto end = static_cast<std::size_t>(begin < 0 ? 0 : begin) + bytes;
    if (platform::files::is_beyond_limit(stream, end)) return EFBIG;
    struct statvfs disk {};
    const bool is_full =
        fstatvfs(stream, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail < bytes / disk.f_frsize;
    return is_full ? ENOSPC : 0;
}

}  // namespace dpadapt::cli
