#pragma once

#include <vector>

#include "problem/prepared_sample.hpp"

namespace dpadapt::baseline {

/** The different rows of a sample, in lexicographic order, as columns of a matrix. Weights of
 *  distinct rows are those of all their copies together. */
struct DistinctRows {
    explicit DistinctRows(const PreparedSample &sample);

    [[nodiscard]] std::size_t size() const { return z.n_cols; }

    /** The weights of the sample's rows: each copy has its share. */
    [[nodiscard]] std::vector<double> spread(const arma::vec &weights) const;

    arma::mat z;
    arma::vec copies;

  private:
    std::vector<std::size_t> group_;  ///< of every row of the sample
};

/** sum_k q_k z_k z_k' over the columns of z. */
[[nodiscard]] arma::mat second_moment(const arma::mat &z, const arma::vec &q);

/** z_k' s z_k for every column of z. */
[[nodiscard]] arma::vec quadratic_forms(const arma::mat &z, const arma::mat &s,
                                        std::size_t threads);

}  // namespace dpadapt::baseline
