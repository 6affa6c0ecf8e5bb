#pragma once

#include <vector>

#include "linalg/matrix_view.hpp"

namespace dpadapt {

/** The labelled records of one domain, copied from the caller or lent by him. */
class Sample {
  public:
    Sample() = default;

    /** Keeps the caller's memory. */
    static Sample lend(const linalg::MatrixView &x, const double *y);

    /** Copies, row by row: a pass over the data then reads memory in one go. */
    static Sample copy(const linalg::MatrixView &x, const double *y);

    [[nodiscard]] const linalg::MatrixView &x() const { return x_; }
    [[nodiscard]] const double *y() const { return y_; }
    [[nodiscard]] std::size_t rows() const { return x_.rows; }
    [[nodiscard]] std::size_t features() const { return x_.cols; }

  private:
    linalg::MatrixView x_;
    const double *y_ = nullptr;
    std::vector<double> owned_x_;
    std::vector<double> owned_y_;
};

/** The sample; throws Error(DPA_E_NONFINITE) naming its first row with NaN or infinity. For public
 *  samples. */
const Sample &check_finite(const Sample &sample, const char *name, std::size_t threads);

}  // namespace dpadapt
