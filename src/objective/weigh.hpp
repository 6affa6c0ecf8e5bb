#pragma once

#include <array>
#include <span>

#include "objective/penalty.hpp"
#include "privacy/release.hpp"
#include "problem/sample.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** The weights q_i of rows as those of that domain: those of the fit, or any others. NaN where a
 *  loss is; 0 without a label. Throws Error(DPA_E_NOT_RELEASABLE) for a private solution,
 *  Error(DPA_E_UNSUPPORTED) where its weights follow no rule, Error(DPA_E_LABEL) naming the first
 *  row whose label has no meaning.
 *  @param weights  The user's, one for each row, none negative; empty: 1 each. */
[[nodiscard]] std::vector<double> weigh(const Solution &solution, privacy::Domains domain,
                                        const Sample &rows, std::span<const double> weights);

/** What records add to the two sums from which the scalars of coupled weights follow: sum q^2, and
 *  of the convex penalty the sum of what lifting the cap t would save, per unit, of the linear one
 *  sum exp(mu q) - 1 in units of its largest term. */
struct CouplingTerms {
    using Sums = std::array<double, 2>;

    Prices prices;
    double largest_p = 0.0;  ///< largest reference weight of all records

    /** Of a record with weight q. */
    [[nodiscard]] Sums of_record(double q, double cost, double p,
                                 const WeightScalars &scalars) const;

    /** The most that a record with reference weight p can add. */
    [[nodiscard]] Sums largest(double p, const WeightScalars &scalars) const;
};

/** (exp(mu q) - 1)/(exp(mu p) - 1) for 0 <= q <= p, without overflow. */
[[nodiscard]] double soft_share(double mu, double q, double p);

}  // namespace dpadapt
