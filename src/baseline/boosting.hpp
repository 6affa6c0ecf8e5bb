#pragma once

#include <vector>

#include "baseline/weighted_fit.hpp"
#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** A number of each source row and of each target row, such as weights of sum 1 together. */
struct OfRows {
    std::vector<double> source;
    std::vector<double> target;

    void normalize();
};

/** Classes -1 and +1 by the sign of the score. */
[[nodiscard]] std::vector<double> classify(const PreparedSample &rows, const arma::vec &w);

/** Linear classifiers in preprocessed coordinates with weights of their votes. */
class Votes {
  public:
    explicit Votes(const PreparedProblem &problem) : problem_(problem) {}

    void add(double weight, const arma::vec &w);
    void clear() { parameters_.clear(); }
    [[nodiscard]] bool empty() const { return parameters_.empty(); }

    /** The vote as a predictor; what it has no certificate of is NaN. */
    [[nodiscard]] Solution solution() const;

  private:
    const PreparedProblem &problem_;
    std::vector<double> parameters_;
};

/** gapBoost (Wang, Mendez, Cai and Eaton 2019) for labels -1 and +1: boosting by logistic fits of
 *  all rows, in which the weight of a row falls where classifiers of the two domains disagree about
 *  it. Each round
 *
 *  - fits a classifier to all rows by their weights g, and multiplies by (1 - error)/error those
 *    that it errs on,
 *  - fits one to each domain by the domain's part of g, multiplies source rows on which these two
 *    disagree by source_factor, and target rows by target_factor, where they disagree or, if it is
 *    above 1, agree,
 *  - normalizes, caps every weight at 1/sqrt(n), and normalizes again.
 *
 *  The vote of a round is log((1 - error)/error). A round without errors is the whole answer, one
 *  that errs on half or more ends the boosting. Weights are exact, where the authors' code draws
 *  samples. Every fit minimizes its loss to the tolerance; the whole has no certificate. Throws
 *  Error(DPA_E_OPTION) for another loss. */
[[nodiscard]] Solution gap_boost(const PreparedProblem &problem, const Settings &settings,
                                 Control &control);

}  // namespace dpadapt::baseline
