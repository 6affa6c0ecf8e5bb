#pragma once

#include <vector>

#include "problem/sample.hpp"

namespace dpadapt {

/** The rows of a public sample that have a label, and a weight that is not 0: terms with labels
 *  read these, while the features of all rows count where labels have no part. */
class LabelledRows {
  public:
    /** Borrows the sample, whose labelled rows are copied if there are others.
     *  @param among  Only these rows, in ascending order; empty: all. */
    explicit LabelledRows(const Sample &sample, const std::vector<std::size_t> &among = {});
    LabelledRows(const LabelledRows &) = delete;
    LabelledRows &operator=(const LabelledRows &) = delete;

    [[nodiscard]] bool all() const { return place_.size() == sample_.rows(); }
    [[nodiscard]] bool any() const { return !place_.empty(); }

    /** These rows; the sample itself if that is all. There must be one. */
    [[nodiscard]] const Sample &rows() const { return all() ? sample_ : labelled_; }

    /** Every row, with its label or, where it has none, 0. */
    [[nodiscard]] const Sample &features() const { return all() ? sample_ : features_; }

    /** Weights of the labelled rows as those of all rows: the others have 0. */
    void spread(std::vector<double> &weights) const;

  private:
    const Sample &sample_;
    std::vector<std::size_t> place_;
    SecretVector<double> x_;
    SecretVector<double> y_;
    std::vector<double> filled_;
    Sample labelled_;
    Sample features_;
};

}  // namespace dpadapt
