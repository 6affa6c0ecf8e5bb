#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// What the command alone asks of the system. Functions that can fail leave the reason in errno.
namespace dpadapt::cli {

/** Makes sure that descriptors 0 to 2 are taken, so that no data file is opened as one of them, and
 *  that bytes pass them unchanged. A reader that leaves and a limit on the size of files are errors
 *  of writing like any other from then on. */
void prepare_streams();

/** Calls it at the first Ctrl-C; a second one ends the program. Nothing is done where Ctrl-C is for
 *  others, as in the background. */
void at_interrupt(void (*handler)(int));

/** Whether standard error is a terminal. */
[[nodiscard]] bool has_terminal();

/** Bytes that this process may have at most. */
[[nodiscard]] double most_memory();

[[nodiscard]] bool has_limited_addresses();

/** Device and number; of a file that is still to be made those of its folder, with its name. */
struct Identity {
    std::uint64_t device;
    std::uint64_t number;
    std::string name;
    bool operator==(const Identity &) const = default;
};

/** Nothing for pipes, devices and what cannot be found. */
[[nodiscard]] std::optional<Identity> identity(const std::string &path);
[[nodiscard]] std::optional<Identity> identity_of_standard_input();

/** Whether that is where standard output goes. */
[[nodiscard]] bool is_standard_output(const std::string &path);

/** Descriptors of the caller; -1 if they fail. */
[[nodiscard]] int copy_of_standard_input();
[[nodiscard]] int copy_of_standard_output();

/** Takes so much room on the disk for an open file, where the file system can. */
[[nodiscard]] bool reserve_room(int file, std::size_t bytes);

[[nodiscard]] bool set_size(int file, std::size_t bytes);

/** The errno with which writing so many bytes to an open stream would fail; 0 if no failure is
 *  foreseen. */
[[nodiscard]] int why_unwritable(int stream, std::size_t bytes);

}  // namespace dpadapt::cli
