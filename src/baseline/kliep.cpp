#include "baseline/kliep.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "baseline/mixture.hpp"

namespace dpadapt::baseline {
namespace {

struct Likelihoods {
    const Points &source;
    std::size_t centers;
    std::uint64_t seed;
    Limits limits;
    Control &control;

    [[nodiscard]] RatioFit fit(const Points &target, double gamma) const {
        constexpr double kLeastMean = 1e-300;
        Points all = draw_centers(target, centers, seed);
        const arma::vec share = source.count / arma::accu(source.count);
        const arma::vec means = kernel_sums(all, source, share, gamma, limits.threads);
        const arma::uvec kept = arma::find(means >= kLeastMean);
        if (kept.is_empty()) throw no_overlap();
        RatioFit fit;
        fit.ratio.centers = all.subset(kept);
        fit.ratio.gamma = gamma;
        const arma::vec mean = means.elem(kept);
        arma::mat p = kernel_matrix(target, fit.ratio.centers, gamma, limits.threads);
        p.each_row() /= mean.t();
        if (!(arma::min(arma::max(p, 1)) > 0.0)) throw no_overlap();
        const Mixture mixture =
            maximize_likelihood(p, target.count / arma::accu(target.count), limits, control);
        fit.ratio.coefficients = mixture.shares / mean;
        fit.weights.objective = mixture.value;
        fit.weights.duality_gap = mixture.gap;
        fit.weights.iterations = mixture.iterations;
        fit.weights.termination = mixture.termination;
        return fit;
    }

    [[nodiscard]] static Error no_overlap() {
        return {DPA_E_NUMERICAL,
                "no overlap: the kernel joins some target row to no source row through the "
                "centers; a smaller gamma reaches further"};
    }
};

/** Mean log w of the held-out target rows, -infinity where it is not defined. */
double held_out(const Likelihoods &likelihoods, const Points &target, double gamma) {
    constexpr std::size_t kFolds = 5;
    SplitMix64 random(likelihoods.seed);
    const auto order = random.draw(target.size(), target.size());
    const std::size_t folds = std::min(kFolds, target.size());
    double sum = 0.0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<arma::uword> in;
        std::vector<arma::uword> out;
        for (std::size_t i = 0; i < order.size(); ++i)
            (i % folds == fold ? out : in).push_back(order[i]);
        const Points rest = target.subset(arma::sort(arma::uvec(in)));
        const Points held = target.subset(arma::sort(arma::uvec(out)));
        try {
            const DensityRatio ratio = likelihoods.fit(rest, gamma).ratio;
            const arma::vec w = kernel_sums(held, ratio.centers, ratio.coefficients, gamma,
                                            likelihoods.limits.threads);
            sum += arma::dot(held.count, arma::log(w));
        } catch (const Error &error) {
            if (error.status() != DPA_E_NUMERICAL) throw;
            return -std::numeric_limits<double>::infinity();
        }
    }
    return sum / arma::accu(target.count);
}

double select_gamma(Likelihoods likelihoods, const PointPair &points) {
    constexpr double kEnough = 1e-4;  // of a mean log-likelihood that is to be compared
    likelihoods.limits.tolerance = std::max(likelihoods.limits.tolerance, kEnough);
    double best = default_gamma(points);
    double highest = -std::numeric_limits<double>::infinity();
    if (points.target.size() == 1) return best;
    for (const double gamma : gamma_grid(points)) {
        const double value = held_out(likelihoods, points.target, gamma);
        if (!(value > highest)) continue;
        highest = value;
        best = gamma;
    }
    return best;
}

}  // namespace

RatioFit kliep(const PreparedSample &source, const PreparedSample &target,
               const LikelihoodOptions &options, const Limits &limits, Control &control) {
    if (options.gamma) check_gamma(*options.gamma);
    const PointPair points = point_pair(source, target);
    const Likelihoods likelihoods{points.source, options.centers, options.seed, limits, control};
    const double gamma = options.gamma ? *options.gamma : select_gamma(likelihoods, points);
    RatioFit fit = likelihoods.fit(points.target, gamma);
    fit.ratio.origin = points.origin;
    fit.weights.q = source_weights(points.source, fit.ratio, limits.threads);
    return fit;
}

}  // namespace dpadapt::baseline
