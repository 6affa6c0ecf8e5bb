#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "baseline/closed_form.hpp"
#include "baseline/predictors.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt::baseline {
namespace {

using arma::mat;
using arma::vec;

/** Zero of a function that falls from f(low) > 0 to f(high) < 0: a secant step, or a bisection
 *  where that did not halve the bracket. The result is the end with f <= 0. */
double falling_zero(const auto &f, double low, double high) {
    double at_low = f(low), at_high = f(high);
    for (int step = 0; step < 200 && high - low > 4e-16 * std::abs(high) && at_high < 0.0; ++step) {
        const double secant = low + (high - low) * at_low / (at_low - at_high);
        const bool halves = step % 3 != 2 && secant > low && secant < high;
        const double x = halves ? secant : 0.5 * (low + high);
        if (x <= low || x >= high) break;
        const double value = f(x);
        (value > 0.0 ? low : high) = x;
        (value > 0.0 ? at_low : at_high) = value;
    }
    return high;
}

/** The program in coordinates v, w = w_0 + K v, in which H'' is the ball ||u|| <= rho and
 *  D = sum_k m_k (v_k - u_k)^2. By Lagrange duality (the S-lemma)
 *
 *      max over u of D = min over t >= max m of  rho^2 t + sum_k v_k^2 m_k t/(t - m_k),
 *      min over u of D = max over s >= 0 of    -rho^2 s + sum_k v_k^2 m_k s/(m_k + s),
 *
 *  so for given t and s the best v solves a linear system. What is left is convex in t and
 *  concave in s. */
class Generalized {
  public:
    Generalized(const mat &a, const vec &center, const mat &target, double rho, double ridge)
        : center_(center), rho_(rho), ridge_(ridge) {
        const linalg::Spectrum ball = linalg::decompose(a);
        const mat root = ball.vectors * arma::diagmat(1.0 / arma::sqrt(ball.values));
        const linalg::Spectrum forms = linalg::decompose(arma::symmatu(root.t() * target * root));
        m_ = arma::clamp(forms.values, 0.0, arma::datum::inf);
        map_ = root * forms.vectors;
        penalty_ = 2.0 * ridge * arma::symmatu(map_.t() * map_);
        slope_ = 2.0 * ridge * map_.t() * center;
        largest_ = m_.max();
    }

    void solve() {
        if (!(ridge_ > 0.0) || !(largest_ > 0.0)) {
            v_.zeros(m_.n_elem);
            t_ = largest_;
            return;
        }
        const auto slack = [&](double log_gap) {
            t_ = largest_ * (1.0 + std::exp(log_gap));
            best_for_t();
            return arma::norm(farthest()) - rho_;
        };
        constexpr double kClosest = -32.0;  // where t - max m is of the size of rounding
        double high = 0.0;
        while (high < 300.0 && slack(high) > 0.0) high += 8.0;
        const double log_gap =
            slack(kClosest) > 0.0 ? falling_zero(slack, kClosest, high) : kClosest;
        slack(log_gap);
    }

    [[nodiscard]] vec predictor() const { return center_ + map_ * v_; }

    /** The objective with the Lagrange bound of the maximum, and a point of H'' in the minimum. */
    [[nodiscard]] double upper() const {
        vec u = nearest();
        u *= std::min(1.0, rho_ / std::max(arma::norm(u), rho_));
        const double most = rho_ * rho_ * t_ + arma::accu(stretched() % arma::square(v_));
        const vec w = predictor();
        return ridge_ * arma::dot(w, w) + 0.5 * (most + arma::accu(m_ % arma::square(v_ - u)));
    }

    /** The least objective when w'' is a random point of H'' with the mean of the farthest one, the
     *  rest of its square along the longest axis, and s stays as it is. */
    [[nodiscard]] double lower() const {
        vec u = farthest();
        u *= std::min(1.0, rho_ / std::max(arma::norm(u), rho_));
        const double rest = std::max(0.0, rho_ * rho_ - arma::dot(u, u));
        const double square = arma::accu(m_ % arma::square(u)) + rest * largest_;
        const double constant =
            ridge_ * arma::dot(center_, center_) + 0.5 * (square - rho_ * rho_ * s_);
        if (!(ridge_ > 0.0)) return constant;
        const vec g = slope_ - m_ % u;
        return constant + 0.5 * arma::dot(g, least(m_ + shrunk(), g));
    }

  private:
    [[nodiscard]] vec below_t() const {
        return arma::clamp(t_ - m_, std::max(1e-16 * t_, 1e-300), arma::datum::inf);
    }
    [[nodiscard]] vec stretched() const { return m_ % (t_ / below_t()); }
    [[nodiscard]] vec shrunk() const {
        return s_ > 0.0 ? vec(m_ % (s_ / (m_ + s_))) : vec(m_.n_elem, arma::fill::zeros);
    }

    /** Of H'' as seen from v. */
    [[nodiscard]] vec farthest() const { return -m_ % v_ / below_t(); }
    [[nodiscard]] vec nearest() const { return s_ > 0.0 ? vec(m_ % v_ / (m_ + s_)) : v_; }

    /** Minimum of 1/2 v'(penalty + diag)v + g.v. */
    [[nodiscard]] vec least(const vec &diagonal, const vec &g) const {
        mat h = penalty_;
        h.diag() += diagonal;
        const auto v = linalg::solve_scaled(h, -g, 0.0);
        if (!v) throw Error(DPA_E_NUMERICAL, "the second moments are too far apart");
        return *v;
    }

    /** s and v for the present t. */
    void best_for_t() {
        const vec most = stretched();
        const auto slack = [&](double s) {
            s_ = s;
            v_ = least(most + shrunk(), slope_);
            return arma::norm(nearest()) - rho_;
        };
        if (slack(0.0) <= 0.0) return;
        double high = largest_;
        while (slack(high) > 0.0 && high < 1e300) high *= 8.0;
        slack(falling_zero(slack, 0.0, high));
    }

    const vec &center_;
    double rho_;
    double ridge_;
    vec m_;
    mat map_;
    mat penalty_;
    vec slope_;
    double largest_ = 0.0;
    double t_ = 0.0;
    double s_ = 0.0;
    vec v_;
};

}  // namespace

Solution minimize_generalized_discrepancy(const PreparedProblem &problem, const Weights &weights,
                                          const Settings &settings, Control &control) {
    control.report({"weighted fit"});
    const PreparedSample &source = problem.source();
    std::vector<double> labels = source.labels();
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] *= weights.q[i];
    mat a = source.gram(weights.q.data());
    const double mean = arma::trace(a) / static_cast<double>(a.n_rows);
    a.diag() += mean > 0.0 ? 1e-10 * mean : 1.0;
    const auto center = linalg::solve_scaled(a, source.gradient(labels.data()), 0.0);
    if (!center) throw Error(DPA_E_NUMERICAL, "the weighted source has no least-squares fit");
    const vec apart = problem.source_fit() - *center;
    const double rho = settings.baseline.hypothesis_radius.value_or(
        std::sqrt(std::max(0.0, arma::dot(apart, a * apart))));
    Generalized program(a, *center, problem.target_features().moments().second, rho,
                        settings.baseline.ridge);
    program.solve();
    Solution solution = closed_form(problem, program.predictor(), 1.0);
    solution.source_weights = weights.q;
    solution.objective = program.upper();
    solution.duality_gap = std::max(0.0, program.upper() - program.lower());
    solution.iterations = weights.iterations;
    solution.termination = weights.termination;
    return solution;
}

}  // namespace dpadapt::baseline
