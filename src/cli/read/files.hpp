#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace dpadapt::cli {

constexpr std::size_t kBlockSize = std::size_t{1} << 17U;  // that is read at once
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/** What a compressed file may unfold to. */
enum class Unfolding {
    unlimited,  // private rows: what they hold must not end the command
    limited,    // 16 MiB, or 100 times the size that it has; a pipe has no size
};

/** A file to be read from its beginning, plain or compressed by gzip. */
class InputFile {
  public:
    InputFile(const std::string &path, Unfolding unfolding);
    InputFile &operator=(InputFile &&) = delete;
    ~InputFile();

    /** Fills the buffer; fewer bytes than it holds mean that the file has ended. */
    [[nodiscard]] std::size_t read(std::span<char> buffer);

  private:
    void check_size() const;
    [[noreturn]] void fail(const std::string &reason) const;

    std::string path_;
    Unfolding unfolding_;
    std::uint64_t given_ = 0;  // bytes
    gzFile_s *file_;
};

/** The whole content of a file, which unfolds within limits. */
[[nodiscard]] std::string read_file(const std::string &path);

/** Who may read a file that is new: whom the umask lets, or its owner alone. */
enum class Readers { by_umask, owner };

/** A file and the argument that names it. */
struct NamedFile {
    std::string flag;
    std::string path;  // empty: not given
};

/** Failure(kUsage) if an output is -, or the same file as an input or another output. Files are
 *  compared by device and inode, so that links and other spellings hide nothing; devices do not
 *  count. */
void check_outputs(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs);

/** Whether two inputs are one file, by device and inode; - is standard input. */
[[nodiscard]] bool is_same_input(const std::string &one, const std::string &other);

}  // namespace dpadapt::cli
