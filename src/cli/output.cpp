#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/failure.hpp"
#include "cli/file_identity.hpp"
#include "cli/interrupt.hpp"
#include "cli/new_file.hpp"

namespace dpadapt::cli {
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
    const std::string planted = planted_link(path);
    if (!planted.empty())
        throw Failure(kNotWritten, path + ": cannot be written: " + planted +
                                       " is a link of another user, in a folder that all may "
                                       "write to");
    const std::string target = follow_links(path);
    const bool exists = stat(target.c_str(), &now) == 0;
    if (!exists && errno != ENOENT) fail();
    if (exists && !S_ISREG(now.st_mode)) {
        open_directly(target);
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

Output::~Output() { close_directly(); }

void Output::open_directly(const std::string &path) {
    file_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail();
}

void Output::close_directly() {
    if (file_ >= 0) close(file_);
    file_ = -1;
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

void Output::replace(std::string_view text) const {
    NewFile file(folder_of(target_));
    if (!file.is_open() || !file.write(text, mode_) || !file.becomes(target_)) fail();
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

}  // namespace dpadapt::cli
