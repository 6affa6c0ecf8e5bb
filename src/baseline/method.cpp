#include "baseline/method.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "baseline/boosting.hpp"
#include "baseline/closed_form.hpp"
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

/** The source alone, with the weights that a method finds. */
template <Weights (*find)(const PreparedProblem &, const Settings &, Control &)>
Solution weighted_source(const PreparedProblem &problem, const Settings &settings,
                         Control &control) {
    const Weights weights = find(problem, settings, control);
    Solution solution =
        fit_source(problem.public_sample(), problem.hyperparameters(), weights, settings, control);
    solution.target_rows = problem.target().rows();
    solution.target_weights.assign(solution.target_rows, 0.0);
    return solution;
}

Weights by_kmm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    return kernel_mean_matching(problem.source(), problem.target_features(),
                                {options.kernel_gamma, options.weight_bound, options.sum_tolerance},
                                limits(settings), control);
}

Weights by_kliep(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    const LikelihoodOptions own{options.kernel_gamma, options.centers, settings.loss.start_seed};
    return kliep(problem.source(), problem.target_features(), own, limits(settings), control)
        .weights;
}

/** Relative to a density with a share of the target, or to the source's. */
template <bool relative>
Weights by_density_ratio(const PreparedProblem &problem, const Settings &settings,
                         Control &control) {
    const BaselineSettings &options = settings.baseline;
    const LeastSquaresOptions own{options.kernel_gamma, options.ratio_penalty,
                                  relative ? options.relative_alpha : 0.0, options.centers,
                                  settings.loss.start_seed};
    return ulsif(problem.source(), problem.target_features(), own, limits(settings), control)
        .weights;
}

Weights by_dm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return minimize_discrepancy(problem.source(), problem.target_features().moments().second,
                                limits(settings), control);
}

Solution by_gdm(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return minimize_generalized_discrepancy(problem, by_dm(problem, settings, control), settings,
                                            control);
}

Solution target_statistics(const PrivateMoments &call, const NoisyMoments &target) {
    return fit_sufficient_statistics(call, target, 0.0);
}

Solution pooled_statistics(const PrivateMoments &call, const NoisyMoments &target) {
    return fit_sufficient_statistics(call, target, call.facts().alpha);
}

/** Private discrepancy minimization in one shot (after Bassily, Mohri, Suresh 2023): weights of the
 *  public source that minimize the discrepancy (minimize_discrepancy) to the released second
 *  moments of the target, whose labels are not used, and a weighted fit of the source.
 *
 *  Objective, duality gap, iterations and termination are those of the weights' problem with the
 *  released matrix. */
Solution private_dm(const PrivateMoments &call, const NoisyMoments &target) {
    const PublicSample &source = *call.problem().public_sample();
    const Weights weights =
        minimize_discrepancy(source.rows(), target.second, limits(call.settings()), call.control());
    Hyperparameters used = call.problem().hyperparameters();
    used.alpha = 1.0;
    Solution solution = fit_source(source, used, weights, call.settings(), call.control());
    solution.target_rows = call.facts().target_rows;
    return solution;
}

// Without the negative eigenvalues errors are smaller where the source or its metric has a part,
// and larger where not.
constexpr WantedMoments kNoisy{.labels = true};
constexpr WantedMoments kDefinite{.labels = true, .definite = true};
constexpr WantedMoments kWhitened{.labels = true, .whitened = true, .definite = true};

/** A method that makes its fit of noisy second moments. */
template <auto finish, WantedMoments wanted = WantedMoments{}>
std::unique_ptr<PrivateBaseline> of_moments(const Sample &source, const Sample &target,
                                            const Settings &settings, Control &control) {
    return std::make_unique<PrivateMoments>(source, target, settings, wanted, finish, control);
}

std::unique_ptr<PrivateBaseline> private_coral(const Sample &source, const Sample &target,
                                               const Settings &settings, Control &control) {
    if (!settings.intercept)
        throw Error(DPA_E_OPTION,
                    "baseline private_coral needs the intercept, beside which the mean stands");
    return of_moments<fit_private_coral>(source, target, settings, control);
}

constexpr std::array kMethods{
    MethodSpec{"source_only", "A fit of the source alone.", source_only, Labels::of_source},
    MethodSpec{"target_only", "A fit of the target alone.", target_only},
    MethodSpec{"pooled", "Both samples, the source with weight alpha.", pooled},
    MethodSpec{"kmm", "Kernel mean matching: a fit of the weighted source.",
               weighted_source<by_kmm>, Labels::of_source, Weighted::none},
    MethodSpec{"kliep",
               "Density ratio by the Kullback-Leibler divergence: a fit of the weighted source.",
               weighted_source<by_kliep>, Labels::of_source, Weighted::none},
    MethodSpec{"ulsif", "Density ratio by least squares: a fit of the weighted source.",
               weighted_source<by_density_ratio<false>>, Labels::of_source, Weighted::none},
    MethodSpec{"rulsif", "Relative density ratio by least squares: a fit of the weighted source.",
               weighted_source<by_density_ratio<true>>, Labels::of_source, Weighted::none},
    MethodSpec{"dm", "Discrepancy minimization: a fit of the weighted source.",
               weighted_source<by_dm>, Labels::of_source, Weighted::target},
    MethodSpec{"gdm",
               "Generalized discrepancy minimization: a ridge against the farthest and the nearest "
               "of the hypotheses that suit the weighted source; squared loss.",
               by_gdm, Labels::of_source, Weighted::target}
        .only(loss::Kind::squared),
    MethodSpec{"best", "Best-effort adaptation: general form, several starts; needs lambda_1.",
               best_effort},
    MethodSpec{"biased_ridge",
               "The target alone, with a ridge towards the source's fit, chosen by rows left out.",
               biased_ridge},
    MethodSpec{
        "augmented",
        "Feature augmentation: a shared predictor and one of each domain's own; squared loss.",
        augmented}
        .only(loss::Kind::squared),
    MethodSpec{"coral",
               "Correlation alignment: a fit of source rows that vary as target rows do; squared "
               "loss.",
               coral, Labels::of_source}
        .only(loss::Kind::squared),
    MethodSpec{"gapboost", "Boosting with weights by the gap between the domains; logistic loss.",
               gap_boost, Labels::of_both, Weighted::none}
        .only(loss::Kind::logistic),
    MethodSpec{"tradaboost",
               "Boosting in which source rows that are predicted wrong lose weight; logistic loss.",
               tradaboost, Labels::of_both, Weighted::none}
        .only(loss::Kind::logistic),
    MethodSpec{"tradaboost_r2", "tradaboost by the sizes of errors; squared loss.", tradaboost_r2,
               Labels::of_both, Weighted::none}
        .only(loss::Kind::squared),
    MethodSpec{"joint_ssp",
               "Sufficient-statistics perturbation: the target alone, from its noisy second "
               "moments; squared loss.",
               of_moments<target_statistics, kNoisy>}
        .only(loss::Kind::squared),
    MethodSpec{"ada_ssp", "The same with a ridge that grows with the noise.",
               of_moments<fit_adaptive_ridge, kNoisy>}
        .only(loss::Kind::squared),
    MethodSpec{"public_ssp", "joint_ssp, clipped after whitening by the public second moments.",
               of_moments<target_statistics, kWhitened>}
        .only(loss::Kind::squared),
    MethodSpec{"pooled_ssp", "joint_ssp with the source, of weight alpha.",
               of_moments<pooled_statistics, kDefinite>}
        .only(loss::Kind::squared),
    MethodSpec{"private_dm",
               "Discrepancy minimization for noisy second moments of the target: a fit of the "
               "weighted source.",
               of_moments<private_dm>, Weighted::target},
    MethodSpec{"private_coral",
               "Correlation alignment to noisy second moments of the target; squared loss.",
               private_coral}
        .only(loss::Kind::squared),
    MethodSpec{"noisy_sgd",
               "Noisy minibatch gradient descent on the target alone, in batches drawn at random.",
               noisy_sgd, Weighted::source},
};

void check_loss(const MethodSpec &method, const Settings &settings) {
    if (!method.loss || settings.loss.kind == *method.loss) return;
    throw Error(DPA_E_OPTION, std::string("baseline ") + method.name +
                                  " needs loss = " + loss::spec(*method.loss).word);
}

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
    check_loss(method, settings);
    return method.solve(problem, settings, control);
}

std::unique_ptr<PrivateBaseline> prepare_private(const MethodSpec &method, const Sample &source,
                                                 const Sample &target, const Settings &settings,
                                                 Control &control) {
    if (method.prepare == nullptr) throw Error(DPA_E_INTERNAL, "this method protects nobody");
    check_loss(method, settings);
    return method.prepare(source, target, settings, control);
}

}  // namespace dpadapt::baseline
