#include "engine/forecast_bound.hpp"

namespace dpadapt::engine {
namespace {

Settings clipped(Settings settings, double quantile) {
    for (Bound *bound : {&settings.feature_radius, &settings.label_bound})
        if (bound->kind == Bound::Kind::absent) *bound = {Bound::Kind::quantile, quantile};
    return settings;
}

PreparedSample prepared(const Sample &rows, const PreparedProblem &problem, std::size_t threads) {
    PreparedSample sample(rows, problem.preprocess(), threads);
    sample.clip(problem.clipping());
    return sample;
}

/** The linear scores of a solution in the coordinates of a problem. */
arma::vec theta_of(const Solution &solution, const Preprocess &preprocess) {
    const std::size_t d = solution.features();
    arma::vec theta;
    for (std::size_t k = 0; k < solution.outputs(); ++k) {
        const auto first = solution.coefficients.begin() + static_cast<std::ptrdiff_t>(k * d);
        const std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(d));
        theta =
            arma::join_cols(theta, preprocess.from_user({arma::vec(own), solution.intercept[k]}));
    }
    return theta;
}

}  // namespace

ForecastBounds::ForecastBounds(const Sample &source, const Sample &target, const Sample &population,
                               double n, const Settings &settings, double quantile,
                               Control &control)
    : settings_(clipped(settings, quantile)),
      domains_(source, population, settings_, control),
      sample_(prepared(target, domains_, settings_.threads)),
      bounds_(domains_, sample_, n, settings_, control) {}

BoundedLoss ForecastBounds::of(const Solution &solution) {
    const arma::vec theta = theta_of(solution, domains_.preprocess());
    const arma::vec nothing(theta.n_elem, arma::fill::zeros);
    return {bounds_(theta), bounds_.target_loss(theta), bounds_.target_loss(nothing)};
}

BoundedLoss mean_bound(const std::vector<BoundedLoss> &bounds) {
    BoundedLoss sum;
    const auto share = 1.0 / static_cast<double>(bounds.size());
    for (const BoundedLoss &own : bounds) {
        sum.loss += share * own.loss;
        sum.trivial += share * own.trivial;
        for (double paper::LearningBound::*const number :
             {&paper::LearningBound::value, &paper::LearningBound::alpha,
              &paper::LearningBound::empirical, &paper::LearningBound::discrepancy,
              &paper::LearningBound::complexity, &paper::LearningBound::confidence,
              &paper::LearningBound::largest_loss})
            sum.bound.*number += share * own.bound.*number;
    }
    return sum;
}

}  // namespace dpadapt::engine
