#pragma once

#include <vector>

#include "private/metric.hpp"
#include "problem/public_sample.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** The part of the objective that public rows have in it, minimized without privacy: it costs
 *  nothing. Without weight of the public rows their plain fit. */
[[nodiscard]] PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings,
                                         double discrepancy, Control &control);

/** The public records at a predictor, for a loss of linear scores, in units of the largest
 *  curvature of that loss. */
struct PublicTerms {
    std::vector<double> slope;      ///< norm of the gradient by the scores
    double kept_slope = 0.0;        ///< norm that the clip leaves alone
    std::vector<double> curvature;  ///< bound of the norm of the Hessian by the scores, in [0, 1]
    arma::vec sizes;                ///< typical squares of the features
    double loss = 0.0;              ///< mean
    arma::vec theta;

    PublicTerms(const PublicSample &sample, const arma::vec &at);
};

/** Noisy mean of the private records' shrunken Hessians in that metric, in units of `most`: each is
 *  zeta zeta' times its share of the loss's largest curvature at the public fit, times the factor
 *  by which its gradient term is clipped there, and of Frobenius norm `most` at most. */
[[nodiscard]] arma::mat release_moments(const PrivateRun &run, privacy::Domains domain,
                                        const Metric &metric, double most);

/** Of how many records that is the mean: of all, or of those with a label where the Hessian depends
 *  on it, or, where they have weights, the sum of these. */
[[nodiscard]] double moments_rows(const PrivateRun &run, privacy::Domains domain);

}  // namespace dpadapt
