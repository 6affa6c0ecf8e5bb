#pragma once

#include <cstddef>
#include <vector>

namespace dpadapt::loss {

constexpr std::size_t kMostPieces = 128;  ///< docs/defaults.md

/** A baseline's cumulative hazard, 0 at time 0 and linear between the times: the hazard of each
 *  piece is constant. Observation ends at the last time. */
struct CumulativeHazard {
    std::vector<double> times;
    std::vector<double> hazards;
    std::vector<double> variances{};  ///< of their logarithms, but for a common factor

    [[nodiscard]] double at(double time) const { return between(hazards, 0.0, time); }
    [[nodiscard]] double variance_at(double time) const {
        return between(variances, variances.front(), time);
    }

    /** Whether times and hazards rise from above 0 and are finite, and there are at most
     *  kMostPieces; variances do not count. */
    [[nodiscard]] bool is_possible() const;

  private:
    [[nodiscard]] double between(const std::vector<double> &values, double first,
                                 double time) const;
};

}  // namespace dpadapt::loss
