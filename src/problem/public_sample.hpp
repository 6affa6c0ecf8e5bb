#pragma once

#include "base/control.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** What is learnt from a public sample: the coordinates, the bounds, and a least-squares fit from which the defaults
 *  of the objective follow. */
class PublicSample {
  public:
    /** Borrows the sample. Throws Error(DPA_E_NONFINITE) naming its first row with NaN or infinity. */
    PublicSample(const Sample &sample, const char *name, const Settings &settings,
                 Control &control);
    PublicSample(const PublicSample &) = delete;
    PublicSample &operator=(const PublicSample &) = delete;

    [[nodiscard]] const Preprocess &preprocess() const { return preprocess_; }
    [[nodiscard]] const PreparedSample &rows() const { return rows_; }
    [[nodiscard]] const Clipping &clipping() const { return clipping_; }
    [[nodiscard]] const Moments &moments() const { return moments_; }
    [[nodiscard]] const arma::vec &fit() const { return fit_; }

    /** Square of twice the robust standard deviation of the fit's residuals: Huber's threshold in squared units. */
    [[nodiscard]] double kappa_1() const;

    /** Twice the norm of the fit. */
    [[nodiscard]] double radius() const;

  private:
    Preprocess preprocess_;
    PreparedSample rows_;
    Clipping clipping_;
    Moments moments_;
    arma::vec fit_;
};

}  // namespace dpadapt
