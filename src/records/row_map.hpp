#pragma once

#include "base/secret.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::records {

/** A matrix by which many rows are multiplied. Each number of a product is a sum over the columns
 *  in their order, from 0 and without fused operations: it depends on that row alone, bit for bit.
 */
class RowMap {
  public:
    /** Numbers of a product that this processor makes at once: 2, 4 or 8. */
    [[nodiscard]] static std::size_t most_lanes();

    /** Copies the matrix; an empty one is the identity. So many lanes, which the bits do not depend
     *  on, or fewer. */
    explicit RowMap(const arma::mat &matrix, std::size_t lanes = most_lanes());

    [[nodiscard]] bool is_identity() const { return columns_ == 0; }

    /** to + i stride = the matrix times row i of `from`, row after row. Not for the identity. */
    void multiply(const double *from, std::size_t rows, double *to, std::size_t stride) const;

  private:
    std::size_t lanes_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t stride_;          ///< whole lanes
    std::vector<double> matrix_;  ///< column after column, zeros in between
};

}  // namespace dpadapt::records
