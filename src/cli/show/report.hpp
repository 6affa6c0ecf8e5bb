#pragma once

#include <string>
#include <vector>

#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"

namespace dpadapt::cli {

/** Scores of a row. */
[[nodiscard]] std::size_t outputs(const dpa_solution *solution);

/** A list of coefficients and a number, for several outputs a list of each; null where the loss has
 *  none. */
[[nodiscard]] Json coefficients(const dpa_solution *solution);
[[nodiscard]] Json intercept(const dpa_solution *solution);

/** Everything that `fit --json` prints but the weights; a value that is infinite, not released or
 *  not there for the loss is null. */
[[nodiscard]] Json solution_report(const dpa_solution *solution, const schema::Schema &schema);

/** Adds the record weights of both samples. */
void add_weights(const dpa_solution *solution, Json &report);

/** The report for people. */
[[nodiscard]] std::string solution_text(const Json &report, const schema::Schema &schema);

/** What `discrepancy --json` prints, but for the privacy report. */
[[nodiscard]] Json discrepancy_report(const dpa_discrepancy *discrepancy,
                                      const std::vector<std::string> &features);
[[nodiscard]] std::string discrepancy_text(const Json &report);

/** What `inspect` prints for people. */
[[nodiscard]] std::string inspection_text(const Json &report);

}  // namespace dpadapt::cli
