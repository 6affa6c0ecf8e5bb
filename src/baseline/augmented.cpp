#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "baseline/closed_form.hpp"
#include "baseline/predictors.hpp"
#include "objective/left_out.hpp"

namespace dpadapt::baseline {
namespace {

/** What the source and the penalties say of the target's predictor w once the shared w_0 and the
 *  source's predictor v are at their best. Given v and w, w_0 = (v + w)/3 leaves the penalty
 *  (2/3) r (||v||^2 + ||w||^2 - v . w); then v = B^-1 (alpha b + (r/3) w) with the matrix
 *  B = alpha A + (2/3) r I, where A and b are the source's moments. */
SourcePrior prior_of(const Moments &source, double alpha, double r) {
    const arma::uword d = source.second.n_rows;
    const arma::mat identity = arma::eye(d, d);
    arma::mat inverse;
    const arma::mat b = alpha * source.second + 2.0 / 3.0 * r * identity;
    SourcePrior prior;
    if (!arma::inv_sympd(inverse, arma::symmatu(b))) return prior;
    const arma::mat half = 2.0 / 3.0 * r * identity - r * r / 9.0 * inverse;
    arma::vec center;
    if (!arma::solve(center, half, arma::vec(r / 3.0 * alpha * inverse * source.cross),
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx))
        return prior;
    prior.curvature = arma::symmatu(2.0 * half);
    prior.center = std::move(center);
    return prior;
}

class Search {
  public:
    Search(const PreparedProblem &problem, const Settings &settings)
        : problem_(problem),
          rows_(some_rows(problem.target(), kMostRows, settings.loss.start_seed)),
          moments_(problem.target().moments()) {}

    void compare(double r) {
        const double alpha = problem_.hyperparameters().alpha;
        const SourcePrior prior = prior_of(problem_.source_moments(), alpha, r);
        if (prior.center.is_empty()) return;
        const auto n = static_cast<double>(problem_.target().rows());
        const auto left_out = left_out_squared(prior, moments_, n, rows_);
        if (!left_out) return;
        LeftOut fit = left_out->at(n / (1.0 - alpha));
        const double loss = rows_.mean(fit.losses);
        if (!std::isfinite(loss) || !(loss < least_)) return;
        least_ = loss;
        theta_ = std::move(fit.theta);
    }

    [[nodiscard]] const arma::vec &theta() const { return theta_; }

  private:
    static constexpr std::size_t kMostRows = 5000;  // that are left out

    const PreparedProblem &problem_;
    ColumnRows rows_;
    Moments moments_;
    double least_ = std::numeric_limits<double>::infinity();
    arma::vec theta_;
};

}  // namespace

Solution augmented(const PreparedProblem &problem, const Settings &settings, Control &control) {
    constexpr double kMost = 1.0;  // ridge in units of the mean square of a column
    constexpr int kSteps = 12;
    const double alpha = problem.hyperparameters().alpha;
    if (!(alpha < 1.0)) throw Error(DPA_E_OPTION, "baseline augmented needs alpha below 1");
    Search search(problem, settings);
    const double given = settings.baseline.ridge;
    const arma::mat &second = problem.source_moments().second;
    const double mean = arma::trace(second) / static_cast<double>(second.n_rows);
    const double unit = mean > 0.0 ? mean : 1.0;
    for (int k = 0; k < (given > 0.0 ? 1 : kSteps); ++k) {
        control.report({"choose alpha", k, kSteps});
        search.compare(given > 0.0 ? given : unit * std::ldexp(kMost, -2 * k));
    }
    if (search.theta().is_empty())
        throw Error(DPA_E_NUMERICAL, "no ridge of the augmented features gives a finite loss");
    return closed_form(problem, search.theta(), alpha);
}

}  // namespace dpadapt::baseline
