#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "baseline/weight_methods.hpp"

namespace dpadapt::baseline {
namespace {

/** The points of `count` records in random order. */
arma::uvec draw_records(const Points &points, std::size_t count, SplitMix64 &random) {
    std::vector<arma::uword> records;
    for (arma::uword i = 0; i < points.size(); ++i)
        records.insert(records.end(), static_cast<std::size_t>(points.count(i)), i);
    arma::uvec drawn(count);
    const auto order = random.draw(records.size(), count);
    for (std::size_t i = 0; i < count; ++i) drawn(i) = records[order[i]];
    return drawn;
}

arma::mat mean_square(const arma::mat &kernel, const arma::vec &count) {
    const arma::mat scaled = kernel.each_row() % arma::sqrt(count / arma::accu(count)).t();
    return scaled * scaled.t();
}

/** What a choice of gamma needs: kernel vectors as columns, and their means. */
struct RatioMoments {
    RatioMoments(const PointPair &points, const Points &centers, double width,
                 double relative_alpha, std::size_t threads)
        : gamma(width),
          alpha(relative_alpha),
          phi(kernel_matrix(centers, points.source, gamma, threads)),
          psi(kernel_matrix(centers, points.target, gamma, threads)),
          h(psi * points.target.count / points.target.records()),
          source(mean_square(phi, points.source.count)),
          target(mean_square(psi, points.target.count)) {}

    double gamma;
    double alpha;
    arma::mat phi;
    arma::mat psi;
    arma::vec h;
    arma::mat source;
    arma::mat target;
};

arma::mat factor(arma::mat matrix, double lambda) {
    matrix.diag() += lambda;
    arma::mat r;
    // What is NaN may pass as a factor.
    if (!arma::chol(r, matrix) || !r.is_finite())
        throw Error(DPA_E_NUMERICAL, "the kernel moments with the penalty lambda are singular");
    return r;
}

arma::mat solve(const arma::mat &r, const arma::mat &b) {
    arma::mat half;
    arma::mat x;
    if (!arma::solve(half, arma::trimatl(r.t()), b) || !arma::solve(x, arma::trimatu(r), half))
        throw Error(DPA_E_NUMERICAL, "the kernel moments with the penalty lambda are singular");
    return x;
}

/** Leave-one-out: records of both samples in pairs. */
struct DrawnPairs {
    DrawnPairs(const PointPair &points, std::uint64_t seed)
        : m(points.source.records()), n(points.target.records()) {
        SplitMix64 random(seed);
        const auto count = static_cast<std::size_t>(std::min(m, n));
        source = draw_records(points.source, count, random);
        target = draw_records(points.target, count, random);
    }

    /** Mean over the pairs of 1/2 ((1 - alpha) (phi.theta)^2 + alpha (psi.theta)^2) - psi.theta,
     *  theta fitted without the pair: both are taken out of the moments by an update of rank
     *  two. */
    [[nodiscard]] double score(const RatioMoments &moments, double lambda) const {
        const double alpha = moments.alpha;
        const arma::mat r = factor(
            alpha * n / (n - 1.0) * moments.target + (1.0 - alpha) * m / (m - 1.0) * moments.source,
            lambda);
        const arma::mat phi = moments.phi.cols(source);
        const arma::mat psi = moments.psi.cols(target);
        const arma::mat inverse_phi = solve(r, phi);
        const arma::mat inverse_psi = solve(r, psi);
        const arma::vec inverse_h = solve(r, moments.h);
        const double a = alpha / (n - 1.0);
        const double b = (1.0 - alpha) / (m - 1.0);
        double sum = 0.0;
        for (arma::uword i = 0; i < phi.n_cols; ++i) {
            const arma::vec base = (n * inverse_h - inverse_psi.col(i)) / (n - 1.0);
            const double cross = arma::dot(phi.col(i), inverse_psi.col(i));
            const arma::mat::fixed<2, 2> middle{
                {1.0 - a * arma::dot(psi.col(i), inverse_psi.col(i)), -b * cross},
                {-a * cross, 1.0 - b * arma::dot(phi.col(i), inverse_phi.col(i))}};
            const double u = arma::dot(psi.col(i), base);
            const double v = arma::dot(phi.col(i), base);
            const double det = middle(0, 0) * middle(1, 1) - middle(0, 1) * middle(1, 0);
            const double by_psi = (middle(1, 1) * u - middle(0, 1) * v) / det;
            const double by_phi = (middle(0, 0) * v - middle(1, 0) * u) / det;
            const arma::vec theta = arma::clamp(
                base + a * by_psi * inverse_psi.col(i) + b * by_phi * inverse_phi.col(i), 0.0,
                std::numeric_limits<double>::infinity());
            const double at_source = arma::dot(phi.col(i), theta);
            const double at_target = arma::dot(psi.col(i), theta);
            sum += 0.5 * ((1.0 - alpha) * at_source * at_source + alpha * at_target * at_target) -
                   at_target;
        }
        return sum / static_cast<double>(phi.n_cols);
    }

    double m;
    double n;
    arma::uvec source;  ///< point of each pair
    arma::uvec target;
};

/** theta, unclipped, with the certificate of the quadratic: half the residual in the inverse
 *  metric. */
arma::vec fit_theta(const RatioMoments &moments, double lambda, Weights &weights) {
    const arma::mat h = moments.alpha * moments.target + (1.0 - moments.alpha) * moments.source;
    const arma::mat r = factor(h, lambda);
    arma::vec theta = solve(r, moments.h);
    const arma::vec residual = h * theta + lambda * theta - moments.h;
    weights.objective =
        0.5 * arma::dot(theta, h * theta + lambda * theta) - arma::dot(moments.h, theta);
    weights.duality_gap = 0.5 * std::max(0.0, arma::dot(residual, solve(r, residual)));
    weights.iterations = 1;
    return theta;
}

struct Choice {
    double gamma;
    double lambda;
};

Choice select(const PointPair &points, const Points &centers, const LeastSquaresOptions &options,
              const Limits &limits, Control &control) {
    constexpr double kLambda = 0.1;
    Choice best{options.gamma ? *options.gamma : default_gamma(points),
                options.lambda.value_or(kLambda)};
    const bool chosen = options.gamma && options.lambda;
    if (chosen || std::min(points.source.records(), points.target.records()) < 2.0) return best;
    std::vector<double> gammas = gamma_grid(points);
    if (options.gamma) gammas = {*options.gamma};
    std::vector<double> lambdas;
    for (int half = -6; half <= 2; ++half) lambdas.push_back(std::pow(10.0, 0.5 * half));
    if (options.lambda) lambdas = {*options.lambda};
    const DrawnPairs pairs(points, options.seed);
    double lowest = std::numeric_limits<double>::infinity();
    std::int64_t done = 0;
    for (const double gamma : gammas) {
        const RatioMoments moments(points, centers, gamma, options.relative_alpha, limits.threads);
        for (const double lambda : lambdas) {
            control.report({"leave-one-out", done++, gammas.size() * lambdas.size(), lowest});
            const double score = pairs.score(moments, lambda);
            if (!(score < lowest)) continue;
            lowest = score;
            best = {gamma, lambda};
        }
    }
    return best;
}

}  // namespace

RatioFit ulsif(const PreparedSample &source, const PreparedSample &target,
               const LeastSquaresOptions &options, const Limits &limits, Control &control) {
    const PointPair points = point_pair(source, target);
    const Points centers = draw_centers(points.target, options.centers, options.seed);
    const Choice choice = select(points, centers, options, limits, control);
    const RatioMoments moments(points, centers, choice.gamma, options.relative_alpha,
                               limits.threads);
    RatioFit fit;
    fit.lambda = choice.lambda;
    const arma::vec theta = fit_theta(moments, choice.lambda, fit.weights);
    fit.ratio = {centers, arma::clamp(theta, 0.0, std::numeric_limits<double>::infinity()),
                 choice.gamma};
    fit.weights.q = source_weights(points.source, fit.ratio, limits.threads);
    return fit;
}

}  // namespace dpadapt::baseline
