#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** A predictor by the name that tables show. */
struct Candidate {
    std::string name;
    SolutionHandle solution;
};

/** Replacements for parse_options() that take privacy away. */
[[nodiscard]] std::vector<std::string> without_privacy();

/** "adapted", the fit that the options ask for. */
[[nodiscard]] Candidate adapted(const Samples &samples, const LedgerHandle &ledger,
                                const dpa_options *options);

/** A baseline of public samples.
 *  @param name  source_only, target_only or pooled. */
[[nodiscard]] Candidate public_baseline(const std::string &name, const Samples &samples,
                                        const dpa_options *options);

/** The baseline that reads the public sample alone, made from nothing else.
 *  @param domain  of that sample, "source" or "target" */
[[nodiscard]] Candidate public_only(const std::string &domain, const Samples &samples,
                                    const dpa_options *options);

[[nodiscard]] std::vector<const dpa_solution *> handles(const std::vector<Candidate> &candidates);
[[nodiscard]] std::vector<std::string> names(const std::vector<Candidate> &candidates);

/** The measure by which solutions are compared: that which the loss minimizes.
 *  @param measures  Those of an evaluation report. */
[[nodiscard]] std::string main_measure(const Json &measures);

/** Whether adaptation helps, in one sentence for each candidate after the first one. */
[[nodiscard]] Json verdicts(const Json &measures);

/** One line a candidate, one column a measure, with intervals. */
[[nodiscard]] std::string contest_table(const Json &measures);

}  // namespace dpadapt::cli
