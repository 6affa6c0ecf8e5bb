#pragma once

#include "problem/private_problem.hpp"

namespace dpadapt {

/** The metric of private steps of the general form, from public data alone. In its coordinates v a
 *  step needs no further preconditioner, and the noise of a release is spread as the records'
 *  gradients are.
 *
 *  P = V diag(scale^2) V' for each of the blocks of theta, and v = diag(scale) V' theta. Of linear
 *  scores it is the public Hessian with a ridge, the same for each column of W: then the rows are
 *  mapped, zeta = diag(1/scale) V' z, and the loss of zeta at v is the loss of z at theta. Else
 *  rows stay as they are and every record's gradient is mapped.
 *
 *  clip bounds a record's gradient in these coordinates: a quantile of the norms of the public
 *  records' gradients at the public fit. */
struct GeneralMetric {
    bool maps_rows = false;
    arma::vec scale;
    arma::mat vectors;  ///< V; empty: the identity
    arma::uword blocks = 1;
    arma::vec start;           ///< public fit, in v
    double clip = 0.0;         ///< C
    double term_square = 0.0;  ///< mean of the squared norms of the clipped public gradients

    /** diag(1/scale) V'; empty without V. */
    [[nodiscard]] arma::mat map() const;

    [[nodiscard]] arma::vec to_v(const arma::vec &theta) const;
    [[nodiscard]] arma::vec to_theta(const arma::vec &v) const;

    /** A gradient by theta as gradient by v. */
    [[nodiscard]] arma::vec slope(const arma::vec &gradient) const;

    /** Nearest point, in this metric, of the ball ||theta|| <= radius. */
    [[nodiscard]] arma::vec project(const arma::vec &v, double radius) const;
};

/** Whether the options choose the metric of the Hessian, a matrix of dimension x dimension. */
[[nodiscard]] bool uses_hessian(const PrivateProblem &problem, const Settings &settings);

/** The metric that the options choose; that of the Hessian is for linear scores.
 *  Without public data: the identity, in the units of the largest Hessian of a record. */
[[nodiscard]] GeneralMetric make_general_metric(const PrivateProblem &problem,
                                                const Settings &settings);

}  // namespace dpadapt
