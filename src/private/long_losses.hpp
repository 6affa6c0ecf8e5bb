#pragma once

#include <algorithm>
#include <cstdint>

#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** The mean loss of a predictor on the private target, as a share of the losses' bound. */
struct ShareOfBound {
    double mean;
    double deviation;  ///< of its noise
};

/** The mean loss of a predictor, where nearly all losses are beyond a bound: asks for wider ones,
 *  by some of the steps. Empty where they are not, or noise is too large for steps with longer
 *  gradients.
 *  @param share  Of that bound, as released.
 *  @param steps  That the run has taken; those that ask are added. */
[[nodiscard]] std::optional<LongLosses> find_long_losses(const PrivateRun &run,
                                                         const records::Reader &rows,
                                                         const arma::vec &theta, ShareOfBound share,
                                                         double bound, std::uint64_t &steps);

/** Mean squares of linear scores of private rows that lie far from the public ones, asked for in
 *  the same way: fewer than directions where the steps for that are used up, or noise hides them.
 *  Every record must count, with a label.
 *  @param bound  That the squares exceed, as clipped moments show. */
[[nodiscard]] std::vector<double> find_squares(const PrivateRun &run, privacy::Domains domain,
                                               const arma::mat &directions, double bound,
                                               std::uint64_t &steps);

/** The clip of steps where private losses are far longer than public ones: at first as many times
 *  longer as they are at the anchor. A shift also makes losses long, so the clip shrinks to what
 *  the shift leaves unexplained, and to the losses at later points, which two questions measure. */
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
    [[nodiscard]] bool is_due(std::uint64_t taken) const;
    void ask(const arma::vec &theta, std::uint64_t step);

    /** @param explained  What the estimated shift takes off the losses.
     *  @param to_come    What the last gradient would take. */
    void see(double explained, double to_come);

    /** A shift explains them all. */
    void end() { found_ = least_; }

  private:
    const PrivateRun &run_;
    records::Reader rows_;
    double least_;
    double bound_;
    double found_ = 1.0;  ///< by what was asked
    double left_ = 1.0;   ///< by what was seen
    std::uint64_t times_ = 0;
};

}  // namespace dpadapt
