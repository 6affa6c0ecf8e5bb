#pragma once

#include <optional>
#include <vector>

#include "private/saturation.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** Private adaptation with alpha chosen by the data (alpha = auto), for any loss, all of it
 *  post-processing of T releases, and of the two before them that choose_anchor and
 *  choose_metric may make.
 *
 *  Steps start from the anchor. At v_t the private mean of the clipped gradients, released with
 *  noise, gives the estimate v_t -
 *  mean of the target's optimum (a Newton step, as far as the metric has the target's Hessian);
 *  their mean, by what clips leave of gradients (EstimatedOptimum), is moved to the anchor as far
 *  as the noise and the sampling error, both known from public numbers, could explain the distance
 *  (ShiftRule). Steps that lead too far are shortened, and those that hardly change the
 *  gradient grow (StepLength). With little data or a small epsilon the result is the anchor; as
 *  both grow it is the target's own.
 *
 *  With a private source the steps estimate its optimum, and the target's public rows, left out in
 *  turn, tell what that is worth (LeftOutRows); of several scores the rule's roles are exchanged.
 *  With both private the source has T steps, then the target T from where these have ended.
 *
 *  Privacy: each of the T sums has certified sensitivity 2 Q in exact integers (privacy::VectorSum)
 *  and noise floor(2^b Z), which makes it grid.certified_mu()-GDP; squares add up. The number of
 *  passes is fixed, no value computed from private rows leaves otherwise, and no branch depends on
 *  one. */
[[nodiscard]] PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings);

/** The minimum of a private mean loss, from released gradients at several points of the metric.
 *
 *  A gradient g at v tells that the minimum is at v - g/s, where s is what is left of gradients at
 *  that distance. How far the minimum is, is read from where it is believed to be. Estimates count
 *  by their variances, so that those from afar, whose noise 1/s makes longer, give way to those
 *  from near by; and late ones count more, as t^(c - 1) of step t, because of a direction in which
 *  the metric is too long 1 - h of a distance is left after a step, and t^(-c h) after a running
 *  mean. c costs a factor c^2/(2c - 1) of variance; it is as large as makes this no more than a
 *  small share of the squared distance between start and minimum. */
class EstimatedOptimum {
  public:
    /** How far late estimates count more: their addition to the variance, as a share of the squared
     *  shift, and the largest c - 1. */
    struct Lateness {
        double share;
        double most;
    };

    /** @param saturation  Nothing: s = 1.
     *  @param lateness    Most is 0 where a step may lead too far: a mean forgives that.
     *  @param noise       Variance of a coordinate of a released gradient. */
    EstimatedOptimum(const Metric &metric, std::optional<Saturation> saturation, Lateness lateness,
                     double noise)
        : start_(metric.start),
          saturation_(std::move(saturation)),
          lateness_(lateness),
          noise_(noise) {}

    /** A released gradient at v, which a step follows by this factor.
     *  @param scale  Of its clip, and so of its noise; of the distances at which clips take as much
     *                as of public records, too. */
    void add(const arma::vec &v, const arma::vec &gradient, double factor, double scale = 1.0);

    /** The direction in which public rows are asked what is left; 0: none. */
    void aim(const arma::vec &shift) {
        if (saturation_.has_value() && arma::any(shift)) saturation_->aim(shift);
    }

    /** Estimates anew. @param shift  What is believed of its distance from the start. */
    void believe(const arma::vec &shift);

    [[nodiscard]] const arma::vec &mean() const { return mean_; }
    [[nodiscard]] double variance() const { return variance_; }  ///< of a coordinate, by noise
    /** By how much gradients were lengthened, squared: so much more is their sampling error. */
    [[nodiscard]] double lengthened() const { return lengthened_; }

  private:
    /** Gradients of steps one after the other. */
    struct Seen {
        arma::vec v;
        arma::vec move;  ///< gradient times factor
        double scale;    ///< of the clip
        double square;   ///< of the factor
        double place;    ///< mean number of the steps
        double count;

        void merge(const Seen &other);
    };

    [[nodiscard]] double late(const arma::vec &shift) const;

    arma::vec start_;
    std::optional<Saturation> saturation_;
    Lateness lateness_;
    double noise_;
    double steps_ = 0.0;
    double precision_ = 0.0;  ///< of all, in units of one at scale 1
    std::vector<Seen> seen_;
    arma::vec mean_;
    double variance_ = 0.0;
    double lengthened_ = 1.0;
};

}  // namespace dpadapt
