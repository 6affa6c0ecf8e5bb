#include "baseline/sufficient_statistics.hpp"

#include "linalg/trust_region.hpp"
#include "solver/describe.hpp"

namespace dpadapt::baseline {
namespace {

arma::vec minimize(const Moments &source, const Moments &target, double alpha, double ridge,
                   double radius) {
    arma::mat h = alpha * source.second + (1.0 - alpha) * target.second;
    h.diag() += ridge;
    const arma::vec g = -alpha * source.cross - (1.0 - alpha) * target.cross;
    return linalg::minimize_in_ball(linalg::decompose(std::move(h)), g, radius).x;
}

}  // namespace

Solution fit_sufficient_statistics(const PrivateMoments &call, double alpha,
                                   privacy::ReleaseTrace *trace) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const PrivateProblem &problem = call.problem();
    Hyperparameters used = problem.hyperparameters();
    used.alpha = alpha;
    const Moments source = problem.public_sample()->rows().moments();
    const arma::vec w =
        minimize(source, call.release(trace), alpha, call.settings().baseline.ridge, used.radius);
    Solution solution;
    describe_predictor(problem.preprocess(), problem.choice(), w, solution);
    solution.source_rows = call.facts().source_rows;
    solution.target_rows = call.facts().target_rows;
    solution.source_weights.assign(solution.source_rows,
                                   alpha / static_cast<double>(solution.source_rows));
    solution.objective = kNone;
    solution.duality_gap = kNone;
    solution.iterations = 1;
    solution.termination = Termination::steps;
    solution.settings = used_settings(used, kNone, problem.clipping());
    return solution;
}

}  // namespace dpadapt::baseline
