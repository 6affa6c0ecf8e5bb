/** Discrepancy between the samples, the d of the adaptation objective.
 *
 *  Labelled (the paper's equation (2)), with L the mean squared loss of a sample and the scores
 *  w.x:
 *
 *      d = max over ||w - w_0|| <= rho of | L_target(w) - L_source(w) |
 *
 *  with w_0 = 0 and rho = Lambda; `discrepancy_center` and `discrepancy_radius` set others.
 *  Coefficients as centre need a loss with one linear score. The ball lies in the coordinates that
 *  `preprocess` and `intercept` define.
 *
 *  With `discrepancy_side` = target_above, d = max(0, L_target(w) - L_source(w)) over the ball.
 *  L_target is at most L_source + d, which is all that the paper's analysis needs. This d is never
 *  larger, and its sensitivity is the same.
 *
 *  Unlabelled: with the mean of (w.x - w'.x)^2 in the place of the loss, the largest difference
 *  between the samples over pairs w, w' of the ball. It needs no target labels. With the option
 *  `labelling_disagreement` it also bounds the labelled one (`labelled_bound`); a private source
 *  has no such bound.
 *
 *  With a private sample the value is released with noise. The sensitivity is B/n + 2 tau, for
 *  losses in [0, B], n records and a maximum certified to tau. Laplace noise has the scale
 *  sensitivity/epsilon_1, where epsilon_1 is `discrepancy_share` of `epsilon`. Gaussian noise of
 *  the same cost to other releases is drawn where its deviation is smaller (`discrepancy_noise`).
 *  The value `deviation` has its deviation. Only the value is released; bounds and
 *  maximizer are DPA_E_NOT_RELEASABLE.
 *
 *  Both maxima are global. For the squared loss the labelled one is two trust-region problems. They
 *  are solved exactly with a dual bound (`discrepancy_method` = trust_region), or by DCA with
 *  restarts (dca).
 *
 *  In the general form, for any `loss`, L are its means and w all its parameters. No solver is sure
 *  to find that maximum. The value is the best of several ascents, and so a lower bound. The upper
 *  bound follows from the bounds of the losses and of their derivatives. With a private sample the
 *  value is
 *
 *      d = max over w in H_0 of | L_target(w) - L_source(w) |,  losses clipped to [0, B],
 *
 *  with H_0 about 40 predictors that do not depend on private records:
 *
 *      - the centre of the ball
 *      - 1/4, 1/2, 1 and 2 times the public fit and its negative, as far as the ball reaches
 *      - 32 random points, always the same
 *
 *  So d is a lower bound of the maximum over the ball. B is the largest over H_0 of the 0.99
 *  quantile of the public losses. A bound of the loss itself takes its place if it is less, or if
 *  both samples are private. That is its bound for records within `feature_radius` and
 *  `label_bound`, or the declared bound of a custom loss. Noise is as above; tau covers the
 *  rounding of sums only.
 */
#ifndef DPADAPT_DISCREPANCY_H
#define DPADAPT_DISCREPANCY_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Estimates the discrepancy of the two samples.
 *  @param problem  Both samples set.
 *  @param options  NULL for the defaults. A private estimate needs `epsilon` and `delta`.
 *  @param out      Receives the handle, to be released by dpa_discrepancy_destroy; NULL stored on
 *                  failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE before both samples are set;
 *          DPA_E_NONFINITE naming the first bad row; DPA_E_OPTION; DPA_E_UNSUPPORTED;
 *          DPA_E_BUDGET; DPA_E_ENTROPY; DPA_E_NUMERICAL; DPA_E_CANCELLED; DPA_E_NO_MEMORY; see
 *          dpa_solve.
 *  Cost O((m + n) k^2 + k^3) for k columns. The general form makes some hundreds of passes over the
 *  losses. With a private sample it makes 41, and 82 over the public one.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_estimate(dpa_problem *problem, const dpa_options *options,
                                            dpa_discrepancy **out);

/** Releases the estimate; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_discrepancy_destroy(dpa_discrepancy *discrepancy);

/** A number of the estimate:
 *
 *      value         d >= 0, in squared label units, or units of the loss
 *      deviation     standard deviation of the noise in a private value, known before it was drawn;
 *                    0 without privacy. (The value is clamped to [0, B] afterwards.)
 *      lower, upper  bounds of the maximum, lower <= d <= upper: the loss difference at a feasible
 *                    predictor, and the dual value. Both are widened by a bound on rounding. In the
 *                    general form the upper bound is coarse, and grows with the ball. It is
 *                    infinite for a custom loss with no declared bound; a declared bound is not
 *                    checked. DPA_E_NOT_RELEASABLE of a private one
 *      labelled_bound  of an unlabelled estimate with `labelling_disagreement` e: an upper bound of
 *                    the labelled discrepancy of the same ball and side, for all target labels
 *                    that differ by at most e, as root mean square, from the predictions of the
 *                    source's fit; see docs/methods.md. Of a private target it follows from the
 *                    released value and public numbers, at no price, and holds for the clipped
 *                    records with probability `confidence`. DPA_E_UNSUPPORTED without the option
 *      features      of the samples, and of the maximizing predictor if there is one
 *      intercept     of the maximizer, in label units; fails as dpa_discrepancy_maximizer does
 *
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_OPTION_NAME for other
 *          names; DPA_E_NOT_RELEASABLE; DPA_E_UNSUPPORTED.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_discrepancy_value(const dpa_discrepancy *discrepancy, const char *name,
                                         double *value);

/** The predictor that attains the value. For the unlabelled discrepancy it is (w - w')/2, half the
 *  difference of the pair.
 *  @param out      Array of length [features], filled with coefficients in label units per feature
 *                  unit.
 *  @param out_len  Length of out; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_DIMENSION; DPA_E_NOT_RELEASABLE of a
 *          private estimate; DPA_E_UNSUPPORTED where no coefficients make the score (softmax,
 *          perceptron, custom).  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_maximizer(const dpa_discrepancy *discrepancy, double *out,
                                             size_t out_len);

DPA_EXTERN_C_END

#endif
