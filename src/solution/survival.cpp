#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "solution/predict.hpp"

namespace dpadapt {

namespace {

/** Of each row the score of the target's own estimate, and its variance. */
struct OwnScores {
    std::vector<double> score;
    std::vector<double> variance;
};

OwnScores own_scores(const Inference &own, const linalg::MatrixView &x) {
    const std::size_t p = own.estimate.size();
    OwnScores found{std::vector<double>(x.rows), std::vector<double>(x.rows)};
    std::vector<double> row(p, 1.0);  // the last of a row is the constant, if there is one
    for (std::size_t i = 0; i < x.rows; ++i) {
        for (std::size_t j = 0; j < x.cols; ++j) row[j] = x(i, j);
        for (std::size_t j = 0; j < p; ++j) {
            found.score[i] += own.estimate[j] * row[j];
            for (std::size_t k = 0; k < p; ++k)
                found.variance[i] += row[j] * own.covariance[j * p + k] * row[k];
        }
    }
    return found;
}

}  // namespace

void check_survival(const Solution &solution) {
    if (solution.loss.kind != loss::Kind::survival)
        throw Error(DPA_E_UNSUPPORTED,
                    "survival is known of fits by loss = survival, but this one has loss = " +
                        std::string(loss::name(solution.loss.kind)));
}

std::vector<double> survival(const Solution &solution, const linalg::MatrixView &x,
                             std::span<const double> times, std::optional<double> confidence) {
    const loss::CumulativeHazard &baseline = solution.loss.baseline;
    const OwnScores own =
        confidence ? own_scores(solution.inference, x) : OwnScores{scores(solution, x), {}};
    const double t = confidence ? two_sided_t(*confidence, solution.inference.freedom) : 0.0;
    std::vector<double> result;
    for (const double side : {1.0, -1.0}) {
        for (const double time : times) {
            const double hazard = time <= baseline.times.back()
                                      ? baseline.at(time)
                                      : std::numeric_limits<double>::quiet_NaN();
            for (std::size_t i = 0; i < x.rows; ++i) {
                double score = own.score[i];
                if (confidence)  // a variance of nearly 0 may be below it by rounding
                    score += side * t *
                             std::sqrt(std::max(own.variance[i], 0.0) + baseline.variance_at(time));
                result.push_back(std::exp(-hazard * std::exp(score)));
            }
        }
        if (!confidence) break;
    }
    return result;
}

}  // namespace dpadapt
