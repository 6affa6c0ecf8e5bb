#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "baseline/hull_projection.hpp"
#include "baseline/kernel.hpp"
#include "baseline/spectral_interior.hpp"
#include "baseline/weight_methods.hpp"

namespace dpadapt::baseline {
namespace {

using arma::mat;
using arma::uvec;
using arma::vec;

constexpr std::size_t kNewtonSteps = 2000;
constexpr arma::uword kFirstRows = 300;    // of the working set
constexpr arma::uword kNewRows = 200;      // at most, in a round; or a quarter of the set
constexpr arma::uword kLargestSet = 4096;  // a square of that order is held in memory
constexpr double kRoundShare = 0.03;  // of the gap over all rows that a round leaves in its set
constexpr double kFinalShare = 1e-3;  // of tau/2 ||q||^2 that may be missing at the end

/** The scale of the problem: no smaller than the norm of the target, nor than the minimum. */
double unit_of(const DistinctRows &rows, const mat &target) {
    const double shortest = arma::sum(arma::square(rows.columns), 0).min();
    const double unit = std::max(arma::norm(target, 2), shortest);
    return unit > 0.0 ? unit : 1.0;
}

/** Without the weights that interior points leave where the optimum has none, which change the norm
 *  by a tenth of `tolerance` at most: they would decide a fit where no other row does. */
vec without_dust(const DistinctRows &rows, vec q, double tolerance) {
    constexpr double kShare = 0.1;  // docs/defaults.md
    const double largest = arma::sum(arma::square(rows.columns), 0).max();
    const double least = kShare * tolerance / static_cast<double>(q.n_elem);
    if (q.max() * largest > least) q.elem(arma::find(q * largest <= least)).zeros();
    return q / arma::accu(q);
}

[[noreturn]] void fail() {
    throw Error(DPA_E_NUMERICAL, "the second moments overflow, or are too far apart");
}

/** What the dual matrix of a working set says about all rows. */
struct Pricing {
    vec forms;            ///< z_k'S z_k
    double lower = 0.0;   ///< bound of ||M(q)||_2
    double excess = 0.0;  ///< by which the dual value over all rows is below that over the set
};

/** The program over a working set of rows, which grows by the rows whose weights want to be
 *  positive: the solution has few. In units where the scale of the problem is 1. */
class WorkingSet {
  public:
    WorkingSet(const DistinctRows &rows, const mat &target, const Limits &limits, Control &control)
        : copies_(rows.count),
          unit_(unit_of(rows, target)),
          z_(rows.columns / std::sqrt(unit_)),
          target_(target / unit_),
          tolerance_(limits.tolerance),
          tau_(0.5 * limits.tolerance),
          threads_(limits.threads),
          limit_(
              static_cast<std::int64_t>(limits.iterations > 0 ? limits.iterations : kNewtonSteps)),
          control_(control) {
        choose(evenly_drawn(z_.n_cols, kFirstRows));
        const vec start = copies_.elem(set_);
        point_ = program().start(start / arma::accu(start));
    }

    Termination solve(std::int64_t &iterations) {
        double goal = kRoundShare;
        for (;;) {
            control_.report({"discrepancy minimization", iterations, limit_, unit_ * point_.t});
            const double gap = approach(goal, iterations);
            const Pricing pricing = price();
            lower_ = std::max(lower_, pricing.lower);
            const double bracket = arma::norm(program().residual(point_.q), 2) - lower_;
            const double all = gap + pricing.excess;
            // No comparison with NaN would ever end this.
            if (std::isnan(all) || !std::isfinite(bracket)) fail();
            const double enough = 0.5 * kFinalShare * arma::dot(cost_, arma::square(point_.q));
            const bool certified = bracket <= tolerance_;
            const uvec set = next_set(pricing.forms, certified ? 1.0 : std::min(bracket, all));
            const bool stuck = gap > goal && (certified || pricing.excess <= enough);
            if (all <= enough || stuck || iterations >= limit_ || set.n_elem > kLargestSet) {
                if (certified) return Termination::converged;
                return gap > goal && iterations < limit_ ? Termination::precision
                                                         : Termination::iterations;
            }
            goal = std::max(kRoundShare * std::min(bracket, all), 0.5 * enough);
            if (pricing.excess > 0.0) move_to(set, std::min(bracket, all));
        }
    }

    /** Weights of the distinct rows. */
    [[nodiscard]] vec weights() const {
        vec q(z_.n_cols, arma::fill::zeros);
        q.elem(set_) = point_.q / arma::accu(point_.q);
        return q;
    }

    /** The largest lower bound found of the norm. */
    [[nodiscard]] double lower() const { return unit_ * lower_; }

  private:
    [[nodiscard]] SpectralProgram program() const { return {target_, columns_, cost_, threads_}; }

    void choose(const uvec &set) {
        set_ = set;
        columns_ = z_.cols(set_);
        cost_ = tau_ / copies_.elem(set_);
    }

    /** Newton steps to the goal, as long as they help; the gap that is left. */
    double approach(double goal, std::int64_t &iterations) {
        constexpr int kPatience = 12;
        const SpectralProgram over_set = program();
        double gap = over_set.gap(point_);
        double least = gap;
        int idle = 0;
        while (gap > goal && iterations < limit_ && idle < kPatience) {
            control_.report(
                {"discrepancy minimization", iterations, limit_, unit_ * point_.t, unit_ * gap});
            if (!over_set.advance(point_)) break;
            ++iterations;
            gap = over_set.gap(point_);
            idle = gap < 0.9 * least ? 0 : idle + 1;
            least = std::min(least, gap);
        }
        return gap;
    }

    [[nodiscard]] Pricing price() const {
        const mat s = point_.dual();
        Pricing pricing;
        pricing.forms = quadratic_forms(z_, s, threads_);
        const double bound = arma::accu(s % target_) - pricing.forms.max();
        if (bound > 0.0) pricing.lower = bound / arma::accu(arma::abs(arma::eig_sym(s)));
        const vec above = arma::clamp(pricing.forms - point_.nu, 0.0, arma::datum::inf);
        const vec missed = copies_ % arma::square(above);
        pricing.excess = (arma::accu(missed) - arma::accu(missed.elem(set_))) / (2.0 * tau_);
        return pricing;
    }

    /** The set without the rows that are far from positive weights, then those outside that are
     *  closest to them. */
    [[nodiscard]] uvec next_set(const vec &forms, double gap) const {
        const uvec kept = arma::find(point_.q > 1e-5 * point_.q.max() ||
                                     point_.nu - forms.elem(set_) < 3.0 * gap);
        vec wanted = forms - point_.nu;
        wanted.elem(set_).zeros();
        const uvec order = arma::stable_sort_index(wanted, "descend");
        const arma::uword most = std::max(kNewRows, set_.n_elem / 4);
        const uvec positive = arma::find(wanted > 0.0);
        return arma::join_cols(set_.elem(kept), order.head(std::min(most, positive.n_elem)));
    }

    /** Changes the set and moves inside both programs, by about `gap` in value. */
    void move_to(const uvec &set, double gap) {
        constexpr double kLargestShare = 0.02;  // of the weight, to the new rows
        constexpr double kLeastBlend = 0.05;    // of the dual matrices, to their center
        const mat before = program().residual(point_.q);
        const double overshoot = std::max(0.0, point_.t - arma::norm(before, 2));
        vec old = weights().elem(set);
        old /= arma::accu(old);
        vec fresh = arma::conv_to<vec>::from(old == 0.0);
        fresh /= std::max(1.0, arma::accu(fresh));
        choose(set);
        const double change = arma::norm(second_moment(columns_, fresh - old), 2);
        const double share = std::min(kLargestShare, gap / change);
        point_.q = (1.0 - share) * old + share * fresh;
        point_.q /= arma::accu(point_.q);
        point_.t = arma::norm(program().residual(point_.q), 2) + overshoot + 0.1 * gap;
        // The dual value of the center is 0, t from the optimum at most: rows that need more than
        // that cost more than keeping S.
        const double violation =
            std::max(0.0, quadratic_forms(columns_, point_.dual(), threads_).max() - point_.nu);
        const double blend =
            std::max(std::min(kLeastBlend, gap / point_.t), violation / (violation + point_.t));
        for (mat &s : point_.s) {
            s *= 1.0 - blend;
            s.diag() += 0.5 * blend / static_cast<double>(s.n_rows);
        }
        const vec forms = quadratic_forms(columns_, point_.dual(), threads_);
        point_.nu =
            std::max((1.0 - blend) * point_.nu, (forms - cost_ % point_.q).max()) + 0.1 * gap;
    }

    const vec &copies_;
    double unit_;
    mat z_;
    mat target_;
    double tolerance_;
    double tau_;
    std::size_t threads_;
    std::int64_t limit_;
    Control &control_;
    uvec set_;
    mat columns_;
    vec cost_;  ///< of the squared weights: tau / copies
    InteriorPoint point_;
    double lower_ = 0.0;
};

}  // namespace

Weights minimize_discrepancy(const PreparedSample &source, const arma::mat &target_second,
                             const Limits &limits, Control &control) {
    mat all;
    source.fill(0, source.rows(), all);
    const DistinctRows rows(all);
    if (!std::isfinite(arma::accu(arma::square(rows.columns))) || !target_second.is_finite())
        fail();
    const auto norm = [&](const vec &q) {
        return arma::norm(target_second - second_moment(rows.columns, q), 2);
    };
    Weights result;
    vec q(rows.size(), arma::fill::zeros);
    double lower = 0.0;
    if (const auto exact =
            project_on_hull(rows, target_second, limits.threads, control, result.iterations))
        q = *exact / arma::accu(*exact);
    if (!q.is_zero() && norm(q) <= limits.tolerance * unit_of(rows, target_second)) {
        result.termination = Termination::converged;
    } else {
        WorkingSet set(rows, target_second, limits, control);
        result.termination = set.solve(result.iterations);
        q = without_dust(rows, set.weights(), limits.tolerance * unit_of(rows, target_second));
        lower = set.lower();
    }
    result.q = rows.spread(q);
    result.objective = norm(q);
    result.duality_gap = std::max(0.0, result.objective - lower);
    return result;
}

}  // namespace dpadapt::baseline
