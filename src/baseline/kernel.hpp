#pragma once

#include <vector>

#include "linalg/arma.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt::baseline {

struct Points : DistinctRows {
    arma::vec squares{};  ///< squared norms

    [[nodiscard]] double records() const { return static_cast<double>(point.size()); }
    [[nodiscard]] Points subset(const arma::uvec &which) const;
};

/** Places of at most so many of the points, evenly drawn. */
[[nodiscard]] arma::uvec evenly_drawn(std::size_t points, std::size_t most);

/** Both samples less the mean of the source points, so that squared norms cancel little. */
struct PointPair {
    Points source;
    Points target;
};
[[nodiscard]] PointPair point_pair(const PreparedSample &source, const PreparedSample &target);

/** exp(-gamma ||x_i - z_j||^2), row i, column j. */
[[nodiscard]] arma::mat kernel_matrix(const Points &x, const Points &z, double gamma,
                                      std::size_t threads);

/** sum_j exp(-gamma ||x_i - z_j||^2) a_j for every i, without storing the matrix. */
[[nodiscard]] arma::vec kernel_sums(const Points &x, const Points &z, const arma::vec &a,
                                    double gamma, std::size_t threads);

/** 1 / median of the squared distances between different target points, at most 1000 of them evenly
 *  drawn; between source and target points if there is one target point only; 1 if all points are
 *  one. */
[[nodiscard]] double default_gamma(const PointPair &points);

/** The default times 1/8, 1/4, .., 8: where methods that select gamma look. */
[[nodiscard]] std::vector<double> gamma_grid(const PointPair &points);

/** Every record's share of its point's total, divided by the sum of all; throws
 *  Error(DPA_E_NUMERICAL) when no weight is positive or one is not finite. */
[[nodiscard]] std::vector<double> record_weights(const Points &source, const arma::vec &total);

/** sum_k q_k z_k z_k' over the columns of z. */
[[nodiscard]] arma::mat second_moment(const arma::mat &z, const arma::vec &q);

/** z_k' s z_k for every column of z. */
[[nodiscard]] arma::vec quadratic_forms(const arma::mat &z, const arma::mat &s,
                                        std::size_t threads);

}  // namespace dpadapt::baseline
