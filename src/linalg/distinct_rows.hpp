#pragma once

#include <cstddef>
#include <vector>

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** The different rows of a sample as columns, in lexicographic order. Methods that read these, and
 *  not the records, depend neither on the order of the records nor on whether one is repeated, or
 *  all are. Weights of distinct rows are those of all their copies together. */
struct DistinctRows {
    DistinctRows() = default;
    explicit DistinctRows(const arma::mat &all);  // one a column

    arma::mat columns;
    arma::vec count;                 ///< records at each point
    std::vector<std::size_t> point;  ///< of each record

    [[nodiscard]] std::size_t size() const { return columns.n_cols; }

    /** The weights of the records: each has its share. */
    [[nodiscard]] std::vector<double> spread(const arma::vec &weights) const;
};

}  // namespace dpadapt::linalg
