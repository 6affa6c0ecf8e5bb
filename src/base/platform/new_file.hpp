#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dpadapt::platform {

/** Replaces a file, through links; pipes and devices are written as they are, by any name. A file
 *  keeps its old content until the new one is complete and on the disk. A full disk or a kill
 *  leaves the old file, and perhaps a ".dpadapt-..." beside it. The new one has the mode of the old
 *  one, its group where that is allowed (else no rights of a group), and its owner if root writes.
 *  Lists of access and extended attributes are lost. Where none was, it has the mode of the umask,
 *  or is for its owner alone. Other users' files and links are refused in folders that all may
 *  write to. Throws Error(DPA_E_STORE). */
void replace_file(const std::string &path, std::span<const std::uint8_t> content, bool for_owner);

/** The whole file. Throws Error(DPA_E_STORE). */
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string &path);

}  // namespace dpadapt::platform
