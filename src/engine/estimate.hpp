#pragma once

#include "base/control.hpp"
#include "discrepancy/estimate.hpp"
#include "engine/problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::engine {

/** A discrepancy, and what a fit must know of it. */
struct Estimate {
    Discrepancy discrepancy;
    privacy::Domains domains = 0;  ///< whose private records only the value, with noise, reveals
    std::uint64_t ledger = 0;      ///< which paid for it
    std::size_t features = 0;
    double deviation = 0.0;  ///< of the noise
};

/** The discrepancy between the samples of a problem; a private one pays. */
[[nodiscard]] Estimate estimate(Problem &problem, const OptionValues &values, Control &control);

/** Throws Error(DPA_E_OPTION) unless a fit with these settings may use that estimate. */
void check_usable(const Estimate &given, const PrivacySettings &settings,
                  const privacy::Ledger &ledger);

/** Sentences about private records that a private fit would change, and about slips between samples
 *  that are here: for the custodian, without any protection; the ledger remembers it. */
[[nodiscard]] std::vector<std::string> inspect(Problem &problem, const OptionValues &values,
                                               Control &control);

/** Throw Error(DPA_E_NUMERICAL) for a result that is not finite, or has a negative weight. What a
 *  result does not have is NaN by intent: certificates, and the objective of private fits and of
 *  some baselines. Of a private result only what is released is looked at, so that the status
 *  tells nothing else. */
void check_finite(const Solution &solution, bool has_objective);
void check_finite(const Discrepancy &discrepancy);

}  // namespace dpadapt::engine
