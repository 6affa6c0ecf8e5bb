#include "objective/inference.hpp"

#include <cmath>
#include <limits>

#include "linalg/trust_region.hpp"
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

}  // namespace dpadapt
