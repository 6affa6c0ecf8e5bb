#pragma once

#include <vector>

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

/** Throws Error(DPA_E_OPTION) unless the loss is logistic. */
void check_logistic(const PreparedProblem &problem, const char *method);

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

}  // namespace dpadapt::baseline
