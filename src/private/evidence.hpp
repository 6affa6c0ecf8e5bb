#pragma once

#include "linalg/arma.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** Evidence, in released gradients alone, that private records counted. Were all of them zeros,
 *  each gradient would be its noise, wherever it was taken. Where they count it has a mean, -w, and
 *  grows with the way u_t from the start, as far as the metric has the Hessian: g_t = h u_t - w +
 *  noise. The ratio of the two likelihoods, averaged over h and over a normal w of several
 *  deviations, has the mean 1 if all records are zeros, however the gradients before have led to
 *  the u_t; so it then exceeds 10^k with probability 10^-k at most (Ville's inequality). */
class Evidence {
  public:
    /** @param variance  of the noise in a coordinate of a gradient. */
    Evidence(arma::vec start, double variance);

    void see(const arma::vec &v, const arma::vec &gradient);

    /** The common logarithm of that ratio. */
    [[nodiscard]] double operator()() const;

  private:
    [[nodiscard]] double log_ratio(double h, double spread) const;

    arma::vec start_;
    double variance_;
    double steps_ = 0.0;
    arma::vec gradients_;  ///< sum of g_t
    arma::vec ways_;       ///< sum of u_t
    double along_ = 0.0;   ///< sum of g_t . u_t
    double square_ = 0.0;  ///< sum of |u_t|^2
};

/** The sum of the private records' weights, in units of their bound, with noise: what takes the
 *  place of their number where sums become means. A record without a label has none. In
 *  [1, number of records], and not less than a deviation of the noise. */
[[nodiscard]] double release_weight_sum(const PrivateRun &run);

}  // namespace dpadapt
