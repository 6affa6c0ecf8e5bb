#include "baseline/boosting.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "solution/describe.hpp"

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

void check_logistic(const PreparedProblem &problem, const char *method) {
    if (problem.public_sample().choice().kind == loss::Kind::logistic) return;
    throw Error(DPA_E_OPTION,
                std::string("baseline ") + method + " needs the option loss = logistic");
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
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Solution solution;
    describe_predictor(preprocess, choice, parameters_, solution);
    solution.source_rows = problem_.source().rows();
    solution.target_rows = problem_.target().rows();
    solution.objective = kNone;
    solution.duality_gap = kNone;
    solution.iterations = static_cast<std::int64_t>(choice.hidden.front());
    solution.termination = Termination::iterations;
    solution.settings = used_settings(problem_.hyperparameters(), kNone, problem_.clipping());
    return solution;
}

}  // namespace dpadapt::baseline
