#include "cli/show/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "base/platform/posix/files.hpp"
#include "cli/read/failure.hpp"

namespace dpadapt::cli {

using namespace platform::files;

NewFile::NewFile(const std::string &folder, const std::string &prefix, const std::string &ending)
    : folder_(folder), path_(folder + '/' + prefix + "XXXXXX" + ending) {
    file_ = mkostemps(path_.data(), static_cast<int>(ending.size()), O_CLOEXEC);
    exists_ = file_ >= 0;
}

NewFile::~NewFile() {
    const int reason = errno;
    if (file_ >= 0) close(file_);
    if (exists_) unlink(path_.c_str());
    errno = reason;
}

bool NewFile::reserve(std::size_t bytes) {
    const auto size = static_cast<off_t>(bytes);
#ifdef __APPLE__
    const int error = ftruncate(file_, size) == 0 ? 0 : errno;
#else
    const int error = posix_fallocate(file_, 0, size);
#endif
    errno = error;
    reserved_ = true;
    return error == 0 || error == EOPNOTSUPP || error == EINVAL;  // of file systems that cannot
}

bool NewFile::write(std::string_view text, mode_t mode) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(text.data());
    if (!write_all(file_, 0, {bytes, text.size()})) return false;
    if (reserved_ && ftruncate(file_, static_cast<off_t>(text.size())) != 0) return false;
    if (fchmod(file_, mode) != 0 || !sync(file_)) return false;
    const int closed = close(file_);  // network file systems report a full disk here
    file_ = -1;
    return closed == 0;
}

bool NewFile::becomes(const std::string &path) {
    if (rename(path_.c_str(), path.c_str()) != 0) return false;
    exists_ = false;
    return sync_folder(folder_.c_str());
}

namespace {

/** What a new file may be, for a program that is alone in its process. */
mode_t mode_by_umask() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

}  // namespace

Output::Output(const std::string &path, Readers readers) : path_(path) {
    struct stat now {};
    if (path.empty() || is_standard_output(path)) {
        file_ = dup(STDOUT_FILENO);
        if (file_ < 0) fail();
        return;
    }
    const std::string target = without_link(path, [&](const std::string &planted) {
        throw Failure(kNotWritten, path + ": cannot be written: " + planted +
                                       " is a link of another user, in a folder that all may "
                                       "write to");
    });
    const bool exists = stat(target.c_str(), &now) == 0;
    if (!exists && errno != ENOENT) fail();
    if (exists && !S_ISREG(now.st_mode)) {
        file_ = open(target.c_str(), O_WRONLY | O_CLOEXEC);
        if (file_ < 0) fail();
        return;
    }
    // The folder's permission would be enough to replace a file that is protected from writing.
    if (exists && access(target.c_str(), W_OK) != 0) fail();
    mode_ = exists ? now.st_mode & 0777U : mode_by_umask();
    if (!exists && readers == Readers::owner) mode_ &= 0700U;
    target_ = target;
    const NewFile trial(folder_of(target_));
    if (!trial.is_open()) fail();
}

Output::~Output() {
    if (file_ >= 0) close(file_);
}

void Output::write(std::string_view text) {
    if (!target_.empty()) return replace(text);
    while (!text.empty()) {
        const ssize_t count = ::write(file_, text.data(), text.size());
        if (count < 0 && errno != EINTR) fail();
        check_interrupted();  // a pipe's reader may never come
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    const int closed = close(file_);
    file_ = -1;
    if (closed != 0) fail();
}

void Output::replace(std::string_view text) {
    if (!reserved_) reserved_ = std::make_unique<NewFile>(folder_of(target_));
    NewFile &file = *reserved_;
    if (!file.is_open() || !file.write(text, mode_) || !file.becomes(target_)) fail();
}

void Output::reserve(std::size_t bytes) {
    if (target_.empty()) return ask_stream(bytes);
    reserved_ = std::make_unique<NewFile>(folder_of(target_));
    if (!reserved_->is_open() || !reserved_->reserve(bytes)) fail();
}

/** Nothing is reserved in a stream, which may have other writers. */
void Output::ask_stream(std::size_t bytes) const {
    const auto refuse_if = [&](bool is_so, int reason) {
        if (!is_so) return;
        errno = reason;
        fail();
    };
    struct stat now {};
    refuse_if((fcntl(file_, F_GETFL) & O_ACCMODE) == O_RDONLY, EBADF);
    if (fstat(file_, &now) != 0) fail();
    if (!S_ISREG(now.st_mode)) {
        pollfd stream{file_, POLLOUT, 0};
        refuse_if(poll(&stream, 1, 0) > 0 && (stream.revents & POLLERR) != 0, EPIPE);
        if (S_ISCHR(now.st_mode) && ::write(file_, "", 0) < 0) fail();  // as /dev/full answers
        return;
    }
    const bool appends = (fcntl(file_, F_GETFL) & O_APPEND) != 0;
    const off_t begin = appends ? now.st_size : lseek(file_, 0, SEEK_CUR);
    const auto end = static_cast<rlim_t>(begin < 0 ? 0 : begin) + bytes;
    rlimit limit{};
    refuse_if(getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
                  end > limit.rlim_cur,
              EFBIG);
    struct statvfs disk {};
    refuse_if(
        fstatvfs(file_, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail < bytes / disk.f_frsize,
        ENOSPC);
}

void Output::fail() const {
    const std::string name = path_.empty() ? "standard output" : path_;
    throw Failure(kNotWritten, name + ": cannot be written: " + std::strerror(errno));
}

void claim_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        // Opened the wrong way round: use of a stream that was closed still fails, as it should.
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

namespace {

/** The path of a file with the text; empty if no folder takes it. */
std::string save_somewhere(const std::string &text) {
    const char *preferred = std::getenv("TMPDIR");
    const char *home = std::getenv("HOME");
    for (const char *folder : {preferred, "/tmp", "/var/tmp", home, "."}) {
        if (folder == nullptr) continue;
        NewFile file(folder, "dpadapt-rescued-", ".json");
        if (!file.is_open() || !file.write(text, 0600)) continue;
        file.keep();
        return file.path();
    }
    return {};
}

std::string print(const std::string &text) {
    try {
        Output().write(text);
        return "on standard output";
    } catch (const Failure &) {
        return {};
    }
}

[[noreturn]] void rescue(const std::string &text, const std::string &reason) {
    const std::string path = save_somewhere(text);
    const std::string place = path.empty() ? print(text) : "in " + path;
    if (place.empty()) throw Failure(kNotWritten, reason + "; the private result is lost");
    throw Failure(kRescued, reason + "; the private result, which is paid for, is " + place);
}

}  // namespace

void deliver(Result &result, const std::function<void()> &write) {
    try {
        write();
    } catch (const std::exception &error) {
        if (!result.paid || result.saved) throw;
        rescue(result.text, error.what());
    }
}

}  // namespace dpadapt::cli
