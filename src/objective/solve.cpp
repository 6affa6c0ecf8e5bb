#include "objective/solve.hpp"

#include <limits>

#include "linalg/trust_region.hpp"
#include "objective/weighted_objective.hpp"
#include "problem/defaults.hpp"
#include "solution/findings.hpp"

namespace dpadapt {
namespace {

bool is_convex(const PreparedProblem &problem) {
    const Hyperparameters &hyper = problem.hyperparameters();
    return hyper.penalty == PenaltyKind::convex ||
           (Penalty(hyper).keeps_reference() && loss::is_convex(problem.public_sample().choice()));
}

/** Where to start. The global minimum of squared losses is near the least squares of both samples,
 *  unless many rows cost so much that they lose weight. */
arma::vec first_guess(const PreparedProblem &problem, const Hyperparameters &hyper,
                      double discrepancy) {
    constexpr double kRidge = 1e-10;
    if (problem.public_sample().choice().kind != loss::Kind::squared || !is_convex(problem))
        return problem.source_fit();
    const Moments source = problem.source_moments();
    const Moments target = problem.target().moments();
    const double a = hyper.alpha;
    const arma::mat second = a * source.second + (1.0 - a) * target.second;
    const arma::vec cross = a * source.cross + (1.0 - a) * target.cross;
    const auto fit = linalg::solve_scaled(second, cross, kRidge);
    if (!fit) return problem.source_fit();
    const double cost = a * (source.label + discrepancy) + (1.0 - a) * target.label -
                        arma::dot(2.0 * cross - second * *fit, *fit);
    return Penalty(hyper).keeps_reference() || cost <= hyper.kappa_1 ? *fit : problem.source_fit();
}

Solution solve_by(const Hyperparameters &hyper, const PreparedProblem &problem,
                  std::optional<double> discrepancy, const Settings &settings, Control &control,
                  const arma::vec &start) {
    constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();  // of a value
    const double d = discrepancy.value_or(0.0);
    const std::size_t limit = settings.iterations.value_or(defaults::kIterations);
    WeightedObjective objective(problem, hyper, d);
    linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, start.is_empty() ? first_guess(problem, hyper, d) : start,
        {hyper.radius, settings.tolerance, limit}, linalg::reporting(control, "solve", limit));
    if (!objective.is_at(minimum.x))  // its weights are wanted
        minimum.value = objective.evaluate(minimum.x, minimum.gradient);
    Solution solution =
        describe_predictor(problem.preprocess(), problem.public_sample().choice(), minimum.x);
    solution.objective = minimum.value;
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    const std::vector<double> &q = objective.weights();
    const auto split = q.begin() + static_cast<std::ptrdiff_t>(solution.source_rows);
    solution.source_weights.assign(q.begin(), split);
    solution.target_weights.assign(split, q.end());
    solution.weighing = {problem.source().unit_share(hyper.alpha),
                         problem.target().unit_share(1.0 - hyper.alpha), objective.scalars().s,
                         objective.scalars().t};
    if (is_convex(problem))
        solution.duality_gap = minimum.gap + kRounding * std::abs(solution.objective);
    if (problem.hyperparameters().penalty == PenaltyKind::linear)
        solution.gradient_mapping =
            linalg::gradient_mapping(minimum.x, minimum.gradient, hyper.radius);
    solution.iterations = static_cast<std::int64_t>(minimum.iterations);
    solution.termination = termination(minimum.stop);
    solution.settings = used_settings(problem.hyperparameters(), problem.clipping(), discrepancy);
    return solution;
}

}  // namespace

Termination termination(linalg::SmoothStop stop) {
    if (stop == linalg::SmoothStop::converged) return Termination::converged;
    return stop == linalg::SmoothStop::precision ? Termination::precision : Termination::iterations;
}

Solution solve(const PreparedProblem &problem, std::optional<double> discrepancy,
               const Settings &settings, Control &control, const arma::vec &start) {
    const Hyperparameters &hyper = problem.hyperparameters();
    if (hyper.penalty != PenaltyKind::convex || hyper.kappa_1 > 0.0)
        return solve_by(hyper, problem, discrepancy, settings, control, start);
    // Weights cost nothing to drop: the minimum is 0, with all of them 0, at every predictor. The
    // one returned is the fit with the reference weights.
    Hyperparameters at_reference = hyper;
    at_reference.penalty = PenaltyKind::linear;
    at_reference.lambda_1 = std::numeric_limits<double>::infinity();
    Solution solution = solve_by(at_reference, problem, discrepancy, settings, control, start);
    std::fill(solution.source_weights.begin(), solution.source_weights.end(), 0.0);
    std::fill(solution.target_weights.begin(), solution.target_weights.end(), 0.0);
    solution.weighing.source = solution.weighing.target = 0.0;
    solution.objective = 0.0;
    solution.duality_gap = 0.0;
    solution.iterations = 0;
    solution.termination = Termination::degenerate;
    return solution;
}

}  // namespace dpadapt
