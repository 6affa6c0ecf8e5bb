#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/report.hpp"

namespace dpadapt::cli {

/** A search over texts "key=a,b,c" as given to --grid; `draw` of the combinations, or all if it is
 *  0. */
[[nodiscard]] SearchHandle make_search(const std::vector<std::string> &grid, std::uint64_t draw,
                                       std::uint64_t seed);

/** The table of candidates and the chosen one. */
[[nodiscard]] Json search_report(const dpa_search *search, const std::vector<std::string> &grid);
[[nodiscard]] std::string search_text(const Json &report);

}  // namespace dpadapt::cli
