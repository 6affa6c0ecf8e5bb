#include "baseline/coral.hpp"

#include <cmath>

#include "baseline/closed_form.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt::baseline {
namespace {

/** (C + I)^power of all coordinates but the constant, which stays. */
arma::mat power_of_covariance(const PreparedSample &rows, bool constant, double power) {
    const arma::vec mean = rows.gradient(rows.shares().data());
    arma::mat covariance = rows.moments().second - mean * mean.t();
    const arma::uword features = mean.n_elem - (constant ? 1 : 0);
    const linalg::Spectrum spectrum =
        linalg::decompose(arma::symmatu(covariance.submat(0, 0, features - 1, features - 1)));
    const arma::vec values = 1.0 + arma::clamp(spectrum.values, 0.0, arma::datum::inf);
    arma::mat result(arma::size(covariance), arma::fill::eye);
    result.submat(0, 0, features - 1, features - 1) =
        spectrum.vectors * arma::diagmat(arma::pow(values, power)) * spectrum.vectors.t();
    return result;
}

}  // namespace

Solution coral(const PreparedProblem &problem, const Settings &settings, Control &control) {
    check_squared(problem, "coral");
    control.report({"weighted fit"});
    const bool constant = problem.preprocess().has_intercept();
    const arma::mat map = power_of_covariance(problem.source(), constant, -0.5) *
                          power_of_covariance(problem.target_features(), constant, 0.5);
    const Moments &source = problem.source_moments();
    arma::mat h = arma::symmatu(map.t() * source.second * map);
    h.diag() += settings.baseline.ridge;
    const arma::vec w =
        linalg::minimize_in_ball(linalg::decompose(std::move(h)), -map.t() * source.cross,
                                 problem.hyperparameters().radius)
            .x;
    return closed_form(problem, w, 1.0);
}

}  // namespace dpadapt::baseline
