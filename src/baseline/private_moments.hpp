#pragma once

#include <functional>

#include "base/document.hpp"
#include "privacy/release.hpp"
#include "records/paid_call.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** A baseline that protects the target, the source being public: all that public data decide, the
 *  price included, then the payment, then the result. */
class PrivateBaseline : public records::ProblemCall {
  public:
    /** Borrows samples and control. Throws Error(DPA_E_OPTION) where not just the target is
     *  private. */
    PrivateBaseline(const Sample &source, const Sample &target, const Settings &settings,
                    Control &control);

    /** The result; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] virtual Solution solve(privacy::ReleaseTrace *trace) const = 0;

    /** Adds what a report says of the method: its units, its public numbers and what leaves. */
    virtual void describe(Document &document) const = 0;

    /** A solution with that predictor, that share of the source and `steps` private steps; no value
     *  of an objective. */
    [[nodiscard]] Solution solution(const arma::vec &theta, double alpha, std::size_t steps) const;

  protected:
    /** The part of a request that does not depend on the method. */
    [[nodiscard]] privacy::PlanRequest request() const {
        return plan_request(settings(), facts(), Wanted::baseline);
    }
};

/** Noisy minibatch gradient descent on the target alone, for any loss. */
[[nodiscard]] std::unique_ptr<PrivateBaseline> noisy_sgd(const Sample &source, const Sample &target,
                                                         const Settings &settings,
                                                         Control &control);

/** Which second moments of the target a method needs, and in which coordinates its records are
 *  clipped. */
struct WantedMoments {
    bool labels = false;    ///< of (z, y); else of z alone
    bool whitened = false;  ///< clipped after whitening by the public second moments
    bool definite = false;  ///< with negative eigenvalues of the noisy matrix of z replaced by 0
};

class PrivateMoments;

/** Moments as they were released. */
struct NoisyMoments : Moments {
    /// deviation of an entry off the diagonal of the mean of z z', where it is not whitened
    double deviation = 0.0;
};

/** What a method makes of the noisy moments: post-processing. */
using FromMoments = std::function<Solution(const PrivateMoments &call, const NoisyMoments &target)>;

/** A baseline that makes one release for the whole Gaussian budget: the second moments of the
 *  target, but for the sum of the records' weights, where they have some. All that follows from
 *  them is post-processing.
 *
 *  A record is x = z/R, or x = (sqrt(2/3) z/R, sqrt(1/3) y/Y) with the label: ||z|| <= R and |y| <=
 *  Y give ||x|| <= 1, and units of features and labels do not matter. The share of the label makes
 *  the errors of Nxx w and Nxy, for predictions of the labels' size, about as small as they can be
 *  together. The sum of x x' has certified sensitivity in exact integers (sums::OuterSum).
 *  Whitened: with C = M + rho (tr M/d) I from the public second moments M, t = C^-1/2 z takes the
 *  place of z, clipped to a quantile of the public ||t||. */
class PrivateMoments final : public PrivateBaseline {
  public:
    /** Throws Error(DPA_E_OPTION) besides for bounds that are not known, and when the budget does
     *  not allow the release. */
    PrivateMoments(const Sample &source, const Sample &target, const Settings &settings,
                   WantedMoments wanted, FromMoments finish, Control &control);

    [[nodiscard]] Solution solve(privacy::ReleaseTrace *trace) const override;
    void describe(Document &document) const override;

  private:
    void whiten();
    void scale_records();
    [[nodiscard]] arma::mat release_sum(const PrivateRun &run) const;

    /** The noisy means of z z', z y and y^2, the last two only with labels; the matrix may be
     *  indefinite, unless wanted otherwise. The entry of the constant is public, so without noise
     *  unless whitened. */
    [[nodiscard]] NoisyMoments release(privacy::ReleaseTrace *trace) const;

    WantedMoments wanted_;
    FromMoments finish_;
    arma::mat map_;      ///< C^-1/2; empty: the identity
    arma::mat inverse_;  ///< C^1/2
    double radius_;      ///< R, in the coordinates of the map
    double feature_scale_ = 0.0;
    double label_scale_ = 0.0;
};

}  // namespace dpadapt::baseline
