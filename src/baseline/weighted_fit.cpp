#include "baseline/weighted_fit.hpp"

#include "solver/describe.hpp"

namespace dpadapt::baseline {
namespace {

class WeightedLoss : public linalg::SmoothFunction {
  public:
    WeightedLoss(const PreparedProblem &problem, std::span<const double> source,
                 std::span<const double> target, double ridge)
        : newton_(problem.public_sample().newton()), ridge_(ridge) {
        if (!source.empty()) parts_.emplace_back(&problem.public_sample().loss_rows(), source);
        if (!target.empty()) parts_.emplace_back(&problem.target_loss_rows(), target);
    }

    double evaluate(const arma::vec &theta, arma::vec &gradient) override {
        gradient = 2.0 * ridge_ * theta;
        double value = ridge_ * arma::dot(theta, theta);
        for (const auto &[rows, weight] : parts_) {
            losses_.resize(rows->rows());
            gradient += rows->gradient(theta, weight.data(), losses_.data());
            double sum = 0.0;
            for (std::size_t i = 0; i < losses_.size(); ++i) sum += weight[i] * losses_[i];
            value += sum;
        }
        return value;
    }

    arma::mat curvature(const arma::vec &theta) override {
        if (!newton_) return {};
        arma::mat h = 2.0 * ridge_ * arma::eye(theta.n_elem, theta.n_elem);
        for (const auto &[rows, weight] : parts_) h += rows->curvature(theta, weight.data());
        return h;
    }

  private:
    bool newton_;
    double ridge_;
    std::vector<std::pair<const LossRows *, std::span<const double>>> parts_;
    std::vector<double> losses_;
};

Termination termination(linalg::SmoothStop stop) {
    if (stop == linalg::SmoothStop::converged) return Termination::converged;
    return stop == linalg::SmoothStop::precision ? Termination::precision : Termination::iterations;
}

}  // namespace

linalg::SmoothMinimum fit_theta(const PreparedProblem &problem, std::span<const double> source,
                                std::span<const double> target, const Settings &settings,
                                Control &control) {
    constexpr std::size_t kDefaultIterations = 1000;
    const std::size_t limit = settings.iterations.value_or(kDefaultIterations);
    WeightedLoss function(problem, source, target, settings.baseline.ridge);
    return linalg::minimize_smooth(
        function, problem.source_fit(),
        {problem.hyperparameters().radius, settings.tolerance, limit},
        [&](std::size_t iteration, double value, double gap) {
            control.report({"weighted fit", static_cast<std::int64_t>(iteration),
                            static_cast<std::int64_t>(limit), value, gap});
        });
}

Solution fit_weighted(const PreparedProblem &problem, std::span<const double> source,
                      std::span<const double> target, const Settings &settings, Control &control) {
    const double radius = problem.hyperparameters().radius;
    const loss::Choice &choice = problem.public_sample().choice();
    const linalg::SmoothMinimum minimum = fit_theta(problem, source, target, settings, control);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Solution solution;
    describe_predictor(problem.preprocess(), choice, minimum.x, solution);
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    solution.source_weights.assign(source.begin(), source.end());
    solution.source_weights.resize(solution.source_rows, 0.0);
    solution.target_weights.assign(target.begin(), target.end());
    solution.target_weights.resize(solution.target_rows, 0.0);
    solution.objective = minimum.value;
    solution.duality_gap = loss::is_convex(choice) ? minimum.gap : kNone;
    solution.gradient_mapping = linalg::gradient_mapping(minimum.x, minimum.gradient, radius);
    solution.iterations = static_cast<std::int64_t>(minimum.iterations);
    solution.termination = termination(minimum.stop);
    solution.settings = used_settings(problem.hyperparameters(), kNone, problem.clipping());
    return solution;
}

}  // namespace dpadapt::baseline
