#include "solver/general_shrinkage.hpp"

#include "solver/general_terms.hpp"
#include "solver/private_shrinkage.hpp"

namespace dpadapt {

PrivateFit fit_general_with_shrinkage(const PrivateRun &run, const Settings &settings) {
    const GeneralMetric metric = make_general_metric(run.problem, settings);
    const GeneralTerms terms(run, metric, privacy::kTarget);
    const auto add = [&](const arma::vec &v, privacy::VectorSum &sum) {
        terms.add(
            v, 1.0, [](double, std::span<double>) { return 1.0; }, sum);
    };
    const auto project = [&](const arma::vec &v) {
        return settings.radius ? metric.project(v, *settings.radius) : v;
    };
    const Shrunken result =
        shrink_to_public_fit(run, {terms.rows(), metric.start, metric.clip, metric.term_square,
                                   settings.privacy.shrinkage, false, add, project});
    PrivateFit fit;
    fit.w = metric.to_theta(result.v);
    fit.alpha = 1.0 - result.kept;
    return fit;
}

}  // namespace dpadapt
