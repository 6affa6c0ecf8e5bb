#pragma once

#include "base/control.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** The numbers of the objective, every "auto" replaced by what it stands for. */
struct Hyperparameters {
    double alpha = 0.0;
    double kappa_1 = 0.0;
    double kappa_2 = 0.0;
    double kappa_inf = 0.0;
    double radius = 0.0;
};

/** Source and target in the coordinates learnt from the public source, with the source fit from
 *  which the defaults are derived. */
class PreparedProblem {
  public:
    /** Borrows the samples. Throws Error(DPA_E_NONFINITE) naming the first row with NaN or
     *  infinity. */
    PreparedProblem(const Sample &source, const Sample &target, const Settings &settings,
                    Control &control);
    PreparedProblem(const PreparedProblem &) = delete;
    PreparedProblem &operator=(const PreparedProblem &) = delete;

    [[nodiscard]] const Preprocess &preprocess() const { return preprocess_; }
    [[nodiscard]] const PreparedSample &source() const { return source_; }
    [[nodiscard]] const PreparedSample &target() const { return target_; }
    [[nodiscard]] const Moments &source_moments() const { return source_moments_; }
    [[nodiscard]] const Clipping &clipping() const { return clipping_; }
    [[nodiscard]] const arma::vec &source_fit() const { return source_fit_; }
    [[nodiscard]] const Hyperparameters &hyperparameters() const { return hyperparameters_; }

  private:
    Preprocess preprocess_;
    PreparedSample source_;
    PreparedSample target_;
    Clipping clipping_;
    Moments source_moments_;
    arma::vec source_fit_;
    Hyperparameters hyperparameters_;
};

}  // namespace dpadapt
