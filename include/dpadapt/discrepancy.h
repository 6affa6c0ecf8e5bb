/** Discrepancy between the samples, the d of the adaptation objective.
 *
 *  Labelled (equation `eq:dis_estimate` in the paper's source), L the mean squared losses, h_w(x) = w.x:
 *
 *      d = max over ||w - w_0|| <= rho of | L_target(w) - L_source(w) |
 *
 *  with w_0 = 0 and rho = Lambda unless `discrepancy_center` and `discrepancy_radius` say otherwise.
 *  Unlabelled: the largest difference over pairs w, w' of that ball of the mean of (w.x - w'.x)^2; it
 *  needs no target labels. The ball lies in the coordinates that `preprocess` and `intercept` define.
 *
 *  With a private sample the value is released with Laplace noise, of scale (B/n + 2 tau)/epsilon_1 for losses in
 *  [0, B], n records and a supremum certified to tau; epsilon_1 is `discrepancy_share` of `epsilon`.
 *  Only the value leaves; bounds and maximizer are DPA_E_NOT_RELEASABLE.
 *
 *  Both maxima are global. The squared loss makes the labelled one two trust-region problems, solved
 *  exactly with a dual bound (`discrepancy_method` = trust_region), or by DCA with restarts (dca).
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
 *  Cost O((m + n) k^2 + k^3) for k columns.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_estimate(dpa_problem *problem, const dpa_options *options,
                                            dpa_discrepancy **out);

/** Releases the estimate; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_discrepancy_destroy(dpa_discrepancy *discrepancy);

/** The estimate d >= 0, in squared label units.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_value(const dpa_discrepancy *discrepancy, double *value);

/** Bounds with lower <= d <= upper: the loss difference at a feasible predictor and the dual value,
 *  both widened by a bound on rounding. Either pointer may be NULL.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_bounds(const dpa_discrepancy *discrepancy, double *lower,
                                          double *upper);

/** Number of features of the maximizing predictor.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_features(const dpa_discrepancy *discrepancy, size_t *features);

/** The predictor that attains the value (for the unlabelled one the half-difference (w - w')/2 of
 *  the pair).
 *  @param out      Array of length [features], filled with coefficients in label units per feature
 *                  unit.
 *  @param out_len  Length of out; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_DIMENSION.  Any thread.  Since 0.1.
 */
DPA_API dpa_status dpa_discrepancy_maximizer(const dpa_discrepancy *discrepancy, double *out,
                                             size_t out_len);

/** Intercept of that predictor, in label units.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_discrepancy_maximizer_intercept(const dpa_discrepancy *discrepancy,
                                                       double *value);

DPA_EXTERN_C_END

#endif
