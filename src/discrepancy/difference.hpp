#pragma once

#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** L_target - L_source around a centre w_0, as a function of x = w - w_0:
 *  x'Ax + 2 b.x + c with A = second, b = slope, c = constant. */
struct LossDifference {
    arma::mat second;
    arma::vec slope;
    double constant = 0.0;

    [[nodiscard]] double at(const arma::vec &x) const {
        return arma::dot(x, second * x) + 2.0 * arma::dot(slope, x) + constant;
    }
};

[[nodiscard]] LossDifference loss_difference(const Moments &target, const Moments &source,
                                             const arma::vec &center);

}  // namespace dpadapt
