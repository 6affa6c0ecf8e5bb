#include "engine/simulated_domains.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "linalg/trust_region.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::engine {

namespace {

/** In (0, 1). */
double uniform(SplitMix64 &random) {
    constexpr int kDigits = 53;
    return (static_cast<double>(random() >> (64 - kDigits)) + 0.5) * std::ldexp(1.0, -kDigits);
}

double normal(SplitMix64 &random) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(random)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(random));
}

/** The rows in the order of a random linear function of the standardized features. */
std::vector<std::size_t> ordered_rows(const Sample &rows, SplitMix64 &random) {
    const auto n = static_cast<double>(rows.rows());
    std::vector<double> value(rows.rows(), 0.0);
    for (std::size_t j = 0; j < rows.features(); ++j) {
        double mean = 0.0;
        double square = 0.0;
        for (std::size_t i = 0; i < value.size(); ++i) mean += rows.x()(i, j) / n;
        for (std::size_t i = 0; i < value.size(); ++i)
            square += std::pow(rows.x()(i, j) - mean, 2) / n;
        const double factor = normal(random) / std::sqrt(square);
        if (!std::isfinite(factor)) continue;
        for (std::size_t i = 0; i < value.size(); ++i) value[i] += factor * rows.x()(i, j);
    }
    std::vector<std::size_t> order(value.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return value[a] != value[b] ? value[a] < value[b] : a < b;
    });
    return order;
}

/** A linear function of the rows: of mean square about 1, and in no preferred direction. */
arma::vec random_direction(const arma::mat &second_moments, SplitMix64 &random) {
    constexpr double kLeast = 1e-10;
    const linalg::Spectrum spectrum = linalg::decompose(second_moments);
    arma::vec scale(spectrum.values.n_elem, arma::fill::zeros);
    const arma::uvec some = arma::find(spectrum.values > kLeast * spectrum.values.max());
    scale(some) = 1.0 / arma::sqrt(spectrum.values(some));
    arma::vec draws(scale.n_elem);
    for (double &draw : draws) draw = normal(random);
    return spectrum.with(scale) * draws;
}

/** Gumbel noise of each score, given that the one of `chosen` is the largest sum. */
void explain(std::span<const double> scores, std::size_t chosen, SplitMix64 &random,
             std::span<double> noise) {
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0.0;
    for (const double score : scores) sum += std::exp(score - most);
    const double largest = most + std::log(sum) - std::log(-std::log(uniform(random)));
    for (std::size_t k = 0; k < scores.size(); ++k) {
        const double free = -std::log(-std::log(uniform(random)));  // then cut off at `largest`
        noise[k] = k == chosen ? largest - scores[k]
                               : -std::log(std::exp(-free) + std::exp(scores[k] - largest));
    }
}

}  // namespace

void Rows::add(const Sample &from, std::size_t row) {
    for (std::size_t j = 0; j < from.features(); ++j) x.push_back(from.x()(row, j));
    y.push_back(from.y()[row]);
}

SimulatedDomains::SimulatedDomains(const Sample &rows, const Settings &settings, std::size_t most,
                                   double noise, std::uint64_t seed, Control &control)
    : random_(seed) {
    const std::vector<std::size_t> order = ordered_rows(rows, random_);
    const std::size_t outer = rows.rows() / 3;
    const std::vector<std::size_t> chosen = random_.draw(outer, outer);
    const std::size_t count = std::min(most, outer / 2);
    for (std::size_t i = 0; i < count; ++i) population_.add(rows, order[chosen[i]]);
    std::vector<std::size_t> others(order.begin() + static_cast<std::ptrdiff_t>(outer),
                                    order.end());
    for (std::size_t i = count; i < outer; ++i) others.push_back(order[chosen[i]]);
    for (const std::size_t i : random_.draw(others.size(), std::min(most, others.size())))
        source_.add(rows, others[i]);
    const Sample sample = source_.sample();
    const Sample other = population_.sample();
    const PublicSample source(sample, "source", settings, control);
    estimate_shift(source, PreparedSample(other, source.preprocess(), settings.threads), noise);
}

void SimulatedDomains::estimate_shift(const PublicSample &source, const PreparedSample &rows,
                                      double noise) {
    loss_ = source.choice();
    noise_ = noise;
    const bool classes = loss::predicts_classes(loss_);
    const std::size_t n = rows.rows();
    const PreparedSample unlabelled = rows.without_labels();
    const std::size_t fitted = source.loss().output()->outputs();
    // One score of two classes is the difference of two scores.
    outputs_ = classes ? std::max<std::size_t>(2, fitted) : 1;
    scores_.resize(classes ? n * outputs_ : 0);
    changes_.resize(n * outputs_);
    const arma::mat moments = rows.moments().second;
    const double apart = source.preprocess().has_intercept() ? 0.5 : 1.0;  // from what all share
    for (std::size_t k = 0; k < outputs_; ++k) {
        double *change = changes_.data() + k * n;
        unlabelled.residuals(random_direction(moments, random_), change);
        double square = 0.0;
        for (std::size_t i = 0; i < n; ++i) square += change[i] * change[i] / double(n);
        const double factor = square > 0.0 ? std::sqrt(apart / square) : 0.0;
        const double common = std::sqrt(1.0 - apart) * ((random_() & 1U) != 0 ? 1.0 : -1.0);
        for (std::size_t i = 0; i < n; ++i) change[i] = factor * change[i] + common;
    }
    const arma::uword d = rows.dimension();
    if (loss::has_log_link(loss_.kind)) {
        // Scores are logarithms, and a slope is the rate less the label, of gamma over the rate.
        const bool gamma = loss_.kind == loss::Kind::gamma;
        std::vector<double> score(n);
        std::vector<double> losses(n);
        std::vector<double> slope(n);
        unlabelled.residuals(source.fit(), score.data());
        source.loss().output()->slopes(n, score.data(), population_.y.data(), losses.data(),
                                       slope.data());
        double square = 0.0;
        double rate = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            square += slope[i] * slope[i] / double(n);
            double &y = population_.y[i];
            rate += (gamma ? 1.0 : slope[i] + y) / double(n);
            // No multiple of the noise makes an amount negative.
            y = gamma ? std::exp(noise * std::log(y) +
                                 (1.0 - noise) * (score[i] + std::log(loss_.unit)))
                      : std::max(0.0, y + (1.0 - noise) * slope[i]);
        }
        deviation_ = rate > 0.0 ? std::log1p(std::sqrt(square) / rate) : 0.0;
        return;
    }
    if (loss_.kind == loss::Kind::survival) {  // logarithms of times have Gumbel noise, all of it
        deviation_ = std::numbers::pi / std::sqrt(6.0);
        return;
    }
    if (!classes) {
        std::vector<double> residuals(n);
        rows.residuals(source.fit(), residuals.data());
        for (const double r : residuals) deviation_ += r * r / double(n);
        deviation_ = std::sqrt(deviation_);
        for (std::size_t i = 0; i < n; ++i) population_.y[i] += (1.0 - noise) * residuals[i];
        return;
    }
    deviation_ = std::numbers::pi / std::sqrt(6.0);  // of Gumbel noise
    for (std::size_t k = 0; k < fitted; ++k)
        unlabelled.residuals(source.fit().subvec(k * d, (k + 1) * d - 1),
                             scores_.data() + (outputs_ - fitted + k) * n);
    latent_.resize(n * outputs_);
    std::vector<double> of_row(outputs_);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < outputs_; ++k) of_row[k] = scores_[k * n + i];
        const double label = population_.y[i];
        const auto chosen = static_cast<std::size_t>(std::max(0.0, label));
        explain(of_row, std::min(chosen, outputs_ - 1), random_,
                std::span(latent_).subspan(i * outputs_, outputs_));
    }
}

double SimulatedDomains::shifted_class(std::size_t row, double shift) const {
    const std::size_t n = population_.y.size();
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < outputs_; ++k) {
        const double sum = scores_[k * n + row] + shift * deviation_ * changes_[k * n + row] +
                           noise_ * latent_[row * outputs_ + k];
        if (sum > most) {
            most = sum;
            best = k;
        }
    }
    return loss::counts_classes(loss_) ? static_cast<double>(best) : (best == 1 ? 1.0 : -1.0);
}

Rows SimulatedDomains::population(double shift) const {
    Rows rows = population_;
    const bool times = loss_.kind == loss::Kind::survival;
    const bool logs = times || loss::has_log_link(loss_.kind);
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
        const double moved = latent_.empty() ? shift * deviation_ * changes_[i] : 0.0;
        rows.y[i] = !latent_.empty() ? shifted_class(i, shift)
                    : logs           ? rows.y[i] * std::exp(times ? -moved : moved)
                                     : rows.y[i] + moved;
    }
    return rows;
}

Rows draw_rows(const Rows &population, std::size_t count, std::uint64_t seed) {
    SplitMix64 random(seed);
    const Sample all = population.sample();
    Rows drawn;
    for (std::size_t i = 0; i < count; ++i) drawn.add(all, random() % all.rows());
    return drawn;
}

}  // namespace dpadapt::engine
