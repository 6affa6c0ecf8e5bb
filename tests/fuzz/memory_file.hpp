// A file for readers that want a path, in memory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace fuzz {

class MemoryFile {
  public:
    explicit MemoryFile(std::string_view content) : file_(memfd_create("input", MFD_CLOEXEC)) {
        REQUIRE(file_ >= 0);
        REQUIRE(write(file_, content.data(), content.size()) ==
                static_cast<ssize_t>(content.size()));
    }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile() { close(file_); }

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};

}  // namespace fuzz
