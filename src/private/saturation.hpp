#pragma once

#include <vector>

#include "private/metric.hpp"

namespace dpadapt {

/** How much of a gradient is left by clips, and by a loss that bends less far away, at a distance
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

}  // namespace dpadapt
