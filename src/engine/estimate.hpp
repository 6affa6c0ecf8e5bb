#pragma once

#include "discrepancy/estimate.hpp"
#include "engine/options.hpp"
#include "engine/problem.hpp"

namespace dpadapt::engine {

/** A discrepancy, and what a fit must know of it. */
struct Estimate {
    Discrepancy discrepancy;
    privacy::Domains domains = 0;  ///< of whose private records only the value, with noise, tells
    std::uint64_t ledger = 0;      ///< which paid for it
    std::size_t features = 0;
    double deviation = 0.0;  ///< of the noise
};

/** The discrepancy between the samples of a problem; a private one pays. */
[[nodiscard]] Estimate estimate(Problem &problem, const OptionValues &values, Control &control);

/** Throws Error(DPA_E_OPTION) unless a fit with these settings may use that estimate. */
void check_usable(const Estimate &given, const PrivacySettings &settings,
                  const privacy::Ledger &ledger);

}  // namespace dpadapt::engine
