#include "baseline/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solution/findings.hpp"

namespace dpadapt::baseline {

void OfRows::normalize() {
    const double sum = std::accumulate(source.begin(), source.end(), 0.0) +
                       std::accumulate(target.begin(), target.end(), 0.0);
    for (auto *part : {&source, &target})
        for (double &weight : *part) weight /= sum;
}

std::vector<double> classify(const PreparedSample &rows, const arma::vec &w) {
    std::vector<double> score(rows.rows());
    rows.without_labels().residuals(w, score.data());
    for (double &s : score) s = s < 0.0 ? -1.0 : 1.0;
    return score;
}

void Votes::add(double weight, const arma::vec &w) {
    parameters_.push_back(weight);
    const arma::vec lifted = problem_.preprocess().lift(w);
    parameters_.insert(parameters_.end(), lifted.begin(), lifted.end());
}

Solution Votes::solution() const {
    loss::Choice choice;
    choice.kind = loss::Kind::votes;
    const Preprocess &preprocess = problem_.preprocess();
    const std::size_t dimension = preprocess.features() + (preprocess.has_intercept() ? 1 : 0);
    choice.hidden = {parameters_.size() / (dimension + 1)};
    Solution solution = describe_predictor(preprocess, choice, parameters_);
    solution.source_rows = problem_.source().rows();
    solution.target_rows = problem_.target().rows();
    solution.iterations = static_cast<std::int64_t>(choice.hidden.front());
    solution.termination = Termination::iterations;
    solution.settings = used_settings(problem_.hyperparameters(), problem_.clipping());
    return solution;
}

namespace {

std::vector<double> share(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double &weight : weights) weight /= sum;
    return weights;
}

/** Where the two classifiers agree, or disagree, the weight is multiplied by rho; where the round
 *  errs, by `factor`. */
void reweigh(const PreparedSample &rows, const arma::vec &of_source, const arma::vec &of_target,
             const std::vector<double> &made, const std::vector<double> &labels, double factor,
             double rho, bool where_equal, std::vector<double> &weights) {
    const std::vector<double> one = classify(rows, of_source);
    const std::vector<double> other = classify(rows, of_target);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (made[i] != labels[i]) weights[i] *= factor;
        if ((one[i] == other[i]) == where_equal) weights[i] *= rho;
    }
}

}  // namespace

Solution gap_boost(const PreparedProblem &problem, const Settings &settings, Control &control) {
    const OfRows labels{problem.source().labels(), problem.target().labels()};
    const double m = static_cast<double>(labels.source.size());
    const double n = static_cast<double>(labels.target.size());
    const double cap = 1.0 / std::sqrt(n);
    OfRows weights{std::vector<double>(labels.source.size(), 1.0 / (m + n)),
                   std::vector<double>(labels.target.size(), 1.0 / (m + n))};
    const auto fit = [&](std::span<const double> source, std::span<const double> target) {
        return fit_theta(problem, source, target, settings, control).x;
    };
    Votes votes(problem);
    for (std::size_t round = 0; round < settings.baseline.rounds; ++round) {
        const arma::vec w = fit(weights.source, weights.target);
        const OfRows made{classify(problem.source(), w), classify(problem.target(), w)};
        double error = 0.0;
        for (std::size_t i = 0; i < made.source.size(); ++i)
            if (made.source[i] != labels.source[i]) error += weights.source[i];
        for (std::size_t j = 0; j < made.target.size(); ++j)
            if (made.target[j] != labels.target[j]) error += weights.target[j];
        if (error == 0.0) votes.clear();
        if (error >= 0.5 && !votes.empty()) break;
        const bool last = error == 0.0 || error >= 0.5;
        const double factor = last ? std::exp(1.0) : (1.0 - error) / error;
        votes.add(std::log(factor), w);
        if (last) break;

        const arma::vec of_source = fit(share(weights.source), {});
        const arma::vec of_target = fit({}, share(weights.target));
        reweigh(problem.source(), of_source, of_target, made.source, labels.source, factor,
                settings.baseline.source_factor, false, weights.source);
        const double rho = settings.baseline.target_factor;
        reweigh(problem.target(), of_source, of_target, made.target, labels.target, factor, rho,
                rho > 1.0, weights.target);
        weights.normalize();
        for (auto *part : {&weights.source, &weights.target})
            for (double &weight : *part) weight = std::min(weight, cap);
        weights.normalize();
    }
    return votes.solution();
}

}  // namespace dpadapt::baseline
