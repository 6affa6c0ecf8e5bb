#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dpadapt::cli {

/** A file under a name that nobody has used, for its user alone. It is removed unless it becomes
 *  another or is kept. Functions return false when they fail, and leave the reason in errno. */
class NewFile {
  public:
    /** @param ending  The end of its name. */
    explicit NewFile(const std::string &folder, const std::string &prefix = ".dpadapt-",
                     const std::string &ending = {});
    NewFile(const NewFile &) = delete;
    NewFile &operator=(const NewFile &) = delete;
    ~NewFile();

    [[nodiscard]] bool is_open() const { return file_ >= 0; }
    [[nodiscard]] const std::string &path() const { return path_; }

    /** Takes so much room on the disk, which the text that is written gives back. */
    [[nodiscard]] bool reserve(std::size_t bytes);

    /** Writes the text to the disk, gives the file its mode, and closes it. */
    [[nodiscard]] bool write(std::string_view text, mode_t mode);

    /** Takes the place of that file in the same folder, at once or not at all. */
    [[nodiscard]] bool becomes(const std::string &path);

    /** The file stays where it is. */
    void keep() { exists_ = false; }

  private:
    std::string folder_;
    std::string path_;
    int file_;
    bool exists_;            // and is to be removed
    bool reserved_ = false;  // it is longer than its text
};

/** A file and the argument that names it. */
struct NamedFile {
    const char *flag;
    std::string path;  // empty: not given
};

/** Failure(kUsage) if an output is -, or the same file as an input or another output. Files are
 *  compared by device and inode, so that links and other spellings hide nothing; devices do not
 *  count. */
void check_outputs(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs);

/** Whether two inputs are one file, by device and inode; - is standard input. */
[[nodiscard]] bool is_same_input(const std::string &one, const std::string &other);

/** Whether that is where standard output goes. */
[[nodiscard]] bool is_standard_output(const std::string &path);

/** The path with its last part no symbolic link; it need not exist. */
[[nodiscard]] std::string follow_links(const std::string &path);

/** One of the links that follow_links() follows, in a folder that all may write to, which belongs
 *  neither to this user nor to the folder's owner; empty if there is none. The kernel follows no
 *  such link where it is told to (fs.protected_symlinks), and cannot see who reads links itself. */
[[nodiscard]] std::string planted_link(const std::string &path);

/** The folder that a file is in. */
[[nodiscard]] std::string folder_of(const std::string &path);

}  // namespace dpadapt::cli
