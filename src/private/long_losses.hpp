#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** The mean loss of a predictor on the private target, as a share of the losses' bound. */
struct ShareOfBound {
    double mean;
    double deviation;  ///< of its noise
};

/** One of the plan's releases of a gradient asks for it: a vector of norm at most 1, too. */
[[nodiscard]] ShareOfBound release_loss(const PrivateRun &run, const records::Reader &rows,
                                        const arma::vec &theta, double bound, std::uint64_t step);

/** The clip of steps where private losses are far longer than public ones. It is longer at first, by
 *  as much as they are at the anchor. A shift makes losses long, too, so the clip shrinks to what
 *  the shift does not explain, and to the losses where steps have led, for which two steps ask. */
class LongClip {
  public:
    /** @param longer  How many times as long the clip is at first. */
    LongClip(const PrivateRun &run, double longer)
        : run_(run),
          rows_(run.problem, privacy::kTarget),
          least_(1.0 / longer),
          bound_(run.long_losses->bound) {}

    /** Of the longer clip. */
    [[nodiscard]] double scale() const { return std::max(least_, std::min(found_, left_)); }

    /** Whether it is time to ask, after so many releases. */
    [[nodiscard]] bool is_due(std::uint64_t taken) const {
        return times_ < kTimes && scale() > least_ && 4 * taken >= (times_ + 1) * run_.plan.steps;
    }
    void ask(const arma::vec &theta, std::uint64_t step);

    /** @param explained  What the estimated shift takes off the losses.
     *  @param to_come    What the last gradient would take. */
    void see(double explained, double to_come) {
        constexpr double kExplained = 1.25;  // docs/defaults.md
        const double mean = run_.long_losses->mean;
        const double left = std::max(mean - kExplained * explained, to_come);
        left_ = std::sqrt(std::clamp(left / mean, 0.0, 1.0));
    }

    /** A shift explains them all. */
    void end() { found_ = least_; }

  private:
    static constexpr std::uint64_t kTimes = 2;

    const PrivateRun &run_;
    records::Reader rows_;
    double least_;
    double bound_;
    double found_ = 1.0;  ///< by what was asked
    double left_ = 1.0;   ///< by what was seen
    std::uint64_t times_ = 0;
};

}  // namespace dpadapt
