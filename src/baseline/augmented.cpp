#include <cmath>

#include "base/error.hpp"
#include "baseline/closed_form.hpp"
#include "baseline/predictors.hpp"
#include "objective/left_out.hpp"

namespace dpadapt::baseline {
namespace {

/** The source and the penalties as a quadratic function of the target's predictor w, once the
 *  shared w_0 and the source's predictor v are at their best. Given v and w, w_0 = (v + w)/3
 *  leaves the penalty (2/3) r (||v||^2 + ||w||^2 - v . w); then v = B^-1 (alpha b + (r/3) w) with
 *  the matrix B = alpha A + (2/3) r I, where A and b are the source's moments. */
SourcePrior prior_of(const Moments &source, double alpha, double r) {
    const arma::uword d = source.second.n_rows;
    const arma::mat identity = arma::eye(d, d);
    arma::mat inverse;
    const arma::mat b = alpha * source.second + 2.0 / 3.0 * r * identity;
    if (!arma::inv_sympd(inverse, arma::symmatu(b))) return {};
    const arma::mat half = 2.0 / 3.0 * r * identity - r * r / 9.0 * inverse;
    arma::vec center;
    if (!arma::solve(center, half, arma::vec(r / 3.0 * alpha * inverse * source.cross),
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx))
        return {};
    return {arma::symmatu(2.0 * half), std::move(center)};
}

}  // namespace

Solution augmented(const PreparedProblem &problem, const Settings &settings, Control &control) {
    constexpr double kMost = 1.0;  // ridge in units of the mean square of a column
    constexpr int kSteps = 12;
    const double alpha = problem.hyperparameters().alpha;
    if (!(alpha < 1.0)) throw Error(DPA_E_OPTION, "baseline augmented needs alpha below 1");
    const auto n = static_cast<double>(problem.target().rows());
    const ColumnRows rows = some_rows(problem.target(), settings.loss.start_seed);
    const Moments moments = problem.target().moments();
    LeastLeftOut best(rows);
    const double given = settings.baseline.ridge;
    const arma::mat &second = problem.source_moments().second;
    const double mean = arma::trace(second) / static_cast<double>(second.n_rows);
    const double unit = mean > 0.0 ? mean : 1.0;
    for (int k = 0; k < (given > 0.0 ? 1 : kSteps); ++k) {
        control.report({"choose alpha", k, kSteps});
        const SourcePrior prior = prior_of(problem.source_moments(), alpha,
                                           given > 0.0 ? given : unit * std::ldexp(kMost, -2 * k));
        if (prior.center.is_empty()) continue;
        if (const auto left_out = left_out_squared(prior, moments, n, rows))
            best.compare(left_out->at(n / (1.0 - alpha)));
    }
    if (best.theta().is_empty())
        throw Error(DPA_E_NUMERICAL, "no ridge of the augmented features gives a finite loss");
    return closed_form(problem, best.theta(), alpha);
}

}  // namespace dpadapt::baseline
