#include <algorithm>
#include <cmath>
#include <numeric>

#include "baseline/boosting.hpp"
#include "baseline/closed_form.hpp"
#include "baseline/predictors.hpp"

namespace dpadapt::baseline {
namespace {

struct BoostingRound {
    arma::vec w;
    OfRows weights;     ///< by which w was fitted
    double vote = 0.0;  ///< ln(1/beta_t)
};

/** Errors of the rows, from 0 to 1. */
using RowErrors = OfRows (*)(const PreparedProblem &problem, const arma::vec &w);

OfRows wrong_labels(const PreparedProblem &problem, const arma::vec &w) {
    const auto wrong = [&](const PreparedSample &rows) {
        std::vector<double> made = classify(rows, w);
        const std::vector<double> labels = rows.labels();
        for (std::size_t i = 0; i < made.size(); ++i) made[i] = made[i] != labels[i] ? 1.0 : 0.0;
        return made;
    };
    return {wrong(problem.source()), wrong(problem.target())};
}

OfRows relative_errors(const PreparedProblem &problem, const arma::vec &w) {
    double largest = 0.0;
    const auto sizes = [&](const PreparedSample &rows) {
        std::vector<double> error(rows.rows());
        rows.residuals(w, error.data());
        for (double &e : error) largest = std::max(largest, e = std::abs(e));
        return error;
    };
    OfRows errors{sizes(problem.source()), sizes(problem.target())};
    for (auto *part : {&errors.source, &errors.target})
        for (double &e : *part) e = largest > 0.0 ? e / largest : 0.0;
    return errors;
}

double weighted_mean(const std::vector<double> &weights, const std::vector<double> &values) {
    return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0) /
           std::accumulate(weights.begin(), weights.end(), 0.0);
}

/** The rounds that vote, the last one at least. */
std::vector<BoostingRound> boost(const PreparedProblem &problem, const Settings &settings,
                                 RowErrors errors_of, Control &control) {
    constexpr double kLeastError = 1e-10;  // and the least distance of a half, which is chance
    const std::size_t rounds = settings.baseline.rounds;
    const double m = static_cast<double>(problem.source().rows());
    const double n = static_cast<double>(problem.target().rows());
    const double forget = std::log1p(std::sqrt(2.0 * std::log(m) / static_cast<double>(rounds)));
    OfRows weights{problem.source().shares(m / (m + n)), problem.target().shares(n / (m + n))};
    std::vector<BoostingRound> voters;
    for (std::size_t t = 1; t <= rounds; ++t) {
        BoostingRound round;
        round.w = fit_theta(problem, weights.source, weights.target, settings, control).x;
        round.weights = weights;
        const OfRows errors = errors_of(problem, round.w);
        const double error = std::max(weighted_mean(weights.target, errors.target), kLeastError);
        if (error < 0.5 - kLeastError) round.vote = std::log((1.0 - error) / error);
        for (std::size_t i = 0; i < errors.source.size(); ++i)
            weights.source[i] *= std::exp(-forget * errors.source[i]);
        for (std::size_t j = 0; j < errors.target.size(); ++j)
            weights.target[j] *= std::exp(round.vote * errors.target[j]);
        weights.normalize();
        const bool last = t == rounds && voters.empty();
        if (last && round.vote == 0.0) round.vote = 1.0;
        if (2 * t >= rounds && round.vote > 0.0) voters.push_back(std::move(round));
    }
    return voters;
}

}  // namespace

Solution tradaboost(const PreparedProblem &problem, const Settings &settings, Control &control) {
    Votes votes(problem);
    for (const BoostingRound &round : boost(problem, settings, wrong_labels, control))
        votes.add(round.vote, round.w);
    return votes.solution();
}

Solution tradaboost_r2(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const auto rounds = boost(problem, settings, relative_errors, control);
    double votes = 0.0;
    for (const BoostingRound &round : rounds) votes += round.vote;
    arma::vec w(rounds.front().w.n_elem, arma::fill::zeros);
    arma::vec source(problem.source().rows(), arma::fill::zeros);
    arma::vec target(problem.target().rows(), arma::fill::zeros);
    for (const BoostingRound &round : rounds) {
        const double share = round.vote / votes;
        w += share * round.w;
        source += share * arma::vec(round.weights.source);
        target += share * arma::vec(round.weights.target);
    }
    Solution solution = closed_form(problem, w, std::min(1.0, arma::accu(source)));
    solution.source_weights.assign(source.begin(), source.end());
    solution.target_weights.assign(target.begin(), target.end());
    solution.iterations = static_cast<std::int64_t>(settings.baseline.rounds);
    solution.termination = Termination::iterations;
    return solution;
}

}  // namespace dpadapt::baseline
