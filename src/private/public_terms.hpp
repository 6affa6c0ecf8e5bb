#pragma once

#include <vector>

#include "problem/public_sample.hpp"

namespace dpadapt {

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

}  // namespace dpadapt
