#include "baseline/method.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "baseline/best_effort.hpp"
#include "baseline/discrepancy_minimization.hpp"
#include "baseline/gap_boost.hpp"
#include "baseline/kliep.hpp"
#include "baseline/kmm.hpp"
#include "baseline/noisy_descent.hpp"
#include "baseline/private_dm.hpp"
#include "baseline/sufficient_statistics.hpp"
#include "baseline/ulsif.hpp"

namespace dpadapt::baseline {
namespace {

constexpr std::array kMethods{
    MethodSpec{"source_only", "The loss of the source alone.", false},
    MethodSpec{"target_only", "The loss of the target alone.", false},
    MethodSpec{"pooled", "Both samples, the source with weight alpha.", false},
    MethodSpec{"kmm", "Kernel mean matching: a fit of the weighted source.", false},
    MethodSpec{"kliep",
               "Density ratio by the Kullback-Leibler divergence: a fit of the weighted source.",
               false},
    MethodSpec{"ulsif", "Density ratio by least squares: a fit of the weighted source.", false},
    MethodSpec{"rulsif", "Relative density ratio by least squares: a fit of the weighted source.",
               false},
    MethodSpec{"dm", "Discrepancy minimization: a fit of the weighted source.", false},
    MethodSpec{"best", "Best-effort adaptation: the general form from several starts.", false},
    MethodSpec{"gapboost", "Boosting with weights by the gap between the domains; logistic loss.",
               false},
    MethodSpec{"joint_ssp",
               "Sufficient-statistics perturbation: the target alone, from its noisy second "
               "moments; squared loss.",
               true},
    MethodSpec{"ada_ssp", "The same with a ridge that grows with the noise.", true},
    MethodSpec{"public_ssp", "joint_ssp, clipped after whitening by the public second moments.",
               true},
    MethodSpec{"pooled_ssp", "joint_ssp with the source, of weight alpha.", true},
    MethodSpec{"private_dm",
               "Discrepancy minimization for noisy second moments of the target: a fit of the "
               "weighted source.",
               true},
    MethodSpec{
        "noisy_sgd",
        "Noisy minibatch gradient descent on the target alone, in epochs of disjoint batches.",
        true},
};

std::vector<double> uniform(std::size_t rows, double share) {
    return std::vector<double>(rows, share / static_cast<double>(rows));
}

Limits limits(const Settings &settings) {
    constexpr double kTolerance = 1e-6;
    return {std::max(settings.tolerance, kTolerance), settings.iterations.value_or(0),
            settings.threads};
}

Weights find_weights(std::string_view name, const PreparedProblem &problem,
                     const Settings &settings, Control &control) {
    const BaselineSettings &options = settings.baseline;
    const std::uint64_t seed = settings.loss.start_seed;
    const PreparedSample &source = problem.source();
    const PreparedSample &target = problem.target();
    if (name == "kmm")
        return kernel_mean_matching(
            source, target, {options.kernel_gamma, options.weight_bound, options.sum_tolerance},
            limits(settings), control);
    if (name == "kliep")
        return kliep(source, target, {options.kernel_gamma, options.centers, seed},
                     limits(settings), control)
            .weights;
    if (name == "dm")
        return minimize_discrepancy(source, target.moments().second, limits(settings), control);
    return ulsif(source, target,
                 {options.kernel_gamma, options.ratio_penalty,
                  name == "rulsif" ? options.relative_alpha : 0.0, options.centers, seed},
                 limits(settings), control)
        .weights;
}

}  // namespace

std::span<const MethodSpec> methods() { return kMethods; }

const MethodSpec &find_method(std::string_view name) {
    for (const MethodSpec &method : kMethods)
        if (method.name == name) return method;
    throw Error(DPA_E_OPTION_NAME, "there is no baseline " + quoted(name));
}

Solution solve_without_privacy(const MethodSpec &method, const PreparedProblem &problem,
                               const Settings &settings, Control &control) {
    const std::string_view name = method.name;
    const std::size_t m = problem.source().rows();
    const std::size_t n = problem.target().rows();
    if (name == "source_only") return fit_weighted(problem, uniform(m, 1.0), {}, settings, control);
    if (name == "target_only") return fit_weighted(problem, {}, uniform(n, 1.0), settings, control);
    if (name == "pooled") {
        const double alpha = problem.hyperparameters().alpha;
        return fit_weighted(problem, uniform(m, alpha), uniform(n, 1.0 - alpha), settings, control);
    }
    if (name == "best") return best_effort(problem, settings, control);
    if (name == "gapboost") return gap_boost(problem, settings, control);
    Solution solution =
        fit_source(problem.public_sample(), problem.hyperparameters(),
                   find_weights(name, problem, settings, control), settings, control);
    solution.target_rows = n;
    solution.target_weights.assign(n, 0.0);
    return solution;
}

std::unique_ptr<PrivateBaseline> prepare_private(const MethodSpec &method, const Sample &source,
                                                 const Sample &target, const Settings &settings,
                                                 Control &control) {
    const std::string_view name = method.name;
    if (name == "noisy_sgd")
        return std::make_unique<NoisyDescent>(source, target, settings, control);
    const bool labels = name != "private_dm";
    if (labels && settings.loss.kind != loss::Kind::squared)
        throw Error(DPA_E_OPTION, "baseline " + std::string(name) + " needs loss = squared");
    const bool pooled = name == "pooled_ssp";
    const bool whitened = name == "public_ssp";
    FromMoments finish = [pooled](const PrivateMoments &call, const Moments &target_moments) {
        return fit_sufficient_statistics(call, target_moments, pooled ? call.facts().alpha : 0.0);
    };
    if (name == "ada_ssp") finish = fit_adaptive_ridge;
    if (name == "private_dm")
        finish = [](const PrivateMoments &call, const Moments &target_moments) {
            return fit_private_dm(call, target_moments, limits(call.settings()));
        };
    // Without the negative eigenvalues errors are smaller where the source or its metric has a
    // part, and larger where not.
    return std::make_unique<PrivateMoments>(source, target, settings,
                                            WantedMoments{labels, whitened, pooled || whitened},
                                            std::move(finish), control);
}

}  // namespace dpadapt::baseline
