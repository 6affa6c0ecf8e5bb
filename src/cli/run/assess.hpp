#pragma once

#include <string>
#include <vector>

#include "cli/read/problems.hpp"
#include "cli/run/call.hpp"
#include "cli/run/dry_run.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;  // that a plan may be for

/** A predictor by the name that tables show. */
struct Candidate {
    std::string name;
    SolutionHandle solution;
};

/** Replacements for parse_options() that take privacy away. */
[[nodiscard]] std::vector<std::string> without_privacy();

/** The baseline that reads the public sample alone, made from nothing else.
 *  @param replacements  As of parse_options(). */
[[nodiscard]] Candidate public_only(const Samples &samples,
                                    const std::vector<std::string> &assignments,
                                    std::vector<std::string> replacements = without_privacy());

/** What `evaluate --json` prints.
 *  @param names  Of the solutions, for their measures; empty: one solution that needs none. */
[[nodiscard]] Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                                     const std::vector<const dpa_solution *> &solutions,
                                     const std::vector<std::string> &names,
                                     const Settings &settings);
[[nodiscard]] Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                                     const std::vector<Candidate> &candidates,
                                     const Settings &settings);

/** What a private evaluation would pay.
 *  @param solution  Any of public rows: no price depends on it. */
void pay_evaluation(DryRun &dry, const EvaluationRows &data, const Candidate &solution,
                    const Settings &settings);

/** Rows of the target that no fit has seen, beside the public rows of the fit. */
[[nodiscard]] EvaluationRows unseen_rows(const Samples &samples, const Sample &rows);

/** Failure(kUsage) if the ledger allows the fit to these samples, but not the fit and a private
 *  evaluation of it, each of which pays the price of the assignments; nothing is paid. Without a
 *  ledger the rows of the evaluation have a budget of their own. */
void check_fit_and_evaluation(Call &call, const Samples &samples);

/** Says that errors count every row alike, where the fit has weights, and these rows have none. */
void tell_unweighed(const DataArguments &arguments, const Sample &rows, Json &report);

/** Of the command that estimates whether adaptation helps, whatever rows there are. */
struct AssessArguments : CallArguments {
    UnseenFile test{"--test"};  // rows of a comparison
    double holdout = 0.3;
    std::string by;  // which public rows play the target
    double share = 0.3;
    std::vector<std::string> epsilons;
    std::vector<std::string> sizes;
    std::uint64_t repeats = 5;
    std::uint64_t target_rows = 0;  // of a target that does not exist yet
    const Command *command = nullptr;
};

/** Prints what the library forecasts of a target of so many rows that does not exist yet, from the
 *  rows of --source alone. */
void forecast(const CallArguments &arguments, std::size_t target_rows);

/** Fits with privacy to public rows that play the target: errors by rows and epsilon. */
void rehearse(const AssessArguments &arguments);

}  // namespace dpadapt::cli
