#include "cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"

namespace dpadapt::cli {

Output::Output(const std::string &path) : path_(path) {
    if (path.empty()) {
        file_ = dup(STDOUT_FILENO);
    } else {
        file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        created_ = file_ >= 0;
        if (!created_) file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    }
    if (file_ < 0) fail();
}

Output::~Output() {
    if (file_ >= 0) close(file_);
    if (created_) unlink(path_.c_str());
}

void Output::write(std::string_view text) {
    // Pipes and devices cannot be shortened, and need not be.
    if (!path_.empty() && ftruncate(file_, 0) != 0 && errno != EINVAL) fail();
    while (!text.empty()) {
        const ssize_t count = ::write(file_, text.data(), text.size());
        if (count < 0 && errno != EINTR) fail();
        check_interrupted();
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    const int closed = close(file_);  // network file systems report a full disk here
    file_ = -1;
    if (closed != 0) fail();
    created_ = false;
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
