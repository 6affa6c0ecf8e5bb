#include "cli/show/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"

namespace dpadapt::cli {

using platform::files::Descriptor, platform::files::folder_of, platform::files::is_beyond_limit,
    platform::files::sync, platform::files::sync_folder, platform::files::take_over,
    platform::files::write_all;

NewFile::NewFile(const std::string &folder, mode_t mode, const std::string &prefix,
                 const std::string &ending)
    : folder_(folder), file_(platform::files::create(path_, folder + '/' + prefix, ending, mode)) {
    exists_ = is_open();
}

NewFile::~NewFile() {
    const int reason = errno;
    if (exists_) unlink(path_.c_str());
    errno = reason;
}

bool NewFile::reserve(std::size_t bytes) {
    const auto size = static_cast<off_t>(bytes);
#ifdef __APPLE__
    const int error = ftruncate(file_.get(), size) == 0 ? 0 : errno;
#else
    const int error = posix_fallocate(file_.get(), 0, size);
#endif
    errno = error;
    reserved_ = true;
    return error == 0 || error == EOPNOTSUPP || error == EINVAL;  // of file systems that cannot
}

bool NewFile::write(std::string_view text, const struct stat *replaced) {
    return write_all(file_.get(), 0, text) &&
           (!reserved_ || ftruncate(file_.get(), static_cast<off_t>(text.size())) == 0) &&
           (replaced == nullptr || take_over(file_.get(), *replaced)) && sync(file_.get()) &&
           file_.close();
}

bool NewFile::becomes(const std::string &path) {
    if (rename(path_.c_str(), path.c_str()) != 0) return false;
    exists_ = false;
    return sync_folder(folder_.c_str());
}

Output::Output(const std::string &path, Readers readers) : path_(path) {
    if (path.empty() || is_standard_output(path)) {
        file_ = Descriptor(dup(STDOUT_FILENO));
        if (file_.get() < 0) fail();
        return;
    }
    target_ = platform::files::find_target(path);
    if (!target_.planted.empty())
        throw Failure(kNotWritten,
                      path + ": cannot be written: " + target_.planted + platform::files::kPlanted);
    errno = target_.reason;
    if (target_.reason != 0) fail();
    if (target_.is_direct()) {
        file_ = platform::files::open_directly(target_);
        if (file_.get() < 0) fail();
        return;
    }
    mode_ = target_.exists || readers == Readers::owner ? 0600 : 0666;
    const NewFile trial(folder_of(target_.path), mode_);
    if (!trial.is_open()) fail();
}

void Output::write(std::string_view text) {
    if (file_.get() < 0) return replace(text);
    while (!text.empty()) {
        const ssize_t count = ::write(file_.get(), text.data(), text.size());
        if (count < 0 && errno != EINTR) fail();
        check_interrupted();  // a pipe's reader may never come
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (!file_.close()) fail();
}

void Output::replace(std::string_view text) {
    if (!reserved_) reserved_ = std::make_unique<NewFile>(folder_of(target_.path), mode_);
    NewFile &file = *reserved_;
    const struct stat *replaced = target_.exists ? &target_.now : nullptr;
    if (!file.is_open() || !file.write(text, replaced) || !file.becomes(target_.path)) fail();
}

void Output::reserve(std::size_t bytes) {
    if (file_.get() >= 0) return ask_stream(bytes);
    reserved_ = std::make_unique<NewFile>(folder_of(target_.path), mode_);
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
    refuse_if((fcntl(file_.get(), F_GETFL) & O_ACCMODE) == O_RDONLY, EBADF);
    if (fstat(file_.get(), &now) != 0) fail();
    if (!S_ISREG(now.st_mode)) {
        pollfd stream{file_.get(), POLLOUT, 0};
        refuse_if(poll(&stream, 1, 0) > 0 && (stream.revents & POLLERR) != 0, EPIPE);
        if (S_ISCHR(now.st_mode) && ::write(file_.get(), "", 0) < 0)
            fail();  // as /dev/full answers
        return;
    }
    const bool appends = (fcntl(file_.get(), F_GETFL) & O_APPEND) != 0;
    const off_t begin = appends ? now.st_size : lseek(file_.get(), 0, SEEK_CUR);
    const auto end = static_cast<std::size_t>(begin < 0 ? 0 : begin) + bytes;
    refuse_if(is_beyond_limit(file_.get(), end), EFBIG);
    struct statvfs disk {};
    refuse_if(fstatvfs(file_.get(), &disk) == 0 && disk.f_blocks > 0 &&
                  disk.f_bavail < bytes / disk.f_frsize,
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
        NewFile file(folder, 0600, "dpadapt-rescued-", ".json");
        if (!file.is_open() || !file.write(text)) continue;
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
