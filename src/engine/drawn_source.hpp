#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/public_sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

[[nodiscard]] ColumnMeans column_means(const Sample &rows, std::size_t threads);

/** The places of about that many of the rows. Neither units nor the order of rows or columns matter
 *  to which they are and in which order, as far as rounding allows: hashes of the numbers in units
 *  of deviations decide. Of rows that are alike as many are drawn as of others. */
[[nodiscard]] std::vector<std::size_t> draw_rows(const Sample &rows, const ColumnMeans &means,
                                                 std::size_t about);

/** Some of many labelled rows that are here, which stand for a Population of them all, where that
 *  costs a private fit nothing: of the squared loss, whose moments and coordinates are those of all
 *  rows. Else none. Borrows the source. */
[[nodiscard]] std::optional<Sample> draw_source(const Sample &source, const Settings &settings);

}  // namespace dpadapt::engine
