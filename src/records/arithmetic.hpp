#pragma once

#include <span>

#include "problem/private_problem.hpp"

/** What is computed for one record, in a fixed order of operations. */
namespace dpadapt::records {

/** a . b in eight sums side by side, added up in a fixed order. */
[[nodiscard]] double product(const double *a, const double *b, std::size_t n);

/** out = scale (x - center), one by one; x and out may be the same. Returns the sum of the sizes of
 *  x, in no particular order. */
[[nodiscard]] double center_and_scale(std::size_t n, const double *x, const double *center,
                                      const double *scale, double *out);

/** to += factor column. */
void add_column(double factor, const double *column, std::size_t n, double *to);

/** vector *= factor, or less where that leaves more than `most`. */
void scale_within(std::span<double> vector, double factor, double most);

/** factor, or less where a vector of that norm times it is longer than `most`. */
[[nodiscard]] double factor_within(double norm, double factor, double most);

/** out = factor vector. */
void multiply(double factor, const double *vector, std::size_t n, double *out);

}  // namespace dpadapt::records

namespace dpadapt::records {

/** How a private record is read: z = (W (scale % (x - center)), 1 if constant), clipped to the
 *  feature radius without the constant, and replaced by what hidden layers make of it if there are
 *  any; then zeta = map
 *  z; and y - label_center, clamped to the label bound. All of it is public.
 *
 *  With a bound of weights, what a record of weight w adds to a sum is multiplied by w, clipped
 *  into [0, bound] (0 if it is not finite), over the bound. A record of weight 0 counts as one of
 *  zeros without a label, and one without a label as nothing, whatever is summed. Rows without
 *  weights have weight 1. */
struct Coordinates {
    arma::vec center;
    arma::vec scale;
    arma::mat whitening;  ///< W, which may have fewer rows than columns; empty: the identity
    bool constant = false;
    double label_center = 0.0;
    Clipping clipping;
    loss::HiddenLayers hidden;
    arma::mat map;              ///< of a public metric; empty: the identity
    double weight_bound = 0.0;  ///< 0: all records count alike

    [[nodiscard]] std::size_t features() const { return center.n_elem; }
    /** Of z without the constant. */
    [[nodiscard]] std::size_t coordinates() const {
        return whitening.is_empty() ? features() : whitening.n_rows;
    }
    [[nodiscard]] std::size_t inputs() const { return coordinates() + (constant ? 1 : 0); }
    [[nodiscard]] std::size_t dimension() const { return hidden.outputs(inputs()); }
};

/** The coordinates that a problem's public data decide, followed by a metric's map. */
[[nodiscard]] Coordinates coordinates_of(const PrivateProblem &problem, arma::mat map = {});

}  // namespace dpadapt::records
