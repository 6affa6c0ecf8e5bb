#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace dpadapt::cli
