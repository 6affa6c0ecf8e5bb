#pragma once

#include "problem/hyperparameters.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {

/** From the options and the public sample; without one what only it could tell is NaN. */
[[nodiscard]] Hyperparameters hyperparameters(const Settings &settings, double alpha,
                                              const PublicSample *sample);

/** Equal weights for all records, but at least a tenth of the weight for the target, however few
 *  its rows. */
[[nodiscard]] double default_alpha(std::size_t source_rows, std::size_t target_rows);

/** Source and target without privacy, in the coordinates learnt from the source. */
class PreparedProblem {
  public:
    /** Borrows the samples. Throws Error(DPA_E_NONFINITE) naming the first row with NaN or
     *  infinity.
     *  @param features  All rows of the target, if some have no label; the target itself if none
     *                   has one. */
    PreparedProblem(const Sample &source, const Sample &target, const Settings &settings,
                    Control &control, const Sample *features = nullptr);
    PreparedProblem &operator=(PreparedProblem &&) = delete;

    [[nodiscard]] const Preprocess &preprocess() const { return source_.preprocess(); }
    [[nodiscard]] const PreparedSample &source() const { return source_.rows(); }
    [[nodiscard]] const PreparedSample &target() const { return target_; }

    /** All rows of the target, whatever their labels. */
    [[nodiscard]] const PreparedSample &target_features() const {
        return features_ ? *features_ : target_;
    }
    [[nodiscard]] const Moments &source_moments() const { return source_.moments(); }
    [[nodiscard]] const Clipping &clipping() const { return source_.clipping(); }
    [[nodiscard]] const arma::vec &source_fit() const { return source_.fit(); }
    [[nodiscard]] const PublicSample &public_sample() const { return source_; }
    [[nodiscard]] const LossRows &target_loss_rows() const { return *target_loss_rows_; }
    [[nodiscard]] const Hyperparameters &hyperparameters() const { return hyperparameters_; }

    /** Until then alpha is that of the sizes, unless given, and the radius that of the source. */
    void set_chosen(double alpha, double radius, double kappa_1) {
        hyperparameters_.alpha = alpha;
        hyperparameters_.radius = radius;
        hyperparameters_.kappa_1 = kappa_1;
    }

  private:
    PublicSample source_;
    PreparedSample target_;
    std::optional<PreparedSample> features_;
    std::optional<LossRows> target_loss_rows_;
    Hyperparameters hyperparameters_;
};

}  // namespace dpadapt
