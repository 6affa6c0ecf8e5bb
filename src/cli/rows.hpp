#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dpadapt::cli {

/** The number of records of each sample, where the command line fixes it; else 0. */
struct FixedRows {
    std::size_t source = 0;
    std::size_t target = 0;
};

/** What --rows says: nothing, a number for the private sample, or two when both are private.
 *  Failure(kUsage) for anything else. */
[[nodiscard]] FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                                   bool private_target);

/** What such a flag says about one sample. */
[[nodiscard]] std::size_t fixed_number_of_rows(const std::string &flag,
                                               const std::vector<std::string> &numbers,
                                               bool is_private);

/** Failure(kUsage) for more numbers of private records than the machine has memory for, whatever
 *  their file holds. */
void check_room(std::size_t rows, std::size_t columns);

}  // namespace dpadapt::cli
