#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/run/call.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** What a private command would pay, which it tells in place of its result. Calls are made with a
 *  copy of the ledger that refuses the entry. So the library has checked all that it checks before
 *  a payment, budgets included, and reads no private record. */
class DryRun {
  public:
    /** @param arguments  Of the command, which must outlive it. Without a ledger each payment has a
     *                    budget of its own. */
    DryRun(const char *command, const CallArguments &arguments);

    /** Makes a call up to its payment. Any other failure is that of the real call.
     *  @param problem  Pays from no ledger yet.
     *  @param what     That is paid for.
     *  @param budget   Replacements of options, of which the budget is where there is no ledger. */
    void pay(const ProblemHandle &problem, const std::string &what,
             const std::vector<std::string> &budget, const std::function<void()> &call);

    /** The same of a fit, whose budget may be more than options tell.
     *  @param baseline  Its name, or empty. */
    void pay_fit(const ProblemHandle &problem, const std::string &what, const std::string &baseline,
                 const dpa_options *options);

    /** What a call is made with: it refuses the entry, and sets `asked`, which lives as long.
     *  @param budget  As above. */
    [[nodiscard]] LedgerHandle refusing_ledger(std::vector<std::string> budget, bool &asked) const;

    /** Prints the payments and the files that would be written.
     *  @param more  Beside --output and --report. */
    void tell(const std::vector<NamedFile> &more = {}) const;

  private:
    void add(const std::string &what, const Json &cost, const Json &budget,
             const std::string &releases);

    const char *command_;
    const CallArguments &arguments_;
    LedgerHandle ledger_;  // in memory, with all that would be paid; null: none
    Json before_;          // its report
    Json payments_ = Json::array();
};

/** Failure(kUsage) where nothing is private, so that nothing would be paid. */
void check_dry_run(bool is_private);

}  // namespace dpadapt::cli
