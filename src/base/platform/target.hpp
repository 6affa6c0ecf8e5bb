#pragma once

#include <cerrno>
#include <utility>

namespace dpadapt::platform::files {

/** Whether all that was written is there: network file systems report a full disk here. */
inline bool close_file(int file);  // NOLINT(readability-redundant-declaration): of either system

/** A descriptor that is closed at the end, whatever the reason of a failure was. */
class Descriptor {
  public:
    explicit Descriptor(int file = -1) : file_(file) {}
    Descriptor(Descriptor &&other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~Descriptor() {
        const int reason = errno;
        if (file_ >= 0) (void)close_file(file_);
        errno = reason;
    }
    [[nodiscard]] int get() const { return file_; }
    [[nodiscard]] bool close() { return close_file(std::exchange(file_, -1)); }

  private:
    int file_;
};

}  // namespace dpadapt::platform::files

// Where a file is to be written, and how: the same names for each system.
#if defined(_WIN32)
#include "base/platform/windows/target.hpp"
#else
#include "base/platform/posix/target.hpp"
#endif
