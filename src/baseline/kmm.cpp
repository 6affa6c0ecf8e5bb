#include "baseline/kmm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "baseline/box_program.hpp"
#include "baseline/kernel.hpp"

namespace dpadapt::baseline {
namespace {

/** Totals of the source points, each at most B times its records, with their certificate. */
struct Iterate {
    arma::vec b;
    arma::vec gradient;
    double objective = 0.0;
    double gap = 0.0;
    double nu = 0.0;    ///< multiplier of the sum
    arma::vec settled;  ///< b with those at a bound that seem to belong there
};

class Matching {
  public:
    Matching(const PointPair &points, double gamma, BandedBox box, std::size_t threads,
             Control &control)
        : source_(points.source),
          gamma_(gamma),
          box_(std::move(box)),
          threads_(threads),
          control_(control) {
        const double scale = source_.records() / points.target.records();
        kappa_ = kernel_sums(source_, points.target, scale * points.target.count, gamma, threads);
        if (!(arma::max(kappa_) > 0.0))
            throw Error(DPA_E_NUMERICAL,
                        "no overlap: no source row is within the kernel's reach of a target row; "
                        "a smaller gamma reaches further");
    }

    /** The same weight for every record: the solution where both samples are the same. */
    [[nodiscard]] Iterate uniform() const { return evaluate(source_.count); }

    /** As few points as the sum needs, those nearest to the target. */
    [[nodiscard]] Iterate nearest() const {
        return evaluate(minimize_linear({box_.upper, box_.least, box_.least}, -kappa_).v);
    }

    /** Points inside their bounds, and at most `more` of those that want to leave theirs. */
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
        leaving.resize(std::min(more, leaving.size()));
        for (const auto &[slope, i] : leaving) set.push_back(i);
        return arma::sort(arma::uvec(set));
    }

    /** The minimum over a set of points, the others held; then over those of them alone that seem
     *  to be inside their bounds, if this gives away little of what was gained. */
    [[nodiscard]] Iterate improve(const Iterate &at, const arma::uvec &set, double gap,
                                  std::size_t &iterations) const {
        Iterate next = minimize(at.b, at.gradient, set, gap, iterations);
        if (next.b.is_empty()) return at;
        const arma::uvec inside = arma::find(next.settled > 0.0 && next.settled < box_.upper);
        if (inside.is_empty() || 10 * inside.n_elem > 9 * set.n_elem) return next;
        Iterate sparse = minimize(next.settled, gradient(next.settled), inside, gap, iterations);
        constexpr double kLittle = 0.1;
        const double gained = at.objective - next.objective;
        const bool keep =
            !sparse.b.is_empty() && sparse.objective - next.objective < kLittle * gained;
        return keep ? std::move(sparse) : std::move(next);
    }

  private:
    [[nodiscard]] arma::vec gradient(const arma::vec &b) const {
        const arma::uvec used = arma::find(b > 0.0);
        return kernel_sums(source_, source_.subset(used), b.elem(used), gamma_, threads_) - kappa_;
    }

    [[nodiscard]] Iterate evaluate(const arma::vec &b) const {
        Iterate at{b, gradient(b)};
        at.objective = 0.5 * arma::dot(b, at.gradient - kappa_);
        const LinearMinimum lowest = minimize_linear(box_, at.gradient);
        at.gap = std::max(0.0, arma::dot(at.gradient, b - lowest.v));
        at.nu = lowest.nu;
        return at;
    }

    /** The minimum over a set of points, from b with its gradient; nothing if the set leaves no
     *  room. */
    [[nodiscard]] Iterate minimize(arma::vec b, const arma::vec &gradient, const arma::uvec &set,
                                   double gap, std::size_t &iterations) const {
        arma::vec x = b.elem(set);
        const double held = arma::accu(b) - arma::accu(x);
        const BandedBox box{box_.upper.elem(set), box_.least - held, box_.most - held};
        const Points points = source_.subset(set);
        const arma::mat k = kernel_matrix(points, points, gamma_, threads_);
        const arma::vec linear = k * x - gradient.elem(set);
        if (!move_inside(box, x)) return {};
        const BoxMinimum minimum = minimize_quadratic(box, k, linear, x, gap, threads_, control_);
        iterations += minimum.iterations;
        arma::vec settled = b;
        settled.elem(set) = minimum.settled;
        b.elem(set) = minimum.x;
        Iterate at = evaluate(b);
        at.nu = minimum.nu;
        at.settled = std::move(settled);
        return at;
    }

    const Points &source_;
    double gamma_;
    BandedBox box_;
    std::size_t threads_;
    Control &control_;
    arma::vec kappa_;
};

/** Rounds of working sets until the gap is closed. */
Weights solve(const Matching &matching, Iterate at, std::size_t more, const Limits &limits,
              Control &control) {
    constexpr int kMostStalls = 10;
    constexpr double kInexact = 0.005;  // of the gap, left open by a round
    constexpr double kSpare = 0.2;      // of the tolerance
    const std::size_t most = limits.iterations > 0 ? limits.iterations : 10000;
    std::size_t iterations = 0;
    double least_gap = std::numeric_limits<double>::infinity();
    Weights weights;
    for (int stalls = 0; at.gap > limits.tolerance * std::abs(at.objective);) {
        control.report({"matching", static_cast<std::int64_t>(iterations),
                        static_cast<std::int64_t>(most), at.objective, at.gap});
        stalls = at.gap < least_gap ? 0 : stalls + 1;
        least_gap = std::min(least_gap, at.gap);
        if (iterations >= most || stalls > kMostStalls) {
            weights.termination =
                iterations >= most ? Termination::iterations : Termination::precision;
            break;
        }
        const double gap =
            std::max(kInexact * at.gap, kSpare * limits.tolerance * std::abs(at.objective));
        // A set without room, or without effect, needs more points.
        at = matching.improve(at, matching.working_set(at, more << stalls), gap, iterations);
    }
    weights.q.assign(at.b.begin(), at.b.end());
    weights.objective = at.objective;
    weights.duality_gap = at.gap;
    weights.iterations = static_cast<std::int64_t>(iterations);
    return weights;
}

/** The bounds of the points' totals; throws when they exclude everything. */
BandedBox bounds(const MatchingOptions &options, const Points &source) {
    const double m = source.records();
    const double epsilon = options.sum_tolerance.value_or((std::sqrt(m) - 1.0) / std::sqrt(m));
    if (!(options.weight_bound > 0.0) || !std::isfinite(options.weight_bound))
        throw Error(DPA_E_OPTION, "the bound of a weight must be positive");
    if (!(epsilon >= 0.0) || !std::isfinite(epsilon))
        throw Error(DPA_E_OPTION, "the tolerance of the sum of weights must not be negative");
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
    if (options.gamma) check_gamma(*options.gamma);
    const PointPair points = point_pair(source, target);
    const BandedBox box = bounds(options, points.source);
    const double gamma = options.gamma ? *options.gamma : default_gamma(points);
    const Matching matching(points, gamma, box, limits.threads, control);
    Iterate start;
    if (options.weight_bound >= 1.0) start = matching.uniform();
    if (start.b.is_empty() || start.gap > limits.tolerance * std::abs(start.objective))
        start = matching.nearest();
    constexpr std::size_t kLeastPoints = 300;  // points by which the working set grows
    constexpr std::size_t kShare = 16;
    const std::size_t more = std::max(kLeastPoints, points.source.size() / kShare);
    Weights weights = solve(matching, std::move(start), more, limits, control);
    weights.q = record_weights(points.source, arma::vec(weights.q));
    return weights;
}

}  // namespace dpadapt::baseline
