#include "baseline/method.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "baseline/boosting.hpp"
#include "baseline/closed_form.hpp"
#include "baseline/kliep.hpp"
#include "baseline/noisy_descent.hpp"
#include "baseline/predictors.hpp"
#include "baseline/private_moments.hpp"
#include "baseline/weight_methods.hpp"
#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {
namespace {

Limits limits(const Settings &settings) {
    constexpr double kTolerance = 1e-6;
    return {std::max(settings.tolerance, kTolerance), settings.iterations.value_or(0),
            settings.threads};
}

Solution source_only(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return fit_weighted(problem, problem.source().shares(), {}, settings, control);
}

Solution target_only(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return fit_weighted(problem, {}, problem.target().shares(), settings, control);
}

Solution pooled(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const double alpha = problem.hyperparameters().alpha;
    return fit_weighted(problem, problem.source().shares(alpha),
                        problem.target().shares(1.0 - alpha), settings, control);
}

/** The source alone, with the weights that a method has found. */
Solution fit_source_by(const Weights &weights, const PreparedProblem &problem,
                       const Settings &settings, Control &control) {
    Solution solution =
        fit_source(problem.public_sample(), problem.hyperparameters(), weights, settings, control);
    solution.target_rows = problem.target().rows();
    solution.target_weights.assign(solution.target_rows, 0.0);
    return solution;
}

Solution by_kmm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    const Weights weights =
        kernel_mean_matching(problem.source(), problem.target_features(),
                             {options.kernel_gamma, options.weight_bound, options.sum_tolerance},
                             limits(settings), control);
    return fit_source_by(weights, problem, settings, control);
}

Solution by_kliep(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    const Weights weights = kliep(problem.source(), problem.target_features(),
                                  {options.kernel_gamma, options.centers, settings.loss.start_seed},
                                  limits(settings), control)
                                .weights;
    return fit_source_by(weights, problem, settings, control);
}

/** Relative to a density with that share of the target; 0: to the source's. */
Solution by_density_ratio(double relative_alpha, const PreparedProblem &problem,
                          const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    const Weights weights = ulsif(problem.source(), problem.target_features(),
                                  {options.kernel_gamma, options.ratio_penalty, relative_alpha,
                                   options.centers, settings.loss.start_seed},
                                  limits(settings), control)
                                .weights;
    return fit_source_by(weights, problem, settings, control);
}

Solution by_ulsif(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return by_density_ratio(0.0, problem, settings, control);
}

Solution by_rulsif(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return by_density_ratio(settings.baseline.relative_alpha, problem, settings, control);
}

Solution by_dm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const Weights weights = minimize_discrepancy(
        problem.source(), problem.target_features().moments().second, limits(settings), control);
    return fit_source_by(weights, problem, settings, control);
}

Solution by_gdm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    check_squared(problem, "gdm");
    return minimize_generalized_discrepancy(
        problem,
        minimize_discrepancy(problem.source(), problem.target_features().moments().second,
                             limits(settings), control),
        settings, control);
}

/** Methods that make a squared-loss fit of the noisy moments of (z, y). */
std::unique_ptr<PrivateBaseline> squared_moments(const char *name, const Sample &source,
                                                 const Sample &target, const Settings &settings,
                                                 WantedMoments wanted, FromMoments finish,
                                                 Control &control) {
    if (settings.loss.kind != loss::Kind::squared)
        throw Error(DPA_E_OPTION, std::string("baseline ") + name + " needs loss = squared");
    return std::make_unique<PrivateMoments>(source, target, settings, wanted, std::move(finish),
                                            control);
}

Solution target_statistics(const PrivateMoments &call, const Moments &target) {
    return fit_sufficient_statistics(call, target, 0.0);
}

Solution pooled_statistics(const PrivateMoments &call, const Moments &target) {
    return fit_sufficient_statistics(call, target, call.facts().alpha);
}

// Without the negative eigenvalues errors are smaller where the source or its metric has a part,
// and larger where not.
constexpr WantedMoments kNoisy{.labels = true};
constexpr WantedMoments kDefinite{.labels = true, .definite = true};
constexpr WantedMoments kWhitened{.labels = true, .whitened = true, .definite = true};

std::unique_ptr<PrivateBaseline> joint_ssp(const Sample &source, const Sample &target,
                                           const Settings &settings, Control &control) {
    return squared_moments("joint_ssp", source, target, settings, kNoisy, target_statistics,
                           control);
}

std::unique_ptr<PrivateBaseline> ada_ssp(const Sample &source, const Sample &target,
                                         const Settings &settings, Control &control) {
    return squared_moments("ada_ssp", source, target, settings, kNoisy, fit_adaptive_ridge,
                           control);
}

std::unique_ptr<PrivateBaseline> public_ssp(const Sample &source, const Sample &target,
                                            const Settings &settings, Control &control) {
    return squared_moments("public_ssp", source, target, settings, kWhitened, target_statistics,
                           control);
}

std::unique_ptr<PrivateBaseline> pooled_ssp(const Sample &source, const Sample &target,
                                            const Settings &settings, Control &control) {
    return squared_moments("pooled_ssp", source, target, settings, kDefinite, pooled_statistics,
                           control);
}

std::unique_ptr<PrivateBaseline> private_dm(const Sample &source, const Sample &target,
                                            const Settings &settings, Control &control) {
    const auto finish = [](const PrivateMoments &call, const Moments &moments) {
        return fit_private_dm(call, moments, limits(call.settings()));
    };
    return std::make_unique<PrivateMoments>(source, target, settings, WantedMoments{}, finish,
                                            control);
}

std::unique_ptr<PrivateBaseline> private_coral(const Sample &source, const Sample &target,
                                               const Settings &settings, Control &control) {
    if (!settings.intercept)
        throw Error(DPA_E_OPTION,
                    "baseline private_coral needs the intercept, beside which the mean stands");
    const auto finish = [](const PrivateMoments &call, const Moments &moments) {
        return fit_private_coral(call, moments);
    };
    return squared_moments("private_coral", source, target, settings, WantedMoments{}, finish,
                           control);
}

std::unique_ptr<PrivateBaseline> noisy_sgd(const Sample &source, const Sample &target,
                                           const Settings &settings, Control &control) {
    return std::make_unique<NoisyDescent>(source, target, settings, control);
}

constexpr std::array kMethods{
    MethodSpec{"source_only", "The loss of the source alone.", source_only, Labels::of_source},
    MethodSpec{"target_only", "The loss of the target alone.", target_only},
    MethodSpec{"pooled", "Both samples, the source with weight alpha.", pooled},
    MethodSpec{"kmm", "Kernel mean matching: a fit of the weighted source.", by_kmm,
               Labels::of_source, Weighted::none},
    MethodSpec{"kliep",
               "Density ratio by the Kullback-Leibler divergence: a fit of the weighted source.",
               by_kliep, Labels::of_source, Weighted::none},
    MethodSpec{"ulsif", "Density ratio by least squares: a fit of the weighted source.", by_ulsif,
               Labels::of_source, Weighted::none},
    MethodSpec{"rulsif", "Relative density ratio by least squares: a fit of the weighted source.",
               by_rulsif, Labels::of_source, Weighted::none},
    MethodSpec{"dm", "Discrepancy minimization: a fit of the weighted source.", by_dm,
               Labels::of_source, Weighted::target},
    MethodSpec{"gdm",
               "Generalized discrepancy minimization: a ridge against the farthest and the nearest "
               "of the hypotheses that suit the weighted source; squared loss.",
               by_gdm, Labels::of_source, Weighted::target},
    MethodSpec{"best", "Best-effort adaptation: the general form from several starts.",
               best_effort},
    MethodSpec{"biased_ridge",
               "The target alone, with a ridge towards the source's fit, chosen by rows left out.",
               biased_ridge},
    MethodSpec{
        "augmented",
        "Feature augmentation: a shared predictor and one of each domain's own; squared loss.",
        augmented},
    MethodSpec{"coral",
               "Correlation alignment: a fit of source rows that vary as target rows do; squared "
               "loss.",
               coral, Labels::of_source},
    MethodSpec{"gapboost", "Boosting with weights by the gap between the domains; logistic loss.",
               gap_boost, Labels::of_both, Weighted::none},
    MethodSpec{"tradaboost",
               "Boosting in which source rows that are predicted wrong lose weight; logistic loss.",
               tradaboost, Labels::of_both, Weighted::none},
    MethodSpec{"tradaboost_r2", "tradaboost by the sizes of errors; squared loss.", tradaboost_r2,
               Labels::of_both, Weighted::none},
    MethodSpec{"joint_ssp",
               "Sufficient-statistics perturbation: the target alone, from its noisy second "
               "moments; squared loss.",
               joint_ssp},
    MethodSpec{"ada_ssp", "The same with a ridge that grows with the noise.", ada_ssp},
    MethodSpec{"public_ssp", "joint_ssp, clipped after whitening by the public second moments.",
               public_ssp},
    MethodSpec{"pooled_ssp", "joint_ssp with the source, of weight alpha.", pooled_ssp},
    MethodSpec{"private_dm",
               "Discrepancy minimization for noisy second moments of the target: a fit of the "
               "weighted source.",
               private_dm, Weighted::target},
    MethodSpec{"private_coral",
               "Correlation alignment to noisy second moments of the target; squared loss.",
               private_coral},
    MethodSpec{
        "noisy_sgd",
        "Noisy minibatch gradient descent on the target alone, in epochs of disjoint batches.",
        noisy_sgd, Weighted::source},
};

}  // namespace

std::span<const MethodSpec> methods() { return kMethods; }

const MethodSpec &find_method(std::string_view name) {
    for (const MethodSpec &method : kMethods)
        if (method.name == name) return method;
    throw Error(DPA_E_OPTION_NAME, "there is no baseline " + in_quotes(name));
}

Solution solve_without_privacy(const MethodSpec &method, const PreparedProblem &problem,
                               const Settings &settings, Control &control) {
    if (method.solve == nullptr) throw Error(DPA_E_INTERNAL, "a private method is to be paid for");
    return method.solve(problem, settings, control);
}

std::unique_ptr<PrivateBaseline> prepare_private(const MethodSpec &method, const Sample &source,
                                                 const Sample &target, const Settings &settings,
                                                 Control &control) {
    if (method.prepare == nullptr) throw Error(DPA_E_INTERNAL, "this method protects nobody");
    return method.prepare(source, target, settings, control);
}

}  // namespace dpadapt::baseline
