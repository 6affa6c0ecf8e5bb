#pragma once

#include <string>
#include <vector>

#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Failure(kUsage) if the ledger allows the fit to these samples, but not the fit and a private
 *  evaluation of it, each of which pays the price of the assignments; nothing is paid. Without a
 *  ledger the rows of the evaluation have a budget of their own. */
void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings);

}  // namespace dpadapt::cli
