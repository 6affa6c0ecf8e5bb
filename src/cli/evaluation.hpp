#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** What is measured, and on which rows. */
struct EvaluationRows {
    const Sample *rows;
    const Sample *reference;  // public rows by which losses are clipped; or null
    std::size_t features;
};

/** What `evaluate --json` prints.
 *  @param names  Of the solutions, for their measures; empty: one solution that needs none. */
[[nodiscard]] Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                                     const std::vector<const dpa_solution *> &solutions,
                                     const std::vector<std::string> &names,
                                     const Settings &settings);

/** Says that errors count every row alike, where the fit has weights. */
void tell_unweighed(const DataArguments &arguments, Json &report);

/** Ends of an item's interval: null is an open end, infinitely far away. */
[[nodiscard]] double lower_end(const Json &item);
[[nodiscard]] double upper_end(const Json &item);

/** Such as "100 rows", of that report. */
[[nodiscard]] std::string counted(const Json &report);

/** What readers must know first: lines, and an empty one after them. */
[[nodiscard]] std::string notes_text(const Json &report);

/** The report for people. */
[[nodiscard]] std::string evaluation_text(const Json &report);

}  // namespace dpadapt::cli
