#pragma once

#include <string>

#include "cli/show/report.hpp"

namespace dpadapt::cli {

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

// The answer of `assess` in one sentence, from what its report has.

/** Of a measured comparison. */
[[nodiscard]] std::string sentence_of_comparison(const Json &report);
/** Of fits to public rows. */
[[nodiscard]] std::string sentence_of_rehearsal(const Json &report);

/** That report for people. */
[[nodiscard]] std::string rehearsal_text(const Json &report);

/** Of the objects of a plan's forecast, what a choice of rows and epsilon needs. */
[[nodiscard]] Json forecast_report(const Json &cells);
[[nodiscard]] std::string forecast_text(const Json &report);

}  // namespace dpadapt::cli
