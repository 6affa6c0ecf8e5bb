#pragma once

#include <vector>

#include "loss/loss.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** Counts of what PrivateRows neutralised: private, for the custodian's eyes only. */
struct Neutralised {
    std::size_t not_finite = 0;  ///< or with a label that the loss gives no meaning
    std::size_t scaled = 0;      ///< features beyond the radius
    std::size_t clamped_labels = 0;
};

/** The private records in the coordinates of a public metric: zeta_i = map z_i, with z_i clipped. A
 *  type of its own: what is computed from it may leave only through a release.
 *
 *  Each record is mapped by itself, in a fixed order of operations, so that no other record can
 *  influence it even through rounding. A record with a value that is not finite counts as zero;
 *  nothing here fails or tells. */
class PrivateRows {
  public:
    /** An empty map stands for the identity. `found` receives counts that must not be published. */
    PrivateRows(const Sample &sample, const Preprocess &preprocess, const Clipping &clipping,
                const arma::mat &map, std::size_t threads, Neutralised *found = nullptr);

    [[nodiscard]] std::size_t rows() const { return label_.size(); }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] const double *row(std::size_t i) const { return rows_.data() + i * dimension_; }
    [[nodiscard]] double label(std::size_t i) const { return label_[i]; }
    /** The records begin <= i < end as a loss reads them. */
    [[nodiscard]] loss::Block block(std::size_t begin, std::size_t end) const {
        return {end - begin, dimension_, row(begin), label_.data() + begin};
    }
    /** Finite labels that count as nothing, for the custodian. */
    [[nodiscard]] std::size_t labels_without_meaning(const loss::Loss &loss) const;

    [[nodiscard]] double norm(std::size_t i) const { return norm_[i]; }

    /** v . zeta_i, in a fixed order of operations. */
    [[nodiscard]] double score(std::size_t i, const double *v) const;

    /** v . zeta_i - label_i, in a fixed order of operations. */
    [[nodiscard]] double residual(std::size_t i, const double *v) const;

  private:
    std::size_t dimension_;
    std::vector<double> rows_;  ///< row after row
    std::vector<double> label_;
    std::vector<double> norm_;
};

}  // namespace dpadapt
