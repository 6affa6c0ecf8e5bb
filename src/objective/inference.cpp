#include "objective/inference.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/splitmix.hpp"
#include "linalg/smooth_minimum.hpp"
#include "linalg/trust_region.hpp"
#include "objective/left_out.hpp"
#include "objective/penalty.hpp"

namespace dpadapt {

namespace {

/** The change of coordinates from theta to what the user sees, without its constant part. */
arma::vec user_vector(const Preprocess &preprocess, const arma::vec &theta) {
    const Predictor predictor = preprocess.to_user(theta);
    if (!preprocess.has_intercept()) return predictor.coefficients;
    return arma::join_cols(predictor.coefficients, arma::vec{predictor.intercept});
}

}  // namespace

std::optional<arma::mat> safe_inverse(const arma::mat &matrix) {
    constexpr double kLeast = 1e-10;
    const arma::vec size = arma::sqrt(matrix.diag());
    if (!size.is_finite() || arma::any(size <= 0.0)) return {};
    const arma::mat scaled = arma::symmatu(matrix / (size * size.t()));
    const linalg::Spectrum spectrum = linalg::decompose(scaled);
    if (!(spectrum.values.min() > kLeast)) return {};
    return arma::mat(spectrum.with(1.0 / spectrum.values) / (size * size.t()));
}

std::optional<Estimated> estimate_alone(const PreparedSample &rows, const loss::ScoreLoss &loss,
                                        const arma::vec &start) {
    constexpr int kSteps = 50;
    constexpr double kArrived = 1e-18;  // of the decrement, relative to the loss
    arma::vec theta = start;
    RowSums sums = row_sums(rows, loss, theta);
    for (int step = 0; step < kSteps; ++step) {
        const std::optional<arma::mat> inverse = safe_inverse(sums.curvature);
        if (!inverse) return {};
        const arma::vec direction = *inverse * sums.gradient;
        const double decrement = arma::dot(direction, sums.gradient);
        double length = 1.0;
        RowSums next = row_sums(rows, loss, theta - direction);
        while (next.loss > sums.loss && length > 1e-6) {
            length /= 2.0;
            next = row_sums(rows, loss, theta - length * direction);
        }
        const bool better = next.loss <= sums.loss;
        if (better) theta -= length * direction;
        if (better) sums = std::move(next);
        if (!(decrement > kArrived * (1.0 + std::abs(sums.loss))) || !better) {
            const std::optional<arma::mat> bread = safe_inverse(sums.curvature);
            if (!bread || !theta.is_finite()) return {};
            const arma::mat meat = mean_square(rows, loss, theta, {}, *bread, SquareOf::mean);
            return Estimated{theta, *bread * meat * *bread / static_cast<double>(rows.rows())};
        }
    }
    return {};  // as of classes that the features separate
}

Inference describe_inference(const Preprocess &preprocess, const Estimated &target,
                             const std::optional<Estimated> &other, double freedom) {
    Inference inference;
    inference.why = NoInference::undetermined;
    const arma::uword d = target.theta.n_elem;
    const arma::vec zero = user_vector(preprocess, arma::vec(d, arma::fill::zeros));
    arma::mat map(zero.n_elem, d);
    for (arma::uword k = 0; k < d; ++k) {
        arma::vec unit(d, arma::fill::zeros);
        unit(k) = 1.0;
        map.col(k) = user_vector(preprocess, unit) - zero;
    }
    const arma::vec estimate = user_vector(preprocess, target.theta);
    const arma::mat covariance = arma::symmatu(map * target.covariance * map.t());
    if (!estimate.is_finite() || !covariance.is_finite() || arma::any(covariance.diag() < 0.0))
        return inference;
    inference.why = NoInference::there;
    inference.estimate.assign(estimate.begin(), estimate.end());
    inference.covariance.assign(covariance.begin(), covariance.end());
    inference.freedom = freedom;
    inference.difference = std::numeric_limits<double>::quiet_NaN();
    if (!other) return inference;
    const arma::vec apart = target.theta - other->theta;
    if (const auto inverse = safe_inverse(target.covariance + other->covariance))
        inference.difference = arma::dot(apart, *inverse * apart);
    return inference;
}

Inference infer(const PreparedSample &target, const PublicSample *source,
                const Preprocess &preprocess, const loss::ScoreLoss &loss, const arma::vec &start) {
    Inference inference;
    inference.why = NoInference::few_rows;
    const std::size_t d = preprocess.dimension();
    if (target.rows() <= d || !preprocess.basis().is_empty()) return inference;
    const std::optional<Estimated> own = estimate_alone(target, loss, start);
    inference.why = NoInference::undetermined;
    if (!own) return inference;
    std::optional<Estimated> other;
    if (source != nullptr) other = estimate_alone(source->rows(), loss, source->fit());
    return describe_inference(preprocess, *own, other, static_cast<double>(target.rows() - d));
}

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

/** About so many, by the seed; of not too many, copies together. */
std::vector<bool> held_out(const LossRows &rows, std::size_t count, std::uint64_t seed) {
    constexpr std::size_t kMostRows = 5000;  // as where single rows are left out
    const std::size_t n = rows.rows();
    std::vector<std::size_t> group(n);
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::size_t groups = n;
    if (n <= kMostRows) {
        arma::mat all;
        rows.sample().fill(0, n, all);
        if (const auto distinct = copies(all, rows.sample().labels())) {
            group = distinct->point;
            groups = distinct->size();
        }
    }
    std::vector<bool> chosen(groups, false);
    for (const std::size_t k :
         SplitMix64(seed).draw(groups, std::max<std::size_t>(1, count * groups / n)))
        chosen[k] = true;
    std::vector<bool> is_held(n);
    for (std::size_t i = 0; i < n; ++i) is_held[i] = chosen[group[i]];
    return is_held;
}

}  // namespace

std::pair<double, LeftOutCharge> alpha_by_held_out_rows(const PreparedProblem &problem,
                                                        const Settings &settings, double radius,
                                                        Control &control) {
    constexpr double kAlphas[] = {0.5, 0.1, 0.01};  // docs/defaults.md
    constexpr std::size_t kParts = 4;
    constexpr double kTolerance = 1e-4;
    constexpr std::size_t kMostIterations = 200;
    const LossRows &target = problem.target_loss_rows();
    const std::size_t n = target.rows();
    const double most = default_alpha(problem.source().rows(), n);
    if (n < kParts) return {most, {}};
    const std::vector<bool> is_held = held_out(target, n / kParts, settings.loss.start_seed);
    std::vector<double> alphas{most};
    for (const double alpha : kAlphas)
        if (alpha < most) alphas.push_back(alpha);

    const std::vector<double> relative = target.sample().shares(static_cast<double>(n));
    std::vector<double> weights_of_held;
    double learnt = 0.0;  // weight of the rows that are not held
    for (std::size_t i = 0; i < n; ++i)
        if (is_held[i])
            weights_of_held.push_back(relative[i]);
        else
            learnt += relative[i];
    if (!(learnt > 0.0)) return {most, {}};

    LeftOutCharge least{std::numeric_limits<double>::infinity(), {}};
    double best = most;
    std::vector<double> losses(n);
    for (std::size_t k = 0; k < alphas.size(); ++k) {
        const auto report = [&](std::size_t, double, double) {
            control.report({"choose alpha", k, alphas.size()});
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
