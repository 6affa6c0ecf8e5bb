#include "baseline/boosting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
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
    Solution solution;
    describe_predictor(preprocess, choice, parameters_, solution);
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

class GapBoost {
  public:
    GapBoost(const PreparedProblem &problem, const Settings &settings, Control &control)
        : problem_(problem),
          settings_(settings),
          control_(control),
          labels_{problem.source().labels(), problem.target().labels()},
          votes_(problem) {
        const double m = static_cast<double>(labels_.source.size());
        const double n = static_cast<double>(labels_.target.size());
        weights_.source.assign(labels_.source.size(), 1.0 / (m + n));
        weights_.target.assign(labels_.target.size(), 1.0 / (m + n));
        cap_ = 1.0 / std::sqrt(n);
    }

    Solution operator()() {
        for (std::size_t round = 0; round < settings_.baseline.rounds; ++round)
            if (!boost()) break;
        return votes_.solution();
    }

  private:
    arma::vec fit(std::span<const double> source, std::span<const double> target) const {
        return fit_theta(problem_, source, target, settings_, control_).x;
    }

    /** Whether there is to be another round. */
    bool boost() {
        const arma::vec w = fit(weights_.source, weights_.target);
        const OfRows made{classify(problem_.source(), w), classify(problem_.target(), w)};
        double error = 0.0;
        for (std::size_t i = 0; i < made.source.size(); ++i)
            if (made.source[i] != labels_.source[i]) error += weights_.source[i];
        for (std::size_t j = 0; j < made.target.size(); ++j)
            if (made.target[j] != labels_.target[j]) error += weights_.target[j];
        if (error == 0.0) votes_.clear();
        if (error >= 0.5 && !votes_.empty()) return false;
        const double factor = error == 0.0 || error >= 0.5 ? std::exp(1.0) : (1.0 - error) / error;
        votes_.add(std::log(factor), w);
        if (error == 0.0 || error >= 0.5) return false;

        const arma::vec of_source = fit(share(weights_.source), {});
        const arma::vec of_target = fit({}, share(weights_.target));
        reweigh(problem_.source(), of_source, of_target, made.source, labels_.source, factor,
                settings_.baseline.source_factor, false, weights_.source);
        const double rho = settings_.baseline.target_factor;
        reweigh(problem_.target(), of_source, of_target, made.target, labels_.target, factor, rho,
                rho > 1.0, weights_.target);
        weights_.normalize();
        for (auto *part : {&weights_.source, &weights_.target})
            for (double &weight : *part) weight = std::min(weight, cap_);
        weights_.normalize();
        return true;
    }

    /** Where the two classifiers agree, or disagree, the weight is multiplied by rho; where the
     *  round errs, by `factor`. */
    static void reweigh(const PreparedSample &rows, const arma::vec &of_source,
                        const arma::vec &of_target, const std::vector<double> &made,
                        const std::vector<double> &labels, double factor, double rho,
                        bool where_equal, std::vector<double> &weights) {
        const std::vector<double> one = classify(rows, of_source);
        const std::vector<double> other = classify(rows, of_target);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (made[i] != labels[i]) weights[i] *= factor;
            if ((one[i] == other[i]) == where_equal) weights[i] *= rho;
        }
    }

    const PreparedProblem &problem_;
    const Settings &settings_;
    Control &control_;
    OfRows labels_;
    OfRows weights_;
    double cap_ = 1.0;
    Votes votes_;
};

}  // namespace

Solution gap_boost(const PreparedProblem &problem, const Settings &settings, Control &control) {
    return GapBoost(problem, settings, control)();
}

}  // namespace dpadapt::baseline
