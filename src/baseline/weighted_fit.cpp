#include "baseline/weighted_fit.hpp"

#include "problem/defaults.hpp"
#include "solution/describe.hpp"

namespace dpadapt::baseline {
namespace {

/** Rows with weights; none without weights. */
using Part = std::pair<const LossRows *, std::span<const double>>;

class WeightedLoss : public linalg::SmoothFunction {
  public:
    WeightedLoss(std::initializer_list<Part> parts, bool newton, double ridge)
        : newton_(newton), ridge_(ridge) {
        for (const Part &part : parts)
            if (!part.second.empty()) parts_.push_back(part);
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

    arma::vec diagonal(const arma::vec &theta) override {
        arma::vec h = 2.0 * ridge_ * arma::ones(theta.n_elem);
        for (const auto &[rows, weight] : parts_) {
            const arma::vec part = rows->diagonal(theta, weight.data());
            if (part.is_empty()) return part;
            h += part;
        }
        return h;
    }

  private:
    bool newton_;
    double ridge_;
    std::vector<Part> parts_;
    std::vector<double> losses_;
};

Termination termination(linalg::SmoothStop stop) {
    if (stop == linalg::SmoothStop::converged) return Termination::converged;
    return stop == linalg::SmoothStop::precision ? Termination::precision : Termination::iterations;
}

linalg::SmoothMinimum minimize(std::initializer_list<Part> parts, const PublicSample &source,
                               const Hyperparameters &hyper, const Settings &settings,
                               Control &control) {
    const std::size_t limit = settings.iterations.value_or(defaults::kIterations);
    WeightedLoss function(parts, source.newton(), settings.baseline.ridge);
    return linalg::minimize_smooth(
        function, source.fit(), {hyper.radius, settings.tolerance, limit},
        [&](std::size_t iteration, double value, double gap) {
            control.report({"weighted fit", static_cast<std::int64_t>(iteration),
                            static_cast<std::int64_t>(limit), value, gap});
        });
}

/** What the source and the minimum tell. */
Solution describe(const PublicSample &source, const Hyperparameters &hyper,
                  std::span<const double> weights, const linalg::SmoothMinimum &minimum) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Solution solution;
    describe_predictor(source.preprocess(), source.choice(), minimum.x, solution);
    solution.source_rows = source.rows().rows();
    solution.source_weights.assign(weights.begin(), weights.end());
    solution.source_weights.resize(solution.source_rows, 0.0);
    solution.objective = minimum.value;
    solution.duality_gap = loss::is_convex(source.choice()) ? minimum.gap : kNone;
    solution.gradient_mapping = linalg::gradient_mapping(minimum.x, minimum.gradient, hyper.radius);
    solution.iterations = static_cast<std::int64_t>(minimum.iterations);
    solution.termination = termination(minimum.stop);
    solution.settings = used_settings(hyper, kNone, source.clipping());
    return solution;
}

}  // namespace

linalg::SmoothMinimum fit_theta(const PreparedProblem &problem, std::span<const double> source,
                                std::span<const double> target, const Settings &settings,
                                Control &control) {
    const PublicSample &sample = problem.public_sample();
    return minimize({{&sample.loss_rows(), source}, {&problem.target_loss_rows(), target}}, sample,
                    problem.hyperparameters(), settings, control);
}

Solution fit_weighted(const PreparedProblem &problem, std::span<const double> source,
                      std::span<const double> target, const Settings &settings, Control &control) {
    Solution solution = describe(problem.public_sample(), problem.hyperparameters(), source,
                                 fit_theta(problem, source, target, settings, control));
    solution.target_rows = problem.target().rows();
    solution.target_weights.assign(target.begin(), target.end());
    solution.target_weights.resize(solution.target_rows, 0.0);
    return solution;
}

Solution fit_source(const PublicSample &source, const Hyperparameters &hyper,
                    const Weights &weights, const Settings &settings, Control &control) {
    Solution solution =
        describe(source, hyper, weights.q,
                 minimize({{&source.loss_rows(), weights.q}}, source, hyper, settings, control));
    solution.objective = weights.objective;
    solution.duality_gap = weights.duality_gap;
    solution.iterations = weights.iterations;
    solution.termination = weights.termination;
    return solution;
}

}  // namespace dpadapt::baseline
