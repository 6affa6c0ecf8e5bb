#pragma once

#include <algorithm>
#include <array>

#include "private/metric.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** The factor of gradients in steps whose metric does not foresee every curvature, from released
 *  gradients alone. A gradient that points back at the one before, by more than noise explains,
 *  shows that the step went too far: the factor becomes the one with which, by the secant rule,
 *  that gradient would have vanished. Where noise is as long as gradients, several of them show it
 *  together, if most records pull one way and back. A gradient most of which is left after a step
 *  doubles the factor, until a step has gone too far: far from its minimum a clipped loss is flat.
 */
class StepLength {
  public:
    /** `noise`: mean squared norm of the noise in a gradient; `flattens`: steps may grow again;
     *  `clip`: of a record's gradient. */
    StepLength(double noise, bool flattens, double clip)
        : noise_(noise), flattens_(flattens), clip_(clip) {}

    /** For the next gradient, a mean of so many; `moved`: whether the last one was followed;
     *  `scale`: of its clip and its noise. */
    double operator()(const arma::vec &gradient, bool moved, double scale, std::uint64_t count);

  private:
    double noise_;
    bool flattens_;
    double clip_;
    bool grows_ = true;
    double length_ = 1.0;
    arma::vec before_;
    double before_noise_ = 0.0;

    /** Of gradients and those before them, since these have pointed back on the whole. */
    struct Swings {
        double back = 0.0;      ///< sum of -g_t . g_(t-1)
        double variance = 0.0;  ///< that noise gives it
        double size = 0.0;      ///< sum of |g_(t-1)|^2
        double signal = 0.0;    ///< the same without noise
        double large = 0.0;     ///< what many records with one direction make
    };
    Swings swings_;
};

/** Whether a gradient of the loss may stay small however far its minimum is, as that of a quantile
 *  near 0 or 1 does on one side. */
[[nodiscard]] inline bool flattens(const loss::Loss &loss) {
    return loss.output() != nullptr && loss.output()->kept_slope() > 0.0;
}

/** What a step asks of one private sample. */
struct StepSum {
    const records::Reader &rows;
    records::GradientTask task;
};

/** The sum of what the samples answer, with noise, which is drawn first, in units of the grid: so
 *  many releases of one sum, one a column. */
[[nodiscard]] arma::mat release_steps(const PrivateRun &run, std::uint64_t first,
                                      std::uint64_t count, const std::vector<StepSum> &sums);

[[nodiscard]] PrivateFit result_at(const Metric &metric, const arma::vec &v, double alpha,
                                   bool converged);

/** The private steps of a run: a fixed number of releases, in a metric. Several of them may be at
 *  one point, whose sum is formed once. A policy says what they release and where that leads:
 *
 *      count()                       how many of the next releases are at one point
 *      gradient(v, number, count)    releases the gradient at v so often: the mean, in the metric;
 *                                    empty where it leads nowhere
 *      moved(gradient)               whether the gradient before this one was followed
 *      scale_of_clip()               by which that of the last gradient, and its noise, was smaller
 *      next(step)                    where the step leads, in the ball */
class PrivateSteps {
  public:
    struct Step {
        std::uint64_t number;  ///< of the first release
        std::uint64_t count;
        const arma::vec &v;
        const arma::vec &gradient;
        double factor;  ///< of the gradient
    };

    /** @param noise  Mean squared norm of the noise in a gradient. */
    PrivateSteps(const PrivateRun &run, const Settings &settings, const Metric &metric,
                 double noise)
        : run_(run), radius_(settings.radius), metric_(metric), noise_(noise) {}

    /** From v. @param before  Steps that the run has taken already, for the noise of each. */
    arma::vec take(auto &policy, arma::vec v, std::uint64_t before) const {
        StepLength length(noise_, flattens(run_.problem.loss()), metric_.clip);
        const std::uint64_t steps = run_.plan.steps;
        for (std::uint64_t step = 1, count = 1; step <= steps; step += count) {
            run_.control.report({"private steps", step - 1, steps});
            count = std::min(policy.count(), steps - step + 1);
            const arma::vec gradient = policy.gradient(v, before + step, count);
            if (gradient.is_empty()) continue;
            const double factor =
                length(gradient, policy.moved(gradient), policy.scale_of_clip(), count);
            v = policy.next(Step{step, count, v, gradient, factor});
        }
        return v;
    }

    /** The ball bounds the discrepancy; steps stay in it on request. */
    [[nodiscard]] arma::vec in_ball(const arma::vec &v) const {
        return radius_ ? metric_.project(v, *radius_) : v;
    }

  private:
    const PrivateRun &run_;
    std::optional<double> radius_;
    const Metric &metric_;
    double noise_;
};

/** Mean of some vectors. */
struct Mean {
    arma::vec value;
    std::uint64_t count = 0;

    void add(const arma::vec &other) { add({other, 1}); }
    void add(const Mean &other);
};

/** Means of each quarter of the steps. */
struct Quarters {
    std::uint64_t steps;
    std::array<Mean, 4> means = {};

    void add(std::uint64_t step, const arma::vec &value);
    /** Whether the last one differs from that before by less than matters, as a part of the way. */
    [[nodiscard]] bool settled(const arma::vec &start) const;
};

/** The clip of two private samples, in units of `clip_bound`, which no data could choose: it
 *  follows the lengths of the gradients down, and all noise with it.
 *
 *  At each step the records are counted whose gradient is shorter than the estimated median. The
 *  logarithm of that length wanders as the steps lead on, and is followed by Kalman's filter. The
 *  clip is 1.3 times as long, and never longer than the user's. */
class ClipScale {
  public:
    /** @param deviation  Of the counted share, by noise. */
    explicit ClipScale(double deviation) : noise_(deviation * deviation) {}

    /** Of the clip, in (0, 1]. */
    [[nodiscard]] double operator()() const;

    /** Which gradients are short, in units of the clip that this scale gives. */
    [[nodiscard]] double below() const;

    /** @param share  Of the records that were counted as short, with noise. */
    void see(double share);

    /** Begins with the estimate of other records. */
    void begin(const ClipScale &other);

  private:
    double noise_;           ///< variance of the share
    double log_ = 0.0;       ///< of the length
    double variance_ = 2.0;  ///< of it: a user's guess may be off by a factor of four
};

}  // namespace dpadapt
