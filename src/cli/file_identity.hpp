#pragma once

#include <string>
#include <vector>

namespace dpadapt::cli {

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
