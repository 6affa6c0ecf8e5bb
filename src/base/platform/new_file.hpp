#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dpadapt::platform {

/** Replaces the file's content, through links; pipes and devices are written as they are. The file
 *  keeps its old content until the new one is complete and on the disk. A full disk or a kill
 *  leaves the old file, and perhaps a ".dpadapt-..." beside it. A new file has the mode of the
 *  umask, or is for its owner alone. Throws Error(DPA_E_STORE). */
void replace_file(const std::string &path, std::span<const std::uint8_t> content, bool for_owner);

/** The whole file. Throws Error(DPA_E_STORE). */
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string &path);

}  // namespace dpadapt::platform
