#pragma once

#include <vector>

#include "problem/sample.hpp"

namespace dpadapt {

/** A public linear map from the columns of the source to those of the target: column j of a mapped
 *  row is offset_j + sum_k matrix(j, k) x_k, over the k whose factor is not 0. */
class SourceMap {
  public:
    /** @param offset  One for each row of the matrix, or NULL for zeros.
     *  Throws Error(DPA_E_NONFINITE) for a number that is not finite. */
    SourceMap(const linalg::MatrixView &matrix, const double *offset);

    [[nodiscard]] std::size_t from() const { return from_; }
    [[nodiscard]] std::size_t to() const { return columns_.size(); }

    /** Copies; each row is computed from that row and public numbers alone, in a fixed order. */
    [[nodiscard]] Sample apply(const Sample &rows) const;

  private:
    struct Term {
        std::size_t column;
        double factor;
    };
    struct Column {
        double offset = 0.0;
        std::vector<Term> terms;
    };

    std::size_t from_;
    std::vector<Column> columns_;
};

}  // namespace dpadapt
