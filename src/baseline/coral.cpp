#include "baseline/coral.hpp"

#include <cmath>

#include "baseline/closed_form.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt::baseline {
namespace {

/** (C + I)^power of all coordinates but the constant, which stays. */
arma::mat power_of_covariance(const arma::mat &second, const arma::vec &mean, bool constant,
                              double power) {
    const arma::mat covariance = second - mean * mean.t();
    const arma::uword features = mean.n_elem - (constant ? 1 : 0);
    const linalg::Spectrum spectrum =
        linalg::decompose(arma::symmatu(covariance.submat(0, 0, features - 1, features - 1)));
    const arma::vec values = 1.0 + arma::clamp(spectrum.values, 0.0, arma::datum::inf);
    arma::mat result(arma::size(covariance), arma::fill::eye);
    result.submat(0, 0, features - 1, features - 1) =
        spectrum.vectors * arma::diagmat(arma::pow(values, power)) * spectrum.vectors.t();
    return result;
}

arma::mat power_of_covariance(const PreparedSample &rows, bool constant, double power) {
    return power_of_covariance(rows.moments().second, rows.gradient(rows.shares().data()), constant,
                               power);
}

/** Least squares of source rows that are mapped so. */
arma::vec fit_mapped(const Moments &source, const arma::mat &map, double ridge, double radius) {
    arma::mat h = arma::symmatu(map.t() * source.second * map);
    h.diag() += ridge;
    return linalg::minimize_in_ball(linalg::decompose(std::move(h)), -map.t() * source.cross,
                                    radius)
        .x;
}

}  // namespace

Solution coral(const PreparedProblem &problem, const Settings &settings, Control &control) {
    check_squared(problem, "coral");
    control.report({"weighted fit"});
    const bool constant = problem.preprocess().has_intercept();
    const arma::mat map = power_of_covariance(problem.source(), constant, -0.5) *
                          power_of_covariance(problem.target_features(), constant, 0.5);
    const arma::vec w = fit_mapped(problem.source_moments(), map, settings.baseline.ridge,
                                   problem.hyperparameters().radius);
    return closed_form(problem, w, 1.0);
}

Solution fit_private_coral(const PrivateMoments &call, const Moments &target) {
    const PreparedSample &source = call.problem().public_sample()->rows();
    const arma::vec mean = target.second.tail_cols(1);  // with the constant
    const arma::mat map = power_of_covariance(source, true, -0.5) *
                          power_of_covariance(target.second, mean, true, 0.5);
    const arma::vec w =
        fit_mapped(source.moments(), map, call.settings().baseline.ridge, call.facts().radius);
    return call.solution(w, 1.0, 1);
}

}  // namespace dpadapt::baseline
