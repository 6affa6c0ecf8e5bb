#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "baseline/box_program.hpp"
#include "baseline/kernel.hpp"
#include "baseline/weight_methods.hpp"

namespace dpadapt::baseline {
namespace {

/** Totals of the source points, each at most B times its records, with their certificate. */
struct Iterate {
    arma::vec b;
    arma::vec gradient;
    double objective = 0.0;
    double gap = 0.0;
    double nu = 0.0;  ///< multiplier of the sum
};

class Matching {
  public:
    Matching(const PointPair &points, double gamma, BandedBox box, const Limits &limits,
             Control &control)
        : source_(points.source),
          gamma_(gamma),
          box_(std::move(box)),
          threads_(limits.threads),
          control_(control) {
        const double scale = source_.records() / points.target.records();
        kappa_ = kernel_sums(source_, points.target, scale * points.target.count, gamma, threads_);
        if (!(arma::max(kappa_) > 0.0))
            throw Error(DPA_E_NUMERICAL,
                        "no overlap: no source row is within the kernel's reach of a target row; "
                        "a smaller gamma reaches further");
        constexpr double kRidge = 0.01;
        constexpr double kLeastRidge = 1e-14;  // of the kernel's trace: above its rounding
        ridge_ = std::max(kRidge * limits.tolerance * arma::mean(kappa_),
                          kLeastRidge * static_cast<double>(source_.size()));
    }

    /** The same weight for every record: the solution where both samples are the same; nothing if a
     *  few points tell that it is none. */
    [[nodiscard]] Iterate uniform() const {
        constexpr std::size_t kPoints = 256;
        constexpr double kEven = 1e-3;  // of kappa
        const arma::uvec some = evenly_drawn(source_.size(), kPoints);
        const arma::vec slopes =
            kernel_sums(source_.subset(some), source_, source_.count, gamma_, threads_) -
            kappa_.elem(some);
        const double spread = arma::mean(arma::abs(slopes - arma::mean(slopes)));
        if (spread > kEven * arma::mean(kappa_)) return {};
        return evaluate(source_.count);
    }

    /** The same weight for so many points evenly drawn; where the bounds forbid it, as few points
     *  as the sum needs, those nearest to the target. */
    [[nodiscard]] Iterate thin(std::size_t points) const {
        const arma::uvec which = evenly_drawn(source_.size(), points);
        const double share = source_.records() / static_cast<double>(which.n_elem);
        if (!arma::all(box_.upper.elem(which) > share))
            return evaluate(minimize_linear({box_.upper, box_.least, box_.least}, -kappa_).v);
        arma::vec b(source_.size(), arma::fill::zeros);
        b.elem(which).fill(share);
        return evaluate(b);
    }

    /** Points inside their bounds, and of those that want to leave theirs `more`, or half as many
     *  as have a weight if that is more. */
    [[nodiscard]] arma::uvec working_set(const Iterate &at, std::size_t more) const {
        std::vector<arma::uword> set;
        std::vector<std::pair<double, arma::uword>> leaving;
        for (arma::uword i = 0; i < at.b.n_elem; ++i) {
            const double slope = at.gradient(i) + at.nu;
            if (at.b(i) > 0.0 && at.b(i) < box_.upper(i))
                set.push_back(i);
            else if (at.b(i) > 0.0 ? slope > 0.0 : slope < 0.0)
                leaving.emplace_back(-std::abs(slope), i);
        }
        std::sort(leaving.begin(), leaving.end());
        const arma::uvec weighted = arma::find(at.b > 0.0);
        more = std::max<std::size_t>(more, weighted.n_elem / 2);
        leaving.resize(std::min(more, leaving.size()));
        for (const auto &[slope, i] : leaving) set.push_back(i);
        return arma::sort(arma::uvec(set));
    }

    /** The minimum over a set of points, the others fixed, to `times` the least gap wanted; `at` if
     *  the set leaves no room. By the active set method with stiffer and stiffer ridges; if it does
     *  not end, by the interior point method. */
    [[nodiscard]] Iterate improve(const Iterate &at, const arma::uvec &set, double gap,
                                  double times, Progress &progress) {
        arma::vec x = at.b.elem(set);
        const double held = arma::accu(at.b) - arma::accu(x);
        const BandedBox box{box_.upper.elem(set), box_.least - held, box_.most - held};
        const Points points = source_.subset(set);
        const arma::mat k = kernel_matrix(points, points, gamma_, threads_);
        const arma::vec linear = k * x - at.gradient.elem(set);
        ProximalStart start{x, at.nu, 0.0, kSlope * gap / box_.most};
        if (!move_inside(box, x)) return at;
        BoxMinimum minimum;
        for (int attempt = 0; attempt < kAttempts && minimum.x.is_empty(); ++attempt) {
            start.ridge = ridge_ * stiffness_ * std::sqrt(std::min(kMostTimes, times));
            start.steps = std::min(kMostSteps, progress.limit - progress.iteration);
            if (start.steps == 0) return at;
            minimum = minimize_active_set(box, k, linear, start, progress, threads_, control_);
            stiffness_ =
                minimum.x.is_empty() ? kStiffer * stiffness_ : std::max(1.0, stiffness_ / kSofter);
        }
        if (minimum.x.is_empty()) {
            minimum = minimize_quadratic(box, k, linear, x, gap, threads_, control_);
            progress.iteration += static_cast<std::int64_t>(minimum.iterations);
            stiffness_ = 1.0;
        }
        arma::vec b = at.b;
        b.elem(set) = minimum.x;
        Iterate next = evaluate(b);
        next.nu = minimum.nu;
        return next;
    }

  private:
    static constexpr std::int64_t kMostSteps = 15;  // the active set method ends in few, if at all
    static constexpr int kAttempts = 4;
    static constexpr double kStiffer = 100.0;
    static constexpr double kSofter = 10.0;
    static constexpr double kSlope = 0.1;  // of the gap over the sum
    static constexpr double kMostTimes = 1e8;

    [[nodiscard]] Iterate evaluate(const arma::vec &b) const {
        const arma::uvec used = arma::find(b > 0.0);
        Iterate at{b, kernel_sums(source_, source_.subset(used), b.elem(used), gamma_, threads_)};
        at.gradient -= kappa_;
        at.objective = 0.5 * arma::dot(b, at.gradient - kappa_);
        const LinearMinimum lowest = minimize_linear(box_, at.gradient);
        at.gap = std::max(0.0, arma::dot(at.gradient, b - lowest.v));
        at.nu = lowest.nu;
        return at;
    }

    const Points &source_;
    double gamma_;
    BandedBox box_;
    std::size_t threads_;
    Control &control_;
    arma::vec kappa_;
    double ridge_;  ///< of the last rounds, so little that a gap within the tolerance is left
    double stiffness_ = 1.0;  ///< by which ridges are larger, so that the active set method ends
};

/** Rounds of working sets until the gap is closed. */
Weights solve(Matching &matching, const Points &source, Iterate at, std::size_t more,
              const Limits &limits, Control &control) {
    constexpr int kMostStalls = 10;
    constexpr double kInexact = 0.005;  // of the gap, left open by a round
    constexpr double kSpare = 0.2;      // of the tolerance
    const std::size_t most = limits.iterations > 0 ? limits.iterations : 10000;
    Progress progress{"matching", 0, static_cast<std::int64_t>(most)};
    double least_gap = std::numeric_limits<double>::infinity();
    Weights weights;
    for (int stalls = 0; at.gap > limits.tolerance * std::abs(at.objective);) {
        progress.objective = at.objective;
        progress.gap = at.gap;
        control.report(progress);
        stalls = at.gap < least_gap ? 0 : stalls + 1;
        least_gap = std::min(least_gap, at.gap);
        const bool limit = progress.iteration >= progress.limit;
        if (limit || stalls > kMostStalls) {
            weights.termination = limit ? Termination::iterations : Termination::precision;
            break;
        }
        const double least = kSpare * limits.tolerance * std::abs(at.objective);
        const double gap = std::max(kInexact * at.gap, least);
        // A set without room, or without effect, needs more points.
        at = matching.improve(at, matching.working_set(at, more << stalls), gap, gap / least,
                              progress);
    }
    weights.q = record_weights(source, at.b);
    weights.objective = at.objective;
    weights.duality_gap = at.gap;
    weights.iterations = progress.iteration;
    return weights;
}

/** The bounds of the points' totals; throws when they exclude everything. */
BandedBox bounds(const MatchingOptions &options, const Points &source) {
    const double m = source.records();
    const double epsilon = options.sum_tolerance.value_or((std::sqrt(m) - 1.0) / std::sqrt(m));
    if (options.weight_bound < 1.0 - epsilon)
        throw Error(DPA_E_OPTION,
                    "infeasible: weights of at most weight_bound sum to less than "
                    "(1 - sum_tolerance) times the number of source rows");
    return {options.weight_bound * source.count, std::max(0.0, m * (1.0 - epsilon)),
            m * (1.0 + epsilon)};
}

}  // namespace

Weights kernel_mean_matching(const PreparedSample &source, const PreparedSample &target,
                             const MatchingOptions &options, const Limits &limits,
                             Control &control) {
    const PointPair points = point_pair(source, target);
    const BandedBox box = bounds(options, points.source);
    const double gamma = options.gamma ? *options.gamma : default_gamma(points);
    Matching matching(points, gamma, box, limits, control);
    constexpr std::size_t kLeastPoints = 200;  // points by which the working set grows
    constexpr std::size_t kShare = 64;
    const std::size_t more = std::max(kLeastPoints, points.source.size() / kShare);
    Iterate start;
    if (options.weight_bound >= 1.0) start = matching.uniform();
    if (start.b.is_empty() || start.gap > limits.tolerance * std::abs(start.objective))
        start = matching.thin(more);
    return solve(matching, points.source, std::move(start), more, limits, control);
}

}  // namespace dpadapt::baseline
