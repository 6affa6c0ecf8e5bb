#pragma once

#include "privacy/vector_sum.hpp"
#include "problem/private_rows.hpp"
#include "random/key.hpp"
#include "solver/public_metric.hpp"

namespace dpadapt {

/** Public numbers of a private fit; they alone decide what is released and with how much noise. */
struct PrivatePlan {
    std::size_t steps = 20;      ///< T
    double shrinkage = 2.5;      ///< z, in standard deviations of the noise
    privacy::VectorGrid grid{};  ///< of each of the T releases
};

/** What a private fit returns: functions of public data and released sums only. */
struct PrivateFit {
    arma::vec w;         ///< preprocessed coordinates
    double alpha = 0.0;  ///< share of the public solution in the result
};

/** Sees each release: the integers before the noise, and the noise; for tests that replay a run on a neighbour. */
class ReleaseTrace {
  public:
    ReleaseTrace() = default;
    ReleaseTrace(const ReleaseTrace &) = delete;
    ReleaseTrace &operator=(const ReleaseTrace &) = delete;
    virtual ~ReleaseTrace() = default;

    /** Returns the values to go on with: `released`, or those recorded from another run. */
    virtual std::vector<double> on_release(std::size_t step, const privacy::VectorSum &sum,
                                           std::vector<double> released) = 0;
};

/** Private adaptation with alpha chosen by the data (alpha = auto), all of it post-processing of T releases.
 *
 *  At w_t the private mean of the clipped terms r_j zeta_j, released with noise, gives the estimate w_t - mean of the
 *  target's optimum (a Newton step if both domains had the public second moments); the running mean of these is
 *  moved to the public solution as far as the noise and the sampling error, both known from public numbers, could
 *  explain the distance: a soft-thresholded James-Stein rule. With little data or a small epsilon the result is the
 *  public solution; as both grow it is the target's own.
 *
 *  Privacy: each of the T sums has certified sensitivity 2 Q in exact integers (privacy::VectorSum) and noise
 *  floor(2^b Z), which makes it grid.certified_mu()-GDP; together sqrt(T) times that. The number of passes is
 *  fixed, no value computed from private rows leaves otherwise, and no branch depends on one. */
[[nodiscard]] PrivateFit fit_private(const PrivateRows &rows, const PublicMetric &metric,
                                     const PrivatePlan &plan, const random::Key &key,
                                     std::size_t threads, Control &control,
                                     ReleaseTrace *trace = nullptr);

}  // namespace dpadapt
