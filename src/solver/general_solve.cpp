#include "solver/general_solve.hpp"

#include "problem/defaults.hpp"
#include "solver/describe.hpp"
#include "solver/general_objective.hpp"

namespace dpadapt {
namespace {

Termination termination(linalg::SmoothStop stop) {
    switch (stop) {
        case linalg::SmoothStop::converged:
            return Termination::converged;
        case linalg::SmoothStop::precision:
            return Termination::precision;
        default:
            return Termination::iterations;
    }
}

}  // namespace

Solution solve_general(const PreparedProblem &problem, std::optional<double> discrepancy,
                       const Settings &settings, Control &control, const arma::vec &start) {
    const std::size_t limit = settings.iterations.value_or(defaults::kGeneralIterations);
    const double radius = problem.hyperparameters().radius;
    GeneralObjective objective(problem, discrepancy.value_or(0.0));
    const linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, start.is_empty() ? problem.source_fit() : start,
        {radius, settings.tolerance, limit}, [&](std::size_t iteration, double value, double gap) {
            control.report({"solve", static_cast<std::int64_t>(iteration),
                            static_cast<std::int64_t>(limit), value, gap});
        });
    arma::vec gradient;
    Solution solution;
    solution.objective = objective.evaluate(minimum.x, gradient);  // its weights are wanted
    describe_predictor(problem.preprocess(), problem.public_sample().choice(), minimum.x, solution);
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    const std::vector<double> &q = objective.weights();
    const auto split = q.begin() + static_cast<std::ptrdiff_t>(solution.source_rows);
    solution.source_weights.assign(q.begin(), split);
    solution.target_weights.assign(split, q.end());
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool certified =
        objective.keeps_reference() && loss::is_convex(problem.public_sample().choice());
    solution.duality_gap = certified ? minimum.gap : kNone;
    solution.gradient_mapping = linalg::gradient_mapping(minimum.x, gradient, radius);
    solution.iterations = static_cast<std::int64_t>(minimum.iterations);
    solution.termination = termination(minimum.stop);
    solution.settings =
        used_settings(problem.hyperparameters(), discrepancy.value_or(kNone), problem.clipping());
    return solution;
}

}  // namespace dpadapt
