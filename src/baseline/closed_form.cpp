#include "baseline/closed_form.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"
#include "solution/describe.hpp"

namespace dpadapt::baseline {

Solution closed_form(const PreparedProblem &problem, const arma::vec &theta, double alpha) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Hyperparameters used = problem.hyperparameters();
    used.alpha = alpha;
    Solution solution;
    describe_predictor(problem.preprocess(), problem.public_sample().choice(), theta, solution);
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    solution.source_weights = problem.source().shares(alpha);
    solution.target_weights = problem.target().shares(1.0 - alpha);
    solution.objective = kNone;
    solution.duality_gap = kNone;
    solution.termination = Termination::converged;
    solution.settings = used_settings(used, kNone, problem.clipping());
    return solution;
}

void check_squared(const PreparedProblem &problem, const char *method) {
    if (problem.public_sample().choice().kind == loss::Kind::squared) return;
    throw Error(DPA_E_OPTION, std::string("baseline ") + method + " needs loss = squared");
}

}  // namespace dpadapt::baseline
