#include "private/estimated_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/public_sample.hpp"

namespace dpadapt {

namespace {

constexpr double kRowsAsked = 1000.0;  // docs/defaults.md
constexpr double kLeast = 0.25;        // a gradient that hardly grows gives no distance
// The grid of distances, in units of a coordinate of a typical gradient.
constexpr double kNearest = 0.3;
constexpr double kRatio = 1.5;
constexpr std::size_t kGrid = 23;  // up to 3000

}  // namespace

Saturation::Saturation(const PublicSample &sample, const Metric &metric)
    : output_(*sample.loss().output()),
      unit_(metric.unit),
      clip_(metric.clip),
      typical_(std::sqrt(metric.term_square / static_cast<double>(metric.start.n_elem))) {
    const PreparedSample &all = sample.rows();
    const auto m = static_cast<double>(all.rows());
    const double count = std::min(m, kRowsAsked);
    const std::vector<double> labels = all.labels();
    const std::vector<double> shares = all.shares();
    const auto kept = static_cast<arma::uword>(count);
    rows_.set_size(metric.map.n_rows, kept);
    labels_.set_size(kept);
    shares_.set_size(kept);
    const arma::mat start =
        arma::reshape(metric.to_theta(metric.start), metric.map.n_cols, metric.blocks);
    scores_.set_size(kept, metric.blocks);
    arma::mat row;
    for (arma::uword k = 0; k < kept; ++k) {
        const auto i = static_cast<std::size_t>(static_cast<double>(k) * (m / count));
        all.fill(i, i + 1, row);
        rows_.col(k) = metric.public_map * row;
        scores_.row(k) = row.t() * start;
        labels_(k) = labels[i];
        shares_(k) = shares[i];
    }
    shares_ /= arma::accu(shares_);
    norms_ = arma::sqrt(arma::sum(arma::square(rows_), 0)).t();
}

double Saturation::pull(double distance, double clip) const {
    const arma::mat score = scores_ + distance * moves_;
    arma::mat slope(arma::size(score));
    arma::vec losses(score.n_rows);
    output_.slopes(score.n_rows, score.memptr(), labels_.memptr(), losses.memptr(), slope.memptr());
    slope /= unit_;
    const arma::vec lengths = arma::sqrt(arma::sum(arma::square(slope), 1)) % norms_;
    const arma::vec along = arma::sum(slope % moves_, 1);
    double sum = 0.0;
    for (arma::uword i = 0; i < along.n_elem; ++i)
        sum += shares_(i) * along(i) * (lengths(i) > clip ? clip / lengths(i) : 1.0);
    return sum;
}

void Saturation::aim(const arma::vec &direction) {
    constexpr double kNear = 1e-3;
    constexpr double kUnclipped = std::numeric_limits<double>::infinity();
    moves_ = rows_.t() * arma::reshape(arma::normalise(direction), rows_.n_rows, scores_.n_cols);
    const double near = kNear * typical_;
    const double curvature = (pull(near, kUnclipped) - pull(0.0, kUnclipped)) / near;
    shares_left_.clear();
    if (!(curvature > 0.0)) return;
    at_start_ = pull(0.0, clip_);
    // What clips take near the minimum only shortens steps, which costs less than longer noise.
    const double nearest = kNearest * typical_;
    nearest_ = (pull(nearest, clip_) - at_start_) / nearest;
    if (nearest_ > 0.0) shares_left_.assign(kGrid, 0.0);
}

double Saturation::at(std::size_t k) {
    double &share = shares_left_[k];
    if (share > 0.0) return share;
    const double distance = kNearest * typical_ * std::pow(kRatio, static_cast<double>(k));
    share = std::clamp((pull(distance, clip_) - at_start_) / distance / nearest_, kLeast, 1.0);
    return share;
}

double Saturation::operator()(double distance) {
    if (shares_left_.empty()) return 1.0;
    const double place = std::log(distance / typical_ / kNearest) / std::log(kRatio);
    if (!(place > 0.0)) return 1.0;
    const auto k = static_cast<std::size_t>(std::min(place, static_cast<double>(kGrid)));
    if (k + 1 >= kGrid) return at(kGrid - 1);
    const double rest = place - static_cast<double>(k);
    return (1.0 - rest) * at(k) + rest * at(k + 1);
}

void EstimatedOptimum::Segment::merge(const Segment &other) {
    const double share = other.count / (count + other.count);
    v += share * (other.v - v);
    move += share * (other.move - move);
    scale += share * (other.scale - scale);
    square += share * (other.square - square);
    place += share * (other.place - place);
    count += other.count;
}

void EstimatedOptimum::add(const arma::vec &v, const arma::vec &gradient, double factor,
                           double scale, double count) {
    constexpr std::size_t kMost = 64;  // so that many steps cost no more than few
    const double place = steps_ + (count + 1.0) / 2.0;
    segments_.push_back({v, factor * gradient, scale, factor * factor, place, count});
    steps_ += count;
    precision_ += count / (scale * scale);
    if (segments_.size() < kMost) return;
    for (std::size_t k = 0; k < kMost / 2; ++k) {
        Segment pair = std::move(segments_[2 * k]);
        pair.merge(segments_[2 * k + 1]);
        segments_[k] = std::move(pair);
    }
    segments_.resize(kMost / 2);
}

/** c - 1. */
double EstimatedOptimum::late(const arma::vec &shift) const {
    const double variance = static_cast<double>(shift.n_elem) * noise_ / precision_;
    const double square = recency_.share * arma::dot(shift, shift);
    if (!(square < recency_.most * variance)) return recency_.most;
    const double r = square / variance;  // (c - 1)^2/(2c - 1)
    return std::min(recency_.most, r + std::sqrt(r * (r + 1.0)));
}

void EstimatedOptimum::update(const arma::vec &shift) {
    const double power = late(shift);
    double total = 0.0;
    double squares = 0.0;
    double lengths = 0.0;
    mean_.zeros(start_.n_elem);
    for (const Segment &segment : segments_) {
        const double distance = arma::norm(segment.v - start_ - shift) / segment.scale;
        const double left = saturation_.has_value() ? (*saturation_)(distance) : 1.0;
        const double square = segment.scale * segment.scale * segment.square / (left * left);
        const double weight = segment.count * std::pow(segment.place / steps_, power) /
                              (saturation_.has_value() ? square : segment.scale * segment.scale);
        total += weight;
        mean_ += weight * (segment.v - segment.move / left);
        squares += weight * weight * square / segment.count;
        lengths += weight * square;
    }
    mean_ /= total;
    variance_ = noise_ * squares / (total * total);
    lengthened_ = lengths / total;
}

}  // namespace dpadapt
