#include "problem/prepared_problem.hpp"

#include <algorithm>

namespace dpadapt {

double default_alpha(std::size_t source_rows, std::size_t target_rows) {
    constexpr double kMost = 0.9;
    const auto m = static_cast<double>(source_rows);
    return std::min(kMost, m / (m + static_cast<double>(target_rows)));
}

PreparedProblem::PreparedProblem(const Sample &source, const Sample &target,
                                 const Settings &settings, Control &control)
    : source_((check_finite(target, "target", settings.threads), source), "source", settings,
              control),
      target_(target, source_.preprocess(), settings.threads) {
    target_.clip(source_.clipping());
    hyperparameters_ = {
        settings.alpha ? *settings.alpha : default_alpha(source.rows(), target.rows()),
        settings.kappa_1 ? *settings.kappa_1 : source_.kappa_1(), settings.kappa_2,
        settings.kappa_inf, settings.radius ? *settings.radius : source_.radius()};
}

}  // namespace dpadapt
