#pragma once

#include <cstdint>

#include "privacy/release.hpp"

namespace dpadapt::privacy {

/** Releases of sums over records that are drawn anew for each of them, every record by itself with
 *  probability `rate` (Poisson sampling), with Gaussian noise. */
struct SampledSteps {
    double rate = 1.0;        ///< q, in (0, 1]
    std::uint64_t steps = 1;  ///< T
    Neighbours neighbours = Neighbours::replace;
};

/** An upper bound of mu such that all steps together are no easier to tell apart than this: a
 *  Gaussian release of that mu, or, with probability `failure`, the record itself. So they compose
 *  with anything else as mu^2 and a delta of `failure` do.
 *
 *  One step. Let a record's part have norm at most `most` in units of the noise's deviation, and
 *  N_x be the normal law around x. Where the record is taken out, P = (1 - q) N_0 + q N_x stands
 *  against N_0, and in the other direction. Where it is replaced, P stands against Q = (1 - q) N_0
 *  + q N_y, |x|, |y| <= most. For any set S take the half-space H with the same N_0-mass: of all
 *  such sets N_x is largest on a half-space and N_y smallest on the opposite one (Neyman, Pearson),
 *  so N_most(H) >= N_x(S) and N_-most(H) <= N_y(S) on a line. Hence P(S) - e^epsilon Q(S) is
 *  largest in one dimension, for x = most and y = -most, at any epsilon >= 0 and, exchanging the
 *  two, below.
 *
 *  All steps. The law of the loss of that pair is put on a grid (LossDistribution), composed T
 *  times by doubling, and mu is the least whose curve, with the failure, is above the curve of the
 *  result in both directions at every epsilon. On a grid of about 500 places the bound is some
 *  thousandths above the exact value. Throws Error(DPA_E_INVALID_ARGUMENT) outside of 1e-6 <= rate
 *  <= 1, 1 <= steps <= 1e7, 1e-6 <= most <= 10, 1e-15 <= failure <= 0.1; infinite where no mu up to
 *  50 is enough, or, beyond about 10, every loss is positive. */
[[nodiscard]] double sampled_mu(const SampledSteps &steps, double most, double failure);

/** Largest norm of a record's part for which all steps together cost mu at most, rounded down to
 *  what sampled_mu has confirmed; 0 where there is none. */
[[nodiscard]] double sampled_most(const SampledSteps &steps, double mu, double failure);

}  // namespace dpadapt::privacy
