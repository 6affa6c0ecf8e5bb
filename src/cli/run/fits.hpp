#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/read/problems.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/privacy_report.hpp"

namespace dpadapt::cli {

/** The ledger of that file; none if the path is empty. Failure(kUsage) where nothing is private. */
[[nodiscard]] LedgerHandle open_ledger(const std::string &path, const Settings &settings);

[[nodiscard]] LedgerHandle open_ledger_file(const std::string &path);

/** What the ledger holds. */
[[nodiscard]] Json ledger_facts(const LedgerHandle &ledger);

/** Failure(kBadData) unless a block of the ledger, which is in that file, has that hash. */
void check_head(const LedgerHandle &ledger, const std::string &path, const std::string &head);

/** The problem pays from the ledger, if there is one. */
void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger);

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

/** Failure(kUsage) if the ledger allows the fit to these samples, but not the fit and a private
 *  evaluation of it, each of which pays the price of the assignments; nothing is paid. Without a
 *  ledger the rows of the evaluation have a budget of their own. */
void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings);

/** Makes a call that pays from the budget of the problem. If Ctrl-C ends it after that, the Failure
 *  says that it is paid for.
 *  @param what  That is paid for. */
void pay(const ProblemHandle &problem, const std::string &what, const std::function<void()> &call);

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

}  // namespace dpadapt::cli
