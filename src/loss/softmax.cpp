#include "loss/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "linalg/kernels.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::loss {

namespace {

constexpr std::size_t kRows = 64;

/** At most kRows rows of an n x K array of scores, relative to their largest score: that of the
 *  class `top`. Its exponential is 1, the sum of the others is `rest`; keeping them apart keeps
 *  small losses accurate. */
class Tile {
  public:
    Tile(std::size_t n, std::size_t classes, const double *score)
        : n_(n), classes_(classes), score_(score) {}

    void move(std::size_t begin) {
        begin_ = begin;
        count_ = std::min(kRows, n_ - begin);
        for (std::size_t i = 0; i < count_; ++i) {
            top_[i] = 0;
            for (std::size_t k = 1; k < classes_; ++k)
                if (score(i, k) > score(i, top_[i])) top_[i] = k;
            rest_[i] = 0.0;
        }
        double weight[kRows];
        for (std::size_t k = 0; k < classes_; ++k) {
            weights(k, weight);
            for (std::size_t i = 0; i < count_; ++i) rest_[i] += k == top_[i] ? 0.0 : weight[i];
        }
    }

    /** e^(s_k - s_top) for the rows. */
    void weights(std::size_t k, double *out) const {
        for (std::size_t i = 0; i < count_; ++i) out[i] = score(i, k) - score(i, top_[i]);
        exp(count_, out, out);
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t top(std::size_t i) const { return top_[i]; }
    [[nodiscard]] double rest(std::size_t i) const { return rest_[i]; }
    [[nodiscard]] double score(std::size_t i, std::size_t k) const {
        return score_[k * n_ + begin_ + i];
    }

  private:
    std::size_t n_;
    std::size_t classes_;
    const double *score_;
    std::size_t begin_ = 0;
    std::size_t count_ = 0;
    std::size_t top_[kRows] = {};
    double rest_[kRows] = {};
};

}  // namespace

Softmax::Softmax(std::size_t classes) : classes_(classes) {
    if (classes < 2) throw Error(DPA_E_OPTION, "the softmax loss needs at least two classes");
}

bool Softmax::accepts(double label) const {
    return label >= 0.0 && label < static_cast<double>(classes_) && label == std::floor(label);
}

void Softmax::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    Tile tile(n, classes_, score);
    double weight[kRows];
    for (std::size_t begin = 0; begin < n; begin += kRows) {
        tile.move(begin);
        for (std::size_t i = 0; i < tile.count(); ++i) weight[i] = tile.rest(i);
        log1p(tile.count(), weight, weight);
        for (std::size_t i = 0; i < tile.count(); ++i) {
            const double y = label[begin + i];
            loss[begin + i] = 0.0;
            if (accepts(y))
                loss[begin + i] = tile.score(i, tile.top(i)) -
                                  tile.score(i, static_cast<std::size_t>(y)) + weight[i];
        }
        for (std::size_t k = 0; slope != nullptr && k < classes_; ++k) {
            tile.weights(k, weight);
            for (std::size_t i = 0; i < tile.count(); ++i) {
                const double y = label[begin + i];
                const double total = 1.0 + tile.rest(i);
                double p = weight[i] / total;
                if (y == static_cast<double>(k))
                    p = k == tile.top(i) ? -tile.rest(i) / total : p - 1.0;
                slope[k * n + begin + i] = accepts(y) ? p : 0.0;
            }
        }
    }
}

/** (diag(p) - p p') v = p_k (v_k - p'v). */
void Softmax::curvatures(std::size_t n, const double *score, const double *label,
                         const double *direction, double *out) const {
    probabilities(n, score, out);
    for (std::size_t i = 0; i < n; ++i) {
        double mean = 0.0;
        for (std::size_t k = 0; k < classes_; ++k) mean += out[k * n + i] * direction[k * n + i];
        for (std::size_t k = 0; k < classes_; ++k)
            out[k * n + i] =
                accepts(label[i]) ? out[k * n + i] * (direction[k * n + i] - mean) : 0.0;
    }
}

void Softmax::diagonals(std::size_t n, const double *score, const double *label,
                        double *out) const {
    probabilities(n, score, out);
    for (std::size_t k = 0; k < classes_; ++k)
        for (std::size_t i = 0; i < n; ++i)
            out[k * n + i] *= accepts(label[i]) ? 1.0 - out[k * n + i] : 0.0;
}

Bounds Softmax::score_bounds(double score_radius, double /*label_bound*/) const {
    const double exponent =
        std::numbers::sqrt2 * score_radius + std::log(static_cast<double>(classes_ - 1));
    Bounds bounds{0.0, 0.0, 0.5};
    log1p_exp(1, &exponent, &bounds.value);
    logistic(1, &exponent, &bounds.lipschitz);
    bounds.lipschitz *= std::numbers::sqrt2;
    return bounds;
}

void Softmax::predict(std::size_t n, const double *score, double *prediction) const {
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t top = 0;
        for (std::size_t k = 1; k < classes_; ++k)
            if (score[k * n + i] > score[top * n + i]) top = k;
        prediction[i] = static_cast<double>(top);
    }
}

void Softmax::probabilities(std::size_t n, const double *score, double *out) const {
    Tile tile(n, classes_, score);
    double weight[kRows];
    for (std::size_t begin = 0; begin < n; begin += kRows) {
        tile.move(begin);
        for (std::size_t k = 0; k < classes_; ++k) {
            tile.weights(k, weight);
            for (std::size_t i = 0; i < tile.count(); ++i)
                out[k * n + begin + i] = weight[i] / (1.0 + tile.rest(i));
        }
    }
}

void Votes::evaluate(const Block & /*block*/, std::span<const double> /*theta*/,
                     std::span<double> /*losses*/, std::span<double> /*gradients*/) const {
    throw Error(DPA_E_UNSUPPORTED, "a vote of classifiers has no gradient");
}

Bounds Votes::bounds(const Range & /*range*/) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {kInfinity, kInfinity, kInfinity};
}

void Votes::scores(const Block &block, std::span<const double> theta,
                   std::span<double> scores) const {
    const linalg::MatrixView x{block.x, block.rows, block.features, block.features, true};
    std::vector<double> product(block.rows);
    std::fill(scores.begin(), scores.end(), 0.0);
    for (std::size_t k = 0; k < classifiers_; ++k) {
        const double *beta = theta.data() + k * (block.features + 1);
        linalg::row_products(x, beta + 1, 0, block.rows, product.data());
        for (std::size_t i = 0; i < block.rows; ++i)
            scores[i] += std::isnan(product[i]) ? product[i] : product[i] < 0.0 ? -*beta : *beta;
    }
}

}  // namespace dpadapt::loss
