#pragma once

#include <vector>

#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** The private records in the coordinates of a public metric: zeta_i = map z_i. A type of its own: what is
 *  computed from it may leave only through privacy::VectorSum.
 *
 *  Each record is mapped by itself, in a fixed order of operations, so that no other record can influence it
 *  even through rounding. A record with a value that is not finite stays not finite, and is neutralised when it
 *  is added to a sum; nothing here fails or tells. */
class PrivateRows {
  public:
    PrivateRows(const Sample &sample, const Preprocess &preprocess, const arma::mat &map,
                std::size_t threads);

    [[nodiscard]] std::size_t rows() const { return label_.size(); }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] const double *row(std::size_t i) const { return rows_.data() + i * dimension_; }
    [[nodiscard]] double label(std::size_t i) const { return label_[i]; }

  private:
    std::size_t dimension_;
    std::vector<double> rows_;  ///< row after row
    std::vector<double> label_;
};

}  // namespace dpadapt
