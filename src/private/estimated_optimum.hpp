#pragma once

#include <optional>
#include <vector>

#include "private/metric.hpp"

namespace dpadapt {

/** How much of a gradient is left by clips, and by a loss of less curvature far away, at a distance
 *  from the minimum: its length over the distance, in [1/4, 1], relative to what it is near by. It
 *  is what public records, whose minimum is near the start of the metric, show when the predictor
 *  is moved away from there; so it depends on nothing private but the direction, which is of
 *  released gradients. */
class Saturation {
  public:
    /** Keeps up to 1000 rows of the sample, evenly spaced; borrows the metric and the sample's
     *  loss. The metric maps rows. */
    Saturation(const PublicSample &sample, const Metric &metric);

    /** Sets the direction in which the predictor is moved. */
    void aim(const arma::vec &direction);

    /** 1 before a direction is set. */
    [[nodiscard]] double operator()(double distance);

  private:
    /** Of the mean gradient, along the direction. */
    [[nodiscard]] double pull(double distance, double clip) const;
    /** What is left at a distance of the grid. */
    [[nodiscard]] double at(std::size_t k);

    const loss::ScoreLoss &output_;
    double unit_;
    double clip_;
    double typical_;  ///< coordinate of gradients at the start, root mean square
    arma::mat rows_;  ///< mapped, one a column
    arma::vec norms_;
    arma::vec labels_;
    arma::vec shares_;
    arma::mat scores_;  ///< at the start
    arma::mat moves_;   ///< of the scores, for a distance of 1
    double at_start_ = 0.0;
    double nearest_ = 0.0;             ///< pull over distance, near the start
    std::vector<double> shares_left_;  ///< at the distances of a grid; 0: not yet known
};

/** The minimum of a private mean loss, from released gradients at several points of the metric.
 *
 *  A gradient g at v places the minimum at v - g/s, where s is the share of gradients that clips
 *  leave at that distance, known from the last estimate. Estimates count by their variances: noise
 *  is 1/s longer afar, so near ones count more. So do late ones, as t^(c - 1) at step t: where the
 *  metric is too long, a step leaves 1 - h of a distance, and the running mean t^(-c h). The
 *  variance grows by a factor c^2/(2c - 1); c is the largest for which this is a small share of the
 *  squared distance between start and minimum. */
class EstimatedOptimum {
  public:
    /** How far late estimates count more: their addition to the variance, as a share of the squared
     *  shift, and the largest c - 1. */
    struct Recency {
        double share;
        double most;
    };

    /** @param saturation  Nothing: s = 1.
     *  @param recency     Most is 0 where steps may be too long: a mean averages that out.
     *  @param noise       Variance of a coordinate of a released gradient. */
    EstimatedOptimum(const Metric &metric, std::optional<Saturation> saturation, Recency recency,
                     double noise)
        : start_(metric.start),
          saturation_(std::move(saturation)),
          recency_(recency),
          noise_(noise) {}

    /** The mean of `count` released gradients at v, which a step follows by this factor.
     *  @param scale  Of its clip, and so of its noise; of the distances at which clips take as much
     *                as of public records, too. */
    void add(const arma::vec &v, const arma::vec &gradient, double factor, double scale = 1.0,
             double count = 1.0);

    /** The direction in which public rows are asked what is left; 0: none. */
    void aim(const arma::vec &shift) {
        if (saturation_.has_value() && arma::any(shift)) saturation_->aim(shift);
    }

    /** Estimates anew. @param shift  The last estimate of its way from the start. */
    void update(const arma::vec &shift);

    [[nodiscard]] const arma::vec &mean() const { return mean_; }
    [[nodiscard]] double variance() const { return variance_; }  ///< of a coordinate, by noise
    /** By how much gradients were lengthened, squared: so much more is their sampling error. */
    [[nodiscard]] double lengthened() const { return lengthened_; }

  private:
    /** Gradients of steps one after the other. */
    struct Segment {
        arma::vec v;
        arma::vec move;  ///< gradient times factor
        double scale;    ///< of the clip
        double square;   ///< of the factor
        double place;    ///< mean number of the steps
        double count;

        void merge(const Segment &other);
    };

    [[nodiscard]] double late(const arma::vec &shift) const;

    arma::vec start_;
    std::optional<Saturation> saturation_;
    Recency recency_;
    double noise_;
    double steps_ = 0.0;
    double precision_ = 0.0;  ///< of all, in units of one at scale 1
    std::vector<Segment> segments_;
    arma::vec mean_;
    double variance_ = 0.0;
    double lengthened_ = 1.0;
};

}  // namespace dpadapt
