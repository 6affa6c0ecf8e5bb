#include "private/steps.hpp"

#include <cmath>

namespace dpadapt {

double StepLength::operator()(const arma::vec &gradient, bool moved, double scale,
                              std::uint64_t count) {
    constexpr double kBack = 0.5;  // docs/defaults.md
    constexpr double kOfNoise = 4.0;
    constexpr double kLeft = 0.5;
    constexpr double kMost = 16.0;
    constexpr double kDeviations = 3.0;  // docs/defaults.md
    constexpr double kOfClip = 0.4;
    const double noise = scale * scale * noise_ / static_cast<double>(count);
    const double size = arma::dot(before_, before_);
    const double along = before_.is_empty() ? 0.0 : arma::dot(gradient, before_);
    if (size > kOfNoise * before_noise_) {
        if (-along > kBack * size) {
            length_ /= 1.0 - along / size;
            grows_ = flattens_;
        }
        if (grows_ && moved && along > kLeft * size && length_ < kMost) length_ *= 2.0;
    } else if (size > 0.0) {
        if (along > swings_.back) swings_ = {};
        const double before = std::max(0.0, size - before_noise_);
        const double now = std::max(0.0, arma::dot(gradient, gradient) - noise);
        swings_.back -= along;
        swings_.variance += (noise * (before_noise_ + before) + before_noise_ * now) /
                            static_cast<double>(gradient.n_elem);
        swings_.size += size;
        swings_.signal += before;
        swings_.large += kOfClip * kOfClip * scale * scale * clip_ * clip_;
        if (swings_.back > std::max(swings_.large, kBack * swings_.signal) &&
            swings_.back > kDeviations * std::sqrt(swings_.variance)) {
            length_ /= 1.0 + swings_.back / swings_.size;
            grows_ = flattens_;
            swings_ = {};
        }
    }
    before_ = gradient;
    before_noise_ = noise;
    return length_;
}

arma::mat release_steps(const PrivateRun &run, std::uint64_t first, std::uint64_t count,
                        const std::vector<StepSum> &sums) {
    constexpr auto kPurpose = random::Purpose::gaussian_w;
    sums::VectorSum whole = sums.front().task.empty(0);
    std::vector<SecretVector<std::int64_t>> noise;
    for (std::uint64_t k = 0; k < count; ++k)
        noise.push_back(gaussian_noise(run, kPurpose, first + k, whole.sums().size()));
    std::uint64_t records = 0;
    for (const auto &[rows, task] : sums) {
        whole.merge(rows.sum(task));
        records += rows.rows();
    }
    arma::mat released(whole.sums().size(), count);
    for (std::uint64_t k = 0; k < count; ++k)
        // mutant: one_noise_for_all_releases_of_a_point
        released.col(k) = release(run, kPurpose, first + k, whole, noise[k], records);
    return released;
}

PrivateFit result_at(const Metric &metric, const arma::vec &v, double alpha, bool converged) {
    PrivateFit fit;
    fit.theta = metric.to_theta(v);
    fit.spread = metric.spread(v);
    fit.alpha = alpha;
    fit.converged = converged;
    return fit;
}

void Mean::add(const Mean &other) {
    if (value.is_empty()) value.zeros(other.value.n_elem);
    count += other.count;
    value += static_cast<double>(other.count) / static_cast<double>(count) * (other.value - value);
}

void Quarters::add(std::uint64_t step, const arma::vec &value) {
    const std::size_t quarter = step <= steps / 4       ? 0
                                : step <= steps / 2     ? 1
                                : step <= 3 * steps / 4 ? 2
                                                        : 3;
    means[quarter].add(value);
}

bool Quarters::settled(const arma::vec &start) const {
    constexpr double kMatters = 0.05;    // docs/defaults.md
    const arma::uword d = start.n_elem;  // scalars may follow
    const arma::vec last = means[3].value.head(d);
    return arma::norm(last - means[2].value.head(d)) < kMatters * arma::norm(last - start);
}

namespace {

constexpr double kShort = 0.5;   // share of the gradients
constexpr double kLonger = 1.3;  // the clip, over the length below which these are
// Of the share, by the logarithm of the length: of products of a normal residual and a long row.
constexpr double kSlope = 0.43;     // docs/defaults.md
constexpr double kWay = 0.15;       // by which a step may change the logarithm
constexpr double kOther = 0.25;     // its variance where other records told it
constexpr double kUnclipped = 0.9;  // clipped ones are not shorter, whatever the estimate
constexpr double kShortest = -6.0;
constexpr double kLongest = 0.7;  // so that it is soon forgotten that gradients were long

}  // namespace

double ClipScale::operator()() const {
    // mutant: clip_grows
    return std::min(1.0, kLonger * std::exp(log_));
}

double ClipScale::below() const { return std::min(kUnclipped, std::exp(log_) / (*this)()); }

void ClipScale::see(double share) {
    const double seen = std::log(below() * (*this)()) + (kShort - share) / kSlope;
    variance_ += kWay * kWay;
    const double gain = variance_ / (variance_ + noise_ / (kSlope * kSlope));
    log_ = std::clamp(log_ + gain * (seen - log_), kShortest, kLongest);
    variance_ *= 1.0 - gain;
}

void ClipScale::begin(const ClipScale &other) {
    log_ = other.log_;
    variance_ = kOther;
}

}  // namespace dpadapt
