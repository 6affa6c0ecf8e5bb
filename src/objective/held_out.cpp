#include "objective/held_out.hpp"

#include <cmath>
#include <limits>

#include "base/splitmix.hpp"
#include "linalg/smooth_minimum.hpp"
#include "objective/penalty.hpp"

namespace dpadapt {
namespace {

/** Weighted losses of both samples. */
class WeightedRows : public linalg::SmoothFunction {
  public:
    /** Weights of the target's rows are those that it is given. */
    WeightedRows(const PreparedProblem &problem, double alpha, std::vector<double> target) {
        const LossRows &source = problem.public_sample().loss_rows();
        parts_[0] = {&source, source.sample().shares(alpha)};
        parts_[1] = {&problem.target_loss_rows(), std::move(target)};
    }

    double evaluate(const arma::vec &theta, arma::vec &gradient) override {
        gradient.zeros(theta.n_elem);
        double value = 0.0;
        for (const Part &part : parts_) {
            losses_.resize(part.rows->rows());
            gradient += part.rows->gradient(theta, part.weight.data(), losses_.data());
            for (std::size_t i = 0; i < losses_.size(); ++i)
                if (part.weight[i] > 0.0) value += part.weight[i] * losses_[i];
        }
        return value;
    }

    arma::vec diagonal(const arma::vec &theta) override {
        return parts_[0].rows->diagonal(theta, parts_[0].weight.data()) +
               parts_[1].rows->diagonal(theta, parts_[1].weight.data());
    }

  private:
    struct Part {
        const LossRows *rows = nullptr;
        std::vector<double> weight;
    };

    Part parts_[2];
    std::vector<double> losses_;
};

}  // namespace

std::pair<double, LeftOutCharge> alpha_by_held_out_rows(const PreparedProblem &problem,
                                                        const Settings &settings, double radius,
                                                        Control &control) {
    constexpr double kAlphas[] = {0.5, 0.1, 0.01};
    constexpr std::size_t kParts = 4;
    constexpr double kTolerance = 1e-4;
    constexpr std::size_t kMostIterations = 200;
    const LossRows &target = problem.target_loss_rows();
    const std::size_t n = target.rows();
    const double most = default_alpha(problem.source().rows(), n);
    const std::size_t held = n / kParts;
    if (held == 0) return {most, {}};
    std::vector<bool> is_held(n, false);
    for (const std::size_t i : SplitMix64(settings.loss.start_seed).draw(n, held))
        is_held[i] = true;
    std::vector<double> alphas{most};
    for (const double alpha : kAlphas)
        if (alpha < most) alphas.push_back(alpha);

    const std::vector<double> relative = target.sample().shares(static_cast<double>(n));
    std::vector<double> weights_of_held;
    double learnt = 0.0;  // weight of the rows that are not held
    for (std::size_t i = 0; i < n; ++i)
        is_held[i] ? weights_of_held.push_back(relative[i]) : void(learnt += relative[i]);
    if (!(learnt > 0.0)) return {most, {}};

    LeftOutCharge least{std::numeric_limits<double>::infinity(), {}};
    double best = most;
    std::vector<double> losses(n);
    for (std::size_t k = 0; k < alphas.size(); ++k) {
        const auto report = [&](std::size_t, double, double) {
            control.report(
                {"trust", static_cast<std::int64_t>(k), static_cast<std::int64_t>(alphas.size())});
        };
        std::vector<double> weight(n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            if (!is_held[i]) weight[i] = (1.0 - alphas[k]) / learnt * relative[i];
        WeightedRows function(problem, alphas[k], std::move(weight));
        const arma::vec theta =
            linalg::minimize_smooth(function, problem.source_fit(),
                                    {radius, kTolerance, kMostIterations}, report)
                .x;
        target.losses(theta, losses.data());
        std::vector<double> of_held;
        for (std::size_t i = 0; i < n; ++i)
            if (is_held[i]) of_held.push_back(losses[i]);
        const double mean = mean_charge(problem.hyperparameters(), of_held, weights_of_held);
        if (mean < least.mean) {
            least = {mean, std::move(of_held)};
            best = alphas[k];
        }
    }
    return {best, std::move(least)};
}

}  // namespace dpadapt
