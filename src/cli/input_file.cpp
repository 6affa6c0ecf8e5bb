#include "cli/input_file.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"

namespace dpadapt::cli {
namespace {

constexpr unsigned kBufferSize = 1U << 17U;

}  // namespace

InputFile::InputFile(const std::string &path) : path_(path) {
    errno = 0;
    file_ = gzopen(path.c_str(), "rb");
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
    return static_cast<std::size_t>(count);
}

void InputFile::fail(const std::string &reason) const {
    throw Failure(kBadData, path_ + ": cannot be read: " + reason);
}

std::string read_file(const std::string &path) {
    InputFile file(path);
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
