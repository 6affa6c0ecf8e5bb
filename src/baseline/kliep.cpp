#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "baseline/box_program.hpp"
#include "baseline/weight_methods.hpp"

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
        fit.weights = mixture.certificate;
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
    const PointPair points = point_pair(source, target);
    const Likelihoods likelihoods{points.source, options.centers, options.seed, limits, control};
    const double gamma = options.gamma ? *options.gamma : select_gamma(likelihoods, points);
    RatioFit fit = likelihoods.fit(points.target, gamma);
    fit.weights.q = source_weights(points.source, fit.ratio, limits.threads);
    return fit;
}

namespace {

constexpr std::int64_t kFirst = 50;  // steps of expectation maximization, which get near

class Likelihood {
  public:
    Likelihood(const arma::mat &p, const arma::vec &weight) : p_(p), weight_(weight) {}

    [[nodiscard]] double value(const arma::vec &shares) const {
        return arma::dot(weight_, arma::log(p_ * shares));
    }

    [[nodiscard]] arma::vec slopes(const arma::vec &shares) const {
        return p_.t() * (weight_ / (p_ * shares));
    }

    /** The Newton step for sum shares - value, which is least where the sum is 1. */
    [[nodiscard]] arma::vec newton(const arma::vec &shares, double gap, Control &control) const {
        const arma::vec density = p_ * shares;
        const arma::mat scaled = p_.each_col() % (arma::sqrt(weight_) / density);
        const arma::mat curvature = scaled.t() * scaled;
        // The slopes are curvature * shares, so the linear term of the model is 2 slopes - 1.
        const arma::vec linear = 2.0 * slopes(shares) - 1.0;
        const auto parts = static_cast<double>(shares.n_elem);
        const BandedBox box{arma::vec(shares.n_elem, arma::fill::value(2.0)), 0.0, 2.0 * parts};
        arma::vec x = shares;
        if (!move_inside(box, x)) return shares;
        return minimize_quadratic(box, curvature, linear, x, gap, 1, control).x;
    }

    /** The first of shares + t (other - shares), t = 1, 1/2, .., that is better after scaling to
     *  sum 1. */
    [[nodiscard]] arma::vec search(const arma::vec &shares, const arma::vec &other) const {
        const double before = value(shares);
        constexpr int kHalvings = 30;
        for (int halving = 0; halving < kHalvings; ++halving) {
            const double t = std::ldexp(1.0, -halving);
            const arma::vec next = shares + t * (other - shares);
            const double sum = arma::accu(next);
            if (sum > 0.0 && value(next / sum) > before) return next / sum;
        }
        return shares;
    }

  private:
    const arma::mat &p_;
    const arma::vec &weight_;
};

}  // namespace

Mixture maximize_likelihood(const arma::mat &p, const arma::vec &weight, const Limits &limits,
                            Control &control) {
    const Likelihood likelihood(p, weight);
    Mixture mixture;
    mixture.shares = arma::vec(p.n_cols, arma::fill::value(1.0 / static_cast<double>(p.n_cols)));
    Weights &found = mixture.certificate;
    const auto limit = static_cast<std::int64_t>(limits.iterations > 0 ? limits.iterations : 1000);
    for (;; ++found.iterations) {
        const arma::vec slopes = likelihood.slopes(mixture.shares);
        found.objective = likelihood.value(mixture.shares);
        found.duality_gap = std::max(0.0, arma::max(slopes) - 1.0);
        control.report({"likelihood", found.iterations, limit, found.objective, found.duality_gap});
        if (found.duality_gap <= limits.tolerance) break;
        if (found.iterations >= limit) {
            found.termination = Termination::iterations;
            break;
        }
        if (found.iterations < kFirst) {
            mixture.shares %= slopes;
            mixture.shares /= arma::accu(mixture.shares);
            continue;
        }
        constexpr double kInexact = 1e-3;
        const arma::vec other =
            likelihood.newton(mixture.shares, kInexact * found.duality_gap, control);
        const arma::vec next = likelihood.search(mixture.shares, other);
        if (arma::approx_equal(next, mixture.shares, "absdiff", 0.0)) {
            found.termination = Termination::precision;
            break;
        }
        mixture.shares = next;
    }
    return mixture;
}

}  // namespace dpadapt::baseline
