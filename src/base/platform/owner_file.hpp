#pragma once

#include <cstdint>
#include <string>

namespace dpadapt::platform {

/** A new, empty file that its owner alone may read and write, from its first moment on. Returns a
 *  descriptor, or a handle of Windows; -1, with the system's reason, if there is such a name or the
 *  file cannot be made. */
[[nodiscard]] std::intptr_t create_for_owner(const std::string &path) noexcept;

void close_file(std::intptr_t file) noexcept;

/** Whether nobody but its owner, and the system itself, may read or write the file. */
[[nodiscard]] bool is_for_owner_alone(const std::string &path) noexcept;

}  // namespace dpadapt::platform
