#pragma once

#include <io.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace dpadapt::platform::files {

/** As errno has it, what GetLastError() says. */
[[nodiscard]] int reason_of(long error) noexcept;

inline bool close_file(int file) { return _close(file) == 0; }

/** Makes a file of a name of this process and call; that of a killed one is passed over.
 *  @param name  Receives it, between its begin and end.
 *  @param mode  0600 for a file of its owner alone. */
[[nodiscard]] int create(std::string &name, const std::string &begin, const std::string &end,
                         unsigned mode);

[[nodiscard]] bool sync(int file);
[[nodiscard]] std::ptrdiff_t write_some(int file, std::string_view text);

/** @param begin  Size of the file before. */
[[nodiscard]] bool write_all(int file, std::size_t begin, std::string_view text);

/** The file takes the name of another one, or a new one. The list of access of the other stays. */
[[nodiscard]] bool move_over(const std::string &from, const std::string &to);
void remove(const std::string &path);

/** The folder of a new name is on the disk with it. */
[[nodiscard]] inline bool sync_folder(const char * /*folder*/) { return true; }

/** What a name follows with a slash. */
[[nodiscard]] std::string folder_of(const std::string &path);

constexpr const char *kPlanted = "";

/** Where a file is to be written; nothing of other users lies on the way there. */
struct Target {
    std::string path;
    std::string planted;
    int reason = 0;  // why it cannot be written, as errno has it
    bool exists = false;
    bool direct = false;

    /** Pipes and devices are not replaced. */
    [[nodiscard]] bool is_direct() const { return direct; }
};
[[nodiscard]] Target find_target(const std::string &given);
[[nodiscard]] Descriptor open_directly(const Target &target);

/** Move_over() does it. */
[[nodiscard]] inline bool take_over(int /*file*/, const Target & /*replaced*/) { return true; }

}  // namespace dpadapt::platform::files
