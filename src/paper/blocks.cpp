#include "paper/blocks.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "records/paid_call.hpp"

namespace dpadapt::paper {

Blocks::Blocks(const PrivateRun &run, double source_cost, double target_cost,
               const loss::Bounds &bounds)
    : run_(run), bounds_(bounds) {
    const double alpha = run.problem.hyperparameters().alpha;
    add(privacy::kSource, alpha, source_cost);
    add(privacy::kTarget, 1.0 - alpha, target_cost);
}

void Blocks::add(privacy::Domains domain, double share, double cost) {
    if (share == 0.0) return;
    const std::size_t rows = run_.problem.rows(domain);
    Block block{domain, share / static_cast<double>(rows), cost, {}, {}, {}};
    block.v.ones(rows);
    if (run_.problem.is_private(domain)) {
        block.rows.emplace(run_.problem, domain);
        unit_ = std::max(unit_, block.p);
        private_records_ += rows;
    }
    blocks_.push_back(std::move(block));
}

double Blocks::value_unit() const {
    return run_.plan.weights_most > 0 ? bounds_.value / static_cast<double>(run_.plan.weights_most)
                                      : 0.0;
}

double Blocks::loss_noise(const Block &block) const {
    return block.rows ? value_unit() * std::ldexp(1.0, run_.plan.gradient.bits) : 0.0;
}

arma::vec Blocks::release(std::uint64_t step, decltype(records::PaperTask::loss) loss) {
    records::PaperTask task;
    task.loss = std::move(loss);
    const std::size_t parameters = task.theta().n_elem;
    const auto theta_noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, parameters);
    const auto v_noise = gaussian_noise(run_, random::Purpose::gaussian_u, step, private_records_);
    sums::VectorSum gradient(parameters, run_.plan.gradient);
    std::vector<std::int64_t> losses;
    task.grid = run_.plan.gradient;
    task.gradient_bound = bounds_.lipschitz;
    task.loss_bound = bounds_.value;
    task.loss_unit = value_unit();
    task.loss_most = run_.plan.weights_most;
    for (const Block &block : blocks_) {
        if (!block.rows) continue;
        task.v = block.v;
        task.weight = block.p / unit_;
        const sums::PaperSum sum = block.rows->sum(task);
        gradient.merge(sum.gradient());
        const std::vector<std::int64_t> of_block = sum.losses();
        if (of_block.size() != block.v.n_elem)
            throw Error(DPA_E_INTERNAL, "the loss of each private record must be there once");
        losses.insert(losses.end(), of_block.begin(), of_block.end());
    }
    const arma::vec values = dpadapt::release(run_, random::Purpose::gaussian_w, step, gradient,
                                              theta_noise, private_records_);
    release_losses(step, losses, v_noise);
    return unit_ * values;
}

void Blocks::release_losses(std::uint64_t step, const std::vector<std::int64_t> &losses,
                            std::span<const std::int64_t> noise) {
    std::vector<double> released(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        // mutant: weights_without_noise
        released[i] = sums::release_entry(losses[i], noise[i], value_unit());
    if (run_.trace != nullptr)
        released =
            run_.trace->on_release(random::Purpose::gaussian_u, step, losses, std::move(released));
    const arma::vec noisy(released);
    std::size_t first = 0;
    for (Block &block : blocks_) {
        if (!block.rows) continue;
        block.gradient =
            -block.p * (noisy.subvec(first, arma::size(block.v)) + block.d / arma::square(block.v));
        first += block.v.n_elem;
    }
}

void give_weights(const Block &block, const arma::vec &q, PrivateFit &fit) {
    auto &weights = block.domain == privacy::kSource ? fit.source_weights : fit.target_weights;
    weights.assign(q.begin(), q.end());
}

namespace {

double square(double x) { return x * x; }

/** The numbers of the formulas by their names there. */
struct Symbols {
    double alpha, lambda, b, g, m, n, d, epsilon, delta, t;
};

/** Bound on ||u_0 - u*||^2 of a sample, for steps that start at u_0 = 1/p. Where the derivative
 *  vanishes, kappa_1 p^2 <= (l + d + kappa_2 + kappa_inf)/u^2. */
double most_distance(const Hyperparameters &hyper, double cost, double rows, double weight) {
    const double v = std::sqrt((cost + hyper.kappa_2 + hyper.kappa_inf) / hyper.kappa_1);
    if (std::isnan(v)) return v;
    return weight > 0.0 ? rows * square((std::max(v, 1.0) - 1.0) * rows / weight) : 0.0;
}

/** Theorem 1, and the inequality that its proof in the appendix shows. */
Convergence convex(const Hyperparameters &hyper, const Symbols &s) {
    const double bar = s.b + hyper.kappa_1 + hyper.kappa_2 + hyper.kappa_inf;
    const double share = 1.0 - s.alpha;
    const double logarithm = std::log(1.0 / s.delta);
    const double noise = std::log(2.0 / s.delta) / square(s.epsilon);
    const double target = most_distance(hyper, s.b, s.n, share);
    const double source = most_distance(hyper, 2.0 * s.b, s.m, s.alpha);
    const double ratio = square(s.epsilon * bar / s.b) / logarithm;
    Convergence result{.theorem = 1, .steps = s.t};
    const double by_noise = square(s.n * s.epsilon / share) / (s.d * logarithm);
    result.theorem_steps = std::isnan(ratio)
                               ? ratio
                               : std::max({1.0, by_noise, ratio, ratio * std::pow(s.n / s.m, 3)});
    result.predictor =
        s.lambda * s.g * std::sqrt(1.0 / s.t + 32.0 * square(share / s.n) * s.d * noise);
    result.private_weights = square(share) * (target + 1.0) / (2.0 * std::pow(s.n, 1.5)) *
                             std::sqrt(square(bar) / s.t + 8.0 * square(s.b) * noise);
    result.rest = square(s.alpha) * (source + 1.0) * (s.b + bar) /
                  (2.0 * std::pow(s.m, 1.5) * std::sqrt(s.t));
    // F at the start, where u = 1/p; it is never negative.
    result.trivial = s.b * (1.0 + s.alpha) +
                     hyper.kappa_2 * std::hypot(s.alpha / std::sqrt(s.m), share / std::sqrt(s.n)) +
                     hyper.kappa_inf * std::max(s.alpha / s.m, share / s.n);
    return result;
}

/** Theorem 4, and the last lines of its proof in the appendix. */
Convergence general(const Hyperparameters &hyper, const loss::Bounds &bounds, const Symbols &s) {
    const double share = 1.0 - s.alpha;
    // The curvature is the largest where the unknown discrepancy is at an end.
    const double beta = std::max(smoothness_of(hyper, bounds, 0.0, s.m, s.n).whole,
                                 smoothness_of(hyper, bounds, s.b, s.m, s.n).whole);
    const double range = 2.0 * s.b + hyper.lambda_1 +
                         hyper.lambda_2 * (s.alpha / std::sqrt(s.m) + share / std::sqrt(s.n)) +
                         hyper.lambda_inf * std::max(s.alpha / s.m, share / s.n);
    const double noise = std::log(2.0 / s.delta) / square(s.epsilon);
    Convergence result{.theorem = 4, .steps = s.t};
    result.theorem_steps = std::sqrt(beta * range) * std::pow(s.n, 1.5) /
                           (share * std::sqrt(noise) *
                            std::sqrt(40.0 * square(s.g) * s.d * s.n + square(share * s.b)));
    result.rest = 8.0 * beta * range / s.t;
    result.predictor = 8.0 * 40.0 * square(share * s.g / s.n) * s.d * s.t * noise;
    result.private_weights = 8.0 * square(square(share) * s.b) * s.t * noise / std::pow(s.n, 3);
    // The mapping is no longer than the gradient, which the paper's lemma bounds.
    const double bar = s.b + hyper.lambda_1 + hyper.lambda_2 + hyper.lambda_inf;
    result.trivial = square(s.g) + square(square(s.alpha) * (s.b + bar) / std::pow(s.m, 1.5)) +
                     square(square(share) * bar / std::pow(s.n, 1.5));
    return result;
}

}  // namespace

Convergence convergence(const Hyperparameters &hyper, const PlanFacts &facts, double epsilon,
                        double delta, double steps) {
    const Symbols symbols{hyper.alpha,
                          facts.radius,
                          facts.bounds.value,
                          facts.bounds.lipschitz,
                          static_cast<double>(facts.source_rows),
                          static_cast<double>(facts.target_rows),
                          static_cast<double>(facts.parameters),
                          epsilon,
                          delta,
                          steps};
    return hyper.penalty == PenaltyKind::convex ? convex(hyper, symbols)
                                                : general(hyper, facts.bounds, symbols);
}

}  // namespace dpadapt::paper
