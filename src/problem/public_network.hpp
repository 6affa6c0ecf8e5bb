#pragma once

#include "base/control.hpp"
#include "loss/choice.hpp"
#include "problem/loss_rows.hpp"

namespace dpadapt {

/** The fit of a perceptron to public rows, with the weight decay of least mean loss on rows held
 *  out of it: without one it interpolates its rows. Decays are tried from the largest on, and
 *  the first one that is worse than the one before ends the search. */
[[nodiscard]] arma::vec fit_network(const LossRows &rows, const arma::vec &start,
                                    const loss::Choice &choice, std::uint64_t seed,
                                    Control &control);

/** What the options leave open about the loss, from the labels of a public sample, their mean, and
 *  the robust standard deviation of its residuals (asked for only if a number that counts in it is
 *  open). */
[[nodiscard]] loss::Choice choose_loss(const LossSettings &settings,
                                       const std::vector<double> &labels, double mean_label,
                                       const std::function<double()> &residual_scale);

/** The same without a public sample; `why` ends the message of Error(DPA_E_OPTION) that names what
 *  must be given. */
[[nodiscard]] loss::Choice choose_loss(const LossSettings &settings, const char *why);

/** The cumulative hazard of public rows at their mean score: Breslow's estimate, between which and
 *  the coefficients of `choice` it goes back and forth until both are Cox's. Its pieces have as
 *  many events each. Throws Error(DPA_E_LABEL) if no row has an event. */
[[nodiscard]] loss::CumulativeHazard baseline_hazard(const PreparedSample &rows,
                                                     loss::Choice choice, Control &control);

/** Of the logarithm of that hazard, for a target whose intercept takes its mean: at each piece.
 *  @param fit  Of the public rows.
 *  @param own  Of the target. */
[[nodiscard]] std::vector<double> hazard_variances(const PreparedSample &rows, const arma::vec &fit,
                                                   const arma::vec &own);

/** A rate's scores count from that of its typical label, if there is an intercept: the ball of
 *  predictors lies around it. */
void center_rates(loss::Choice &choice, Preprocess &preprocess);

/** Whether Newton's method minimizes that loss: unless told otherwise where there is one score,
 *  linear in the features, and not too many of these for a matrix a step. The squared loss has the
 *  same matrix in every step as long as weights do not change, and few steps. */
[[nodiscard]] bool uses_newton(const std::optional<Optimizer> &optimizer,
                               const loss::Choice &choice, const loss::Loss &loss,
                               std::size_t dimension);

/** theta minimizing the mean loss of the rows plus the ridge of LossRows; for a loss that is not
 *  convex a stationary point found from `start`.
 *  @param ridge   Half of these multiples of the squares of theta are added; empty: nothing.
 *  @param weight  Of the rows in the mean; empty: all the same. */
[[nodiscard]] arma::vec fit_loss(const LossRows &rows, arma::vec start, bool newton,
                                 Control &control, const arma::vec &ridge = {},
                                 std::vector<double> weight = {});

}  // namespace dpadapt
