#pragma once

#include <cstddef>
#include <span>
#include <string>

struct gzFile_s;

namespace dpadapt::cli {

/** A file to be read from its beginning, plain or compressed by gzip. */
class InputFile {
  public:
    explicit InputFile(const std::string &path);
    InputFile(const InputFile &) = delete;
    InputFile &operator=(const InputFile &) = delete;
    ~InputFile();

    /** Fills the buffer; fewer bytes than it holds mean that the file has ended. */
    [[nodiscard]] std::size_t read(std::span<char> buffer);

  private:
    [[noreturn]] void fail(const std::string &reason) const;

    std::string path_;
    gzFile_s *file_;
};

/** The whole content of a file. */
[[nodiscard]] std::string read_file(const std::string &path);

}  // namespace dpadapt::cli
