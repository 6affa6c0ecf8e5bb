#include "cli/input_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"

namespace dpadapt::cli {
namespace {

constexpr unsigned kBufferSize = 1U << 17U;
constexpr std::uint64_t kAlways = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostTimes = 250;

}  // namespace

InputFile::InputFile(const std::string &path, Unfolding unfolding)
    : path_(path), unfolding_(unfolding) {
    errno = 0;
    file_ = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
    if (file_ == nullptr) {
        const int reason = errno;
        check_interrupted();  // opening a pipe waits for its writer
        fail(reason != 0 ? std::strerror(reason) : "memory exhausted");
    }
    gzbuffer(file_, kBufferSize);
}

InputFile::~InputFile() { gzclose_r(file_); }

std::size_t InputFile::read(std::span<char> buffer) {
    check_interrupted();
    const int count = gzread(file_, buffer.data(), static_cast<unsigned>(buffer.size()));
    check_interrupted();
    int error = Z_OK;
    const char *message = gzerror(file_, &error);
    if (error == Z_ERRNO) fail(std::strerror(errno));
    if (error == Z_BUF_ERROR) fail("the compressed file is cut off");
    if (count < 0) fail(std::string("the compressed file is damaged: ") + message);
    given_ += static_cast<std::uint64_t>(count);
    if (unfolding_ == Unfolding::limited) check_unfolding();
    return static_cast<std::size_t>(count);
}

void InputFile::check_unfolding() const {
    if (given_ <= kAlways || gzdirect(file_) != 0) return;
    const auto packed = static_cast<std::uint64_t>(gzoffset(file_));
    if (given_ / kMostTimes > packed)
        fail("it unfolds to more than 250 times its size; unpack it yourself if that is meant");
}

void InputFile::fail(const std::string &reason) const {
    throw Failure(kBadData, path_ + ": cannot be read: " + reason);
}

std::string read_file(const std::string &path) {
    InputFile file(path, Unfolding::limited);
    std::vector<char> buffer(kBufferSize);
    std::string content;
    std::size_t count = buffer.size();
    while (count == buffer.size()) {
        count = file.read(buffer);
        content.append(buffer.data(), count);
    }
    return content;
}

}  // namespace dpadapt::cli
