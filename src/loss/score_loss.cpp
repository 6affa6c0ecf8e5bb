#include "loss/score_loss.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "linalg/kernels.hpp"

namespace dpadapt::loss {

std::size_t ScoreLoss::parameters(std::size_t features) const { return features * outputs(); }

void ScoreLoss::scores(const Block &block, std::span<const double> theta,
                       std::span<double> scores) const {
    const linalg::MatrixView x{block.x, block.rows, block.features, block.features, true};
    for (std::size_t k = 0; k < outputs(); ++k)
        linalg::row_products(x, theta.data() + k * block.features, 0, block.rows,
                             scores.data() + k * block.rows);
}

/** The gradient of l(W'x) by column k of W is dl/ds_k x. */
void ScoreLoss::evaluate(const Block &block, std::span<const double> theta,
                         std::span<double> losses, std::span<double> gradients) const {
    const std::size_t n = block.rows;
    std::vector<double> score(n * outputs());
    std::vector<double> slope(gradients.empty() ? 0 : score.size());
    scores(block, theta, score);
    slopes(n, score.data(), block.label, losses.data(), slope.empty() ? nullptr : slope.data());
    if (gradients.empty()) return;
    double *out = gradients.data();
    for (std::size_t i = 0; i < n; ++i) {
        const double *x = block.x + i * block.features;
        for (std::size_t k = 0; k < outputs(); ++k)
            for (std::size_t j = 0; j < block.features; ++j) *out++ = slope[k * n + i] * x[j];
    }
}

void ScoreLoss::diagonals(std::size_t n, const double *score, const double *label,
                          double *out) const {
    std::vector<double> image(n * outputs());
    for (std::size_t k = 0; k < outputs(); ++k) {
        std::vector<double> direction(n * outputs(), 0.0);
        std::fill_n(direction.data() + k * n, n, 1.0);
        curvatures(n, score, label, direction.data(), image.data());
        std::copy_n(image.data() + k * n, n, out + k * n);
    }
}

/** ||W'x|| <= Lambda R; the derivatives by W are those by s times x, and x x' for each pair of
 *  classes. */
Bounds ScoreLoss::bounds(const Range &range) const {
    const double r = range.feature_radius;
    const Bounds by_score = score_bounds(range.radius * r, range.label_bound);
    return {by_score.value, by_score.lipschitz * r, by_score.smoothness * r * r};
}

void ScoreLoss::predict(std::size_t n, const double *score, double *prediction) const {
    std::copy_n(score, n, prediction);
}

void ScoreLoss::probabilities(std::size_t /*n*/, const double * /*score*/, double * /*out*/) const {
    throw Error(DPA_E_UNSUPPORTED, "a loss without classes has no probabilities");
}

}  // namespace dpadapt::loss
