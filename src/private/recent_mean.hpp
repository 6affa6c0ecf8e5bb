#pragma once

#include <vector>

#include "linalg/arma.hpp"

namespace dpadapt {

/** Mean of noisy estimates that may still be on their way. Each is compared with the mean of those
 *  before it; where the differences of the latest ones, taken together, lead further from the start
 *  by more than noise explains, the older ones are forgotten in that direction, and altogether
 *  where noise is small beside it. So a far or clipped start leaves no bias, and other directions
 *  keep their mean where it is worth something. The direction is that of the older estimates, where
 *  they are clearly more than noise, and noise has no part in leading further. Few parts, means of
 *  1, 2, 4, ... estimates, are kept. */
class RecentMean {
  public:
    /** @param deviations  of noise by which estimates may differ. */
    RecentMean(arma::vec start, double deviations)
        : start_(std::move(start)), deviations_(deviations) {}

    /** @param variance  of the noise in a coordinate of the estimate. */
    void add(const arma::vec &estimate, double variance);

    [[nodiscard]] const arma::vec &mean() const { return whole_.mean; }
    [[nodiscard]] double variance() const { return whole_.variance; }  ///< of a coordinate

  private:
    struct Part {
        arma::vec mean;
        double variance = 0.0;
        double count = 0.0;
        arma::vec moved;              ///< sum of the differences from the mean before each
        double moved_variance = 0.0;  ///< of a coordinate, were they noise

        void merge(const Part &other);
    };

    void merge_equal();
    [[nodiscard]] Part merged(std::size_t begin, std::size_t end) const;
    [[nodiscard]] bool forgets(std::size_t kept);

    arma::vec start_;
    double deviations_;
    std::vector<Part> parts_;  ///< the oldest first
    Part whole_;
};

}  // namespace dpadapt
