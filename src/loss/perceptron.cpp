#include "loss/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "linalg/kernels.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::loss {

namespace {

/** below = (W' delta) tanh', with tanh' = (1 - a)(1 + a): what reaches the layer whose outputs a
 *  the matrix W reads. Both deltas have one column a unit; the last weight of each unit is that of
 *  the constant. */
std::vector<double> pass_back(std::size_t n, std::size_t read, std::size_t units, const double *w,
                              const std::vector<double> &delta, const std::vector<double> &a) {
    std::vector<double> below(n * (read - 1), 0.0);
    for (std::size_t v = 0; v + 1 < read; ++v) {
        double *column = below.data() + v * n;
        for (std::size_t u = 0; u < units; ++u)
            for (std::size_t i = 0; i < n; ++i) column[i] += delta[u * n + i] * w[u * read + v];
        for (std::size_t i = 0; i < n; ++i)
            column[i] *= (1.0 - a[i * read + v]) * (1.0 + a[i * read + v]);
    }
    return below;
}

}  // namespace

Perceptron::Perceptron(std::vector<std::size_t> hidden, std::unique_ptr<const ScoreLoss> output,
                       double unit)
    : hidden_(std::move(hidden)), output_(std::move(output)), unit_(unit) {
    if (std::find(hidden_.begin(), hidden_.end(), 0U) != hidden_.end())
        throw Error(DPA_E_OPTION, "a hidden layer needs at least one unit");
}

std::vector<Perceptron::Layer> Perceptron::layers(std::size_t features) const {
    std::vector<Layer> result;
    Layer next{features, 0, 0};
    for (const std::size_t units : hidden_) {
        next.units = units;
        result.push_back(next);
        next = {units + 1, 0, next.offset + next.read * units};
    }
    next.units = output_->outputs();
    result.push_back(next);
    return result;
}

std::size_t Perceptron::parameters(std::size_t features) const {
    const Layer last = layers(features).back();
    return last.offset + last.read * last.units;
}

std::vector<double> Perceptron::start(std::size_t features, std::uint64_t seed) const {
    std::vector<double> theta;
    SplitMix64 bits(seed);
    for (const Layer &layer : layers(features)) {
        const std::size_t weights = layer.offset == 0 ? layer.read : layer.read - 1;
        const double most = std::sqrt(6.0 / static_cast<double>(weights + layer.units));
        for (std::size_t u = 0; u < layer.units; ++u) {
            for (std::size_t v = 0; v < weights; ++v) theta.push_back(most * bits.symmetric());
            theta.resize(theta.size() + layer.read - weights, 0.0);
        }
    }
    return theta;
}

std::vector<std::vector<double>> Perceptron::forward(const Block &block,
                                                     const std::vector<Layer> &layers,
                                                     std::span<const double> theta,
                                                     double *scores) const {
    const std::size_t n = block.rows;
    std::vector<std::vector<double>> activations;
    const double *from = block.x;
    for (const Layer &layer : layers) {
        const linalg::MatrixView x{from, n, layer.read, layer.read, true};
        const bool last = activations.size() == hidden_.size();
        std::vector<double> made(last ? 0 : n * layer.units);
        double *to = last ? scores : made.data();
        for (std::size_t u = 0; u < layer.units; ++u)
            linalg::row_products(x, theta.data() + layer.offset + u * layer.read, 0, n, to + u * n);
        if (last) {
            for (std::size_t k = 0; k < n * layer.units; ++k) to[k] *= unit_;
            break;
        }
        tanh(made.size(), to, to);
        std::vector<double> &rows = activations.emplace_back(n * (layer.units + 1), 1.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t u = 0; u < layer.units; ++u)
                rows[i * (layer.units + 1) + u] = made[u * n + i];
        from = rows.data();
    }
    return activations;
}

void Perceptron::scores(const Block &block, std::span<const double> theta,
                        std::span<double> scores) const {
    forward(block, layers(block.features), theta, scores.data());
}

/** Backpropagation: the gradient by a layer's matrix is delta times what the layer reads. */
void Perceptron::evaluate(const Block &block, std::span<const double> theta,
                          std::span<double> losses, std::span<double> gradients) const {
    const std::size_t n = block.rows;
    const std::vector<Layer> all = layers(block.features);
    std::vector<double> score(n * output_->outputs());
    std::vector<double> delta(gradients.empty() ? 0 : score.size());
    const auto activations = forward(block, all, theta, score.data());
    output_->slopes(n, score.data(), block.label, losses.data(),
                    delta.empty() ? nullptr : delta.data());
    if (gradients.empty()) return;
    for (double &slope : delta) slope *= unit_;
    for (std::size_t l = all.size(); l-- > 0;) {
        const auto &[read, units, offset] = all[l];
        const double *from = l == 0 ? block.x : activations[l - 1].data();
        for (std::size_t i = 0; i < n; ++i) {
            double *out = gradients.data() + i * theta.size() + offset;
            for (std::size_t u = 0; u < units; ++u)
                for (std::size_t v = 0; v < read; ++v)
                    *out++ = delta[u * n + i] * from[i * read + v];
        }
        if (l > 0)
            delta = pass_back(n, read, units, theta.data() + offset, delta, activations[l - 1]);
    }
}

void Perceptron::add_gradients(const Block &block, std::span<const double> theta,
                               std::span<double> losses, const Weights &weights,
                               std::span<double> sum) const {
    const std::size_t n = block.rows;
    const std::vector<Layer> all = layers(block.features);
    std::vector<double> score(n * output_->outputs());
    std::vector<double> delta(score.size());
    const auto activations = forward(block, all, theta, score.data());
    output_->slopes(n, score.data(), block.label, losses.data(), delta.data());
    const double *weight = weights(losses);
    for (std::size_t k = 0; k < delta.size(); ++k) delta[k] *= unit_ * weight[k % n];
    for (std::size_t l = all.size(); l-- > 0;) {
        const auto &[read, units, offset] = all[l];
        const double *from = l == 0 ? block.x : activations[l - 1].data();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t u = 0; u < units; ++u) {
                double *out = sum.data() + offset + u * read;
                const double factor = delta[u * n + i];
                for (std::size_t v = 0; v < read; ++v) out[v] += factor * from[i * read + v];
            }
        if (l > 0)
            delta = pass_back(n, read, units, theta.data() + offset, delta, activations[l - 1]);
    }
}

/** Follows theta + t U, ||U|| = 1, through the layers. Layer l has the matrix W_l, of norm at most
 *  Lambda, reads a_l (a_0 = x; later ones end with the constant) and makes p_l = W_l a_l; primes
 *  are derivatives by t.
 *
 *  - ||a_l|| <= A_l, with A_0 = R and A_(l+1)^2 = 1 + min(units, Lambda^2 A_l^2), as |tanh p| <=
 *    min(1, |p|).
 *  - p_l' = U_l a_l + W_l a_l', and |tanh'| <= 1, so by Cauchy's inequality over the parts of U
 *    ||p_l'|| <= D_l (||U_0||^2 + .. + ||U_l||^2)^(1/2) with D_l^2 = A_l^2 + Lambda^2 D_(l-1)^2.
 *  - p_l'' = 2 U_l a_l' + W_l a_l'', and 2 u v <= 1 for u^2 + v^2 <= 1, so ||p_l''|| <= P_l =
 *    D_(l-1) + Lambda C_l, where a_(l+1)'' = tanh'' (p_l')^2 + tanh' p_l'' gives ||a_(l+1)''|| <=
 *    C_(l+1) = 4 / sqrt(27) D_l^2 + P_l.
 *
 *  The scores are u p for the last p, in their unit u. With their norm at most S = u Lambda A and
 *  bounds g and c of the output loss's slope and curvature there, the derivatives of the loss by t
 *  are at most u g D and u g P + u^2 c D^2. */
Bounds Perceptron::bounds(const Range &range) const {
    const double largest_second = 4.0 / std::sqrt(27.0);  // of tanh''
    double a = range.feature_radius;
    double d = a;
    double p = 0.0;
    for (const std::size_t units : hidden_) {
        const double second = largest_second * d * d + p;
        a = std::hypot(1.0, std::min(std::sqrt(static_cast<double>(units)), range.radius * a));
        p = d + range.radius * second;
        d = std::hypot(a, range.radius * d);
    }
    const Bounds output = output_->score_bounds(unit_ * range.radius * a, range.label_bound);
    const double slope = unit_ * output.lipschitz;
    return {output.value, slope * d, slope * p + unit_ * unit_ * output.smoothness * d * d};
}

std::size_t HiddenLayers::parameters(std::size_t inputs) const {
    std::size_t count = 0;
    for (const std::size_t of_layer : units) {
        count += inputs * of_layer;
        inputs = of_layer + 1;
    }
    return count;
}

void HiddenUnits::operator()(std::span<const double> row, double *out) {
    from_.assign(row.begin(), row.end());
    const double *weight = layers_.weights.memptr();
    for (const std::size_t units : layers_.units) {
        to_.assign(units + 1, 1.0);
        for (std::size_t u = 0; u < units; ++u) {
            double sum = 0.0;
            for (const double value : from_) sum += *weight++ * value;
            to_[u] = sum;
        }
        tanh(units, to_.data(), to_.data());
        from_.swap(to_);
    }
    std::copy(from_.begin(), from_.end(), out);
}

}  // namespace dpadapt::loss
