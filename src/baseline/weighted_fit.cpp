#include "baseline/weighted_fit.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "baseline/closed_form.hpp"
#include "linalg/trust_region.hpp"
#include "objective/left_out.hpp"
#include "objective/solve.hpp"
#include "problem/defaults.hpp"
#include "solution/findings.hpp"

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
            value += std::inner_product(weight.begin(), weight.end(), losses_.begin(), 0.0);
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

linalg::SmoothMinimum minimize(std::initializer_list<Part> parts, const PublicSample &source,
                               const Hyperparameters &hyper, const Settings &settings,
                               Control &control) {
    const std::size_t limit = settings.iterations.value_or(defaults::kIterations);
    WeightedLoss function(parts, source.newton(), settings.baseline.ridge);
    return linalg::minimize_smooth(function, source.fit(),
                                   {hyper.radius, settings.tolerance, limit},
                                   linalg::reporting(control, "weighted fit", limit));
}

/** What the source and the minimum tell. */
Solution describe(const PublicSample &source, const Hyperparameters &hyper,
                  std::span<const double> weights, const linalg::SmoothMinimum &minimum) {
    Solution solution = describe_predictor(source.preprocess(), source.choice(), minimum.x);
    solution.source_rows = source.rows().rows();
    solution.source_weights.assign(weights.begin(), weights.end());
    solution.source_weights.resize(solution.source_rows, 0.0);
    solution.objective = minimum.value;
    if (loss::is_convex(source.choice())) solution.duality_gap = minimum.gap;
    solution.gradient_mapping = linalg::gradient_mapping(minimum.x, minimum.gradient, hyper.radius);
    solution.iterations = static_cast<std::int64_t>(minimum.iterations);
    solution.termination = termination(minimum.stop);
    solution.settings = used_settings(hyper, source.clipping());
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

namespace {

/** Half of s ||w - w_0||^2. */
SourcePrior prior_of_fit(const PreparedProblem &problem) {
    const arma::mat second = problem.target().moments().second;
    const double scale = problem.public_sample().loss().output()->largest_curvature() *
                         arma::trace(second) / static_cast<double>(second.n_rows);
    const double s = scale > 0.0 ? scale : 1.0;
    return {s * arma::eye(second.n_rows, second.n_rows), problem.source_fit()};
}

}  // namespace

Solution biased_ridge(const PreparedProblem &problem, const Settings &settings, Control &control) {
    constexpr double kMost = 1000.0;
    constexpr int kHalvings = 36;
    const PublicSample &source = problem.public_sample();
    const bool squared = source.choice().kind == loss::Kind::squared;
    if (!LossRows::has_passes_by_score(source.loss()))
        throw Error(DPA_E_OPTION,
                    "baseline biased_ridge needs a loss of one score that is linear in the "
                    "features");
    const auto n = static_cast<double>(problem.target().rows());
    const ColumnRows rows = some_rows(problem.target(), settings.loss.start_seed);
    const SourcePrior prior = prior_of_fit(problem);
    const double radius = problem.hyperparameters().radius;
    const auto left_out = squared ? left_out_squared(prior, problem.target().moments(), n, rows)
                                  : left_out_newton(prior, *source.loss().output(), rows, radius);
    LeastLeftOut best(rows);  // of equals the nearest to the source
    for (int k = 0; left_out && k < kHalvings; ++k) {
        control.report({"choose alpha", k, kHalvings});
        best.compare(left_out->at(n * std::ldexp(kMost, -k)));
    }
    if (best.theta().is_empty())
        throw Error(DPA_E_NUMERICAL, "no ridge towards the source's fit gives a finite loss");

    return closed_form(problem, best.theta(), 0.0);
}

namespace {

/** (C + I)^power of all coordinates but the constant, which stays. */
arma::mat power_of_covariance(const arma::mat &second, const arma::vec &mean, bool constant,
                              double power) {
    const arma::mat covariance = second - mean * mean.t();
    const arma::uword features = mean.n_elem - (constant ? 1 : 0);
    const linalg::Spectrum spectrum =
        linalg::decompose(arma::symmatu(covariance.submat(0, 0, features - 1, features - 1)));
    const arma::vec values = 1.0 + arma::clamp(spectrum.values, 0.0, arma::datum::inf);
    arma::mat result(arma::size(covariance), arma::fill::eye);
    result.submat(0, 0, features - 1, features - 1) = spectrum.with(arma::pow(values, power));
    return result;
}

arma::mat power_of_covariance(const PreparedSample &rows, bool constant, double power) {
    return power_of_covariance(rows.moments().second, rows.gradient(rows.shares().data()), constant,
                               power);
}

/** Least squares of source rows that are mapped so. */
arma::vec fit_mapped(const Moments &source, const arma::mat &map, double ridge, double radius) {
    arma::mat h = arma::symmatu(map.t() * source.second * map);
    h.diag() += ridge;
    return linalg::minimize_in_ball(linalg::decompose(std::move(h)), -map.t() * source.cross,
                                    radius)
        .x;
}

}  // namespace

Solution coral(const PreparedProblem &problem, const Settings &settings, Control &control) {
    control.report({"weighted fit"});
    const bool constant = problem.preprocess().has_intercept();
    const arma::mat map = power_of_covariance(problem.source(), constant, -0.5) *
                          power_of_covariance(problem.target_features(), constant, 0.5);
    const arma::vec w = fit_mapped(problem.source_moments(), map, settings.baseline.ridge,
                                   problem.hyperparameters().radius);
    return closed_form(problem, w, 1.0);
}

Solution fit_private_coral(const PrivateMoments &call, const Moments &target) {
    const PreparedSample &source = call.problem().public_sample()->rows();
    const arma::vec mean = target.second.tail_cols(1);  // with the constant
    const arma::mat map = power_of_covariance(source, true, -0.5) *
                          power_of_covariance(target.second, mean, true, 0.5);
    const arma::vec w =
        fit_mapped(source.moments(), map, call.settings().baseline.ridge, call.facts().radius);
    return call.solution(w, 1.0, 1);
}

}  // namespace dpadapt::baseline
