#pragma once

#include "privacy/release_trace.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"
#include "solver/payment.hpp"

namespace dpadapt::baseline {

/** Which second moments of the target a method needs, and in which coordinates its records are clipped. */
struct WantedMoments {
    bool labels = false;    ///< of (z, y); else of z alone
    bool whitened = false;  ///< clipped after whitening by the public second moments
};

/** A private call that makes one release for the whole Gaussian budget: the second moments of the target, the source
 *  being public. All that follows from them is post-processing.
 *
 *  A record is x = z/R, or x = (sqrt(2/3) z/R, sqrt(1/3) y/Y) with the label: ||z|| <= R and |y| <= Y give ||x|| <= 1, and
 *  units of features and labels do not matter. The share of the label makes the errors of Nxx w and Nxy, for predictions
 *  of the labels' size, about as small as they can be together. The sum of x x' has certified sensitivity in exact
 *  integers (privacy::OuterSum). Whitened: with C = M + rho (tr M/d) I from the public second moments M,
 *  t = C^-1/2 z takes the place of z, clipped to a quantile of the public ||t||. */
class PrivateMoments {
  public:
    /** Borrows everything and reads no private record. Throws Error(DPA_E_OPTION) where not just the target is private,
     *  for bounds that are not known, and when the budget does not allow the release. */
    PrivateMoments(const Sample &source, const Sample &target, const Settings &settings,
                   WantedMoments wanted, Control &control);

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] const PrivateProblem &problem() const { return problem_; }
    [[nodiscard]] const PlanFacts &facts() const { return facts_; }
    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }
    [[nodiscard]] Control &control() const { return control_; }

    /** Pays: enters the release into the ledger, whose budget the first call fixes, and takes the key of the noise.
     *  Throws Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** The noisy means of z z', z y and y^2, the last two only with labels; the matrix may be indefinite. The
     *  entry of the constant is public, so without noise unless whitened. Throws Error(DPA_E_INTERNAL) before it is
     *  paid for. */
    [[nodiscard]] Moments release(privacy::ReleaseTrace *trace) const;

  private:
    void whiten();
    void scale_records();
    [[nodiscard]] privacy::PlanRequest request() const;
    [[nodiscard]] arma::mat release_mean(privacy::ReleaseTrace *trace) const;

    const Settings &settings_;
    Control &control_;
    WantedMoments wanted_;
    PrivateProblem problem_;
    PlanFacts facts_;
    arma::mat map_;      ///< C^-1/2; empty: the identity
    arma::mat inverse_;  ///< C^1/2
    double radius_;      ///< R, in the coordinates of the map
    double feature_scale_ = 0.0;
    double label_scale_ = 0.0;
    privacy::Plan plan_;
    Payment payment_;
};

}  // namespace dpadapt::baseline
