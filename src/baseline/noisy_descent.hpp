#pragma once

#include "baseline/private_moments.hpp"

namespace dpadapt::baseline {

/** Noisy minibatch gradient descent on the target alone, for any loss (after Bassily, Feldman,
 *  Talwar, Thakurta 2019):
 *
 *      theta <- Proj(theta - eta ((1/b_k) (S_k + N) + 2 ridge theta)),
 *
 *  S_k the sum over batch k of gradients shrunk to norm C, Proj on ||theta|| <= Lambda; the result
 *  is the average of all iterates. C is clip_bound, or a quantile of the public gradients at the
 *  public fit, but not above the bound G of the loss.
 *
 *  With `sampling` = poisson every record is drawn into every batch by itself, by a secret coin
 *  with probability q = b/n; b_k is b, and there are T = E/q steps. Their price is sampled_mu of
 *  sampled_gaussian.hpp. b is the least for which more and smaller batches would hardly lower the
 *  bound of the error, L^2/T + p (sigma/b)^2/T, but not so small that one step costs more than its
 *  share, nor that there are more than 2000 of them, and no larger than disjoint batches would be.
 *
 *  With `sampling` = shuffled each of E epochs divides the records, in an order drawn from the key,
 *  into K batches whose sizes differ by at most 1. A record is in one batch of an epoch; given all
 *  earlier values, the other sums of the epoch do not depend on it. So an epoch is mu_e-GDP for
 *  mu_e = 2 C/sigma, with N of deviation sigma in every batch, and E epochs cost sqrt(E) mu_e:
 *  sigma = 2 C sqrt(E)/mu. Nothing is claimed for the random order, and nothing stops early.
 *
 *  eta = Lambda/sqrt(T (L^2 + p (K sigma/n)^2)) for T = E K steps, p parameters and L = C + 2 ridge
 *  Lambda. */
class NoisyDescent final : public PrivateBaseline {
  public:
    /** Throws Error(DPA_E_OPTION) besides when the budget does not allow the releases. */
    NoisyDescent(const Sample &source, const Sample &target, const Settings &settings,
                 Control &control);

    [[nodiscard]] Solution solve(privacy::ReleaseTrace *trace) const override;
    void describe(Document &document) const override;

  private:
    [[nodiscard]] std::size_t epochs() const { return settings().baseline.epochs; }
    void choose_clip();
    [[nodiscard]] double best_batch(double mu) const;
    [[nodiscard]] std::uint64_t rate() const;
    void choose_batches();
    void choose_step();

    double clip_ = 0.0;
    std::uint64_t rate_ = 0;  ///< of sampling, in units of 2^-32; 0: batches are of an order
    std::size_t steps_ = 0;
    std::size_t batches_ = 1;  ///< of an epoch, where records are not sampled
    double step_length_ = 0.0;
};

}  // namespace dpadapt::baseline
