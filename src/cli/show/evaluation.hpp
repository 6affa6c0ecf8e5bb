#pragma once

#include <string>

#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** Ends of an item's interval: null is an open end, infinitely far away. */
[[nodiscard]] double lower_end(const Json &item);
[[nodiscard]] double upper_end(const Json &item);

/** Such as "100 rows", of that report. */
[[nodiscard]] std::string counted(const Json &report);

/** What readers must know first: lines, and an empty one after them. */
[[nodiscard]] std::string notes_text(const Json &report);

/** The report for people. */
[[nodiscard]] std::string evaluation_text(const Json &report);

/** The measure by which solutions are compared: that which the loss minimizes.
 *  @param measures  Those of an evaluation report. */
[[nodiscard]] std::string main_measure(const Json &measures);

/** Whether adaptation helps, in one sentence for each candidate after the first one. */
[[nodiscard]] Json verdicts(const Json &measures);

/** One line a candidate, one column a measure, with intervals. */
[[nodiscard]] std::string contest_table(const Json &measures);

}  // namespace dpadapt::cli
