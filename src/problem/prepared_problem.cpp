#include "problem/prepared_problem.hpp"

#include <algorithm>
#include <limits>

#include "problem/defaults.hpp"

namespace dpadapt {

double default_alpha(std::size_t source_rows, std::size_t target_rows) {
    const auto m = static_cast<double>(source_rows);
    return std::min(defaults::kMostAlpha, m / (m + static_cast<double>(target_rows)));
}

Hyperparameters hyperparameters(const Settings &settings, double alpha,
                                const PublicSample *sample) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    Hyperparameters result;
    result.alpha = alpha;
    result.radius = settings.radius     ? *settings.radius
                    : sample != nullptr ? sample->radius()
                                        : kUnknown;
    result.penalty = settings.penalty;
    if (settings.penalty == PenaltyKind::linear) {
        result.lambda_1 = settings.lambda_1.value_or(std::numeric_limits<double>::infinity());
        result.lambda_2 = settings.lambda_2;
        result.lambda_inf = settings.lambda_inf;
        result.mu = settings.mu;
        return result;
    }
    result.kappa_1 = settings.kappa_1    ? *settings.kappa_1
                     : sample != nullptr ? sample->kappa_1()
                                         : kUnknown;
    result.kappa_2 = settings.kappa_2;
    result.kappa_inf = settings.kappa_inf;
    return result;
}

PreparedProblem::PreparedProblem(const Sample &source, const Sample &target,
                                 const Settings &settings, Control &control, const Sample *features)
    : source_((check_finite(features != nullptr ? *features : target, "target", settings.threads),
               source),
              "source", settings, control,
              !loss::is_linear({.kind = settings.loss.kind}) ? nullptr
              : features != nullptr                          ? features
                                                             : &target),
      target_(target, source_.preprocess(), settings.threads) {
    target_.clip(source_.clipping());
    if (features != nullptr && features != &target) {
        features_.emplace(*features, source_.preprocess(), settings.threads);
        features_->clip(source_.clipping());
    }
    hyperparameters_ = dpadapt::hyperparameters(
        settings, settings.alpha.value_or(default_alpha(source.rows(), target.rows())), &source_);
    target_loss_rows_.emplace(target_, source_.loss(), source_.newton());
    if (features != &target) target_loss_rows_->check_labels("target", true);
}

}  // namespace dpadapt
