/** Evaluation: how large the error of solutions is on labelled rows that none of them was fitted
 *  on, with intervals.
 *
 *  The rows are the target sample of a problem, `rows`. What is measured, of each solution:
 *
 *      squared_error             mean of (prediction - label)^2          labels that are numbers
 *      root_mean_squared_error   its root
 *      absolute_error            mean of |prediction - label|
 *      quantile_loss             mean pinball loss of its level          quantiles of another level
 *                                                                        than 1/2; of 1/2 it is
 *                                                                        absolute_error/2
 *      log_loss                  mean of -log(probability of the label)  classes
 *      accuracy                  share of right labels
 *      roc_area                  area under the ROC curve; NaN in       two classes
 *                                [0, 1] where the rows have one class
 *
 *  With several solutions there are also squared_error_difference, absolute_error_difference,
 *  quantile_loss_difference, log_loss_difference and accuracy_difference: each further solution
 *  minus the first one. Two classes have a calibration table as well (dpa_evaluation_report).
 *
 *  Every interval covers, with probability `confidence` (0.95) for large n, the mean of the
 *  population that the rows were drawn from: the chance of drawing these rows, and the noise; of
 *  private rows under what "Clips" below says of large losses.
 *
 *  Where the target is public (`private_domain` = none or source) these are the ordinary test
 *  errors with their normal intervals (the ROC area by DeLong's variance).
 *
 *  Where it is private (target, both) all of it comes from one release, or two, of integer sums
 *  over the rows with Gaussian noise, which together cost epsilon and delta and are entered into
 *  the ledger of `rows` before a row is read. The sums have second moments too, so that the
 *  intervals are known. A row's residuals (of classes: minus log probabilities) are clipped to a
 *  bound A. It is
 *
 *      evaluation_bound            if that is a number; else
 *      from the source sample      if `rows` has one, it is public, and its errors say something:
 *                                  like the setting error_bound (solution.h) of every solution, by
 *                                  these rows and the quantile `bound_quantile`; else
 *      from the private rows       by a first release, for 0.08 of mu^2: a histogram of sizes. A is
 *                                  where its noisy counts end, times 1.3 (of classes: 1.7) or
 *                                  more; but
 *      from the fits               it is at least the largest setting error_bound where 2.5
 *                                  deviations of a count are more than 0.003 of the rows, and
 *                                  where they are more than a tenth it is that, without a first
 *                                  release. If that is infinite, the call is refused above a tenth.
 *
 *  Pinball losses have a bound of their own, found in the same way. Two classes with a number for
 *  `evaluation_bound` and no public source need the first release all the same, for the bins of
 *  their scores, unless it would be noise. A row that is not finite, or whose label has no meaning,
 *  has the largest loss.
 *
 *  Clips: estimates are means of clipped losses, which are never above those of the losses. The
 *  report has A and the share of clipped rows with its interval, and begins with `notes` where that
 *  is more than a hundredth for sure (three hundredths where pinball losses are measured, whose
 *  bound is closer to them). Upper ends are those of the losses without clips: what is beyond A is
 *  added as a normal distribution of residuals has it (where the histogram shows longer tails:
 *  Student's with four degrees of freedom; of log and pinball losses an exponential one) of which
 *  the clipped mean, or the share of clipped rows, is the upper end of its interval. Where the
 *  lower end of that share is more than this and a quarter of the interval's width can hold, the
 *  upper end is the share's upper end times the bound more, for losses that are at most twice as
 *  large as it on average, or, where there are notes, open: infinite, and null in JSON. Differences
 *  have both ends moved so. What the intervals cannot know of are losses beyond A that are too few
 *  to be seen under the noise and yet so large that they count: see clipped_share.
 *
 *  The solutions count as public: those fitted to private records must be private themselves, and
 *  their promise is about their own rows. Rows that a solution was fitted on make it look better
 *  than it is.
 */
#ifndef DPADAPT_EVALUATE_H
#define DPADAPT_EVALUATE_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Measures the errors of solutions on the target sample of a problem.
 *  @param rows        Its target sample are the rows; its source sample may be absent.
 *  @param candidates  Array of length count: solutions of any method, with the rows' features; all
 *                     of labels that are numbers, or all of classes with the same labels.
 *  @param count       From 1 to 1000.
 *  @param options     NULL for the defaults. `private_domain`, `epsilon`, `delta`, `unsafe_seed`,
 *                     `confidence`, `evaluation_bound`, `bound_quantile` and `threads` are read.
 *  @param out         Receives the handle, to be released by dpa_evaluation_destroy; NULL stored on
 *                     failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for no solutions;
 *          DPA_E_OVERFLOW for too many; DPA_E_STATE before the rows are set; DPA_E_DIMENSION for
 *          other features; DPA_E_OPTION without a budget, or where it is too small;
 *          DPA_E_UNSUPPORTED for solutions that no loss measures together; DPA_E_BUDGET;
 *          DPA_E_ENTROPY; DPA_E_CANCELLED; DPA_E_NO_MEMORY; of public rows DPA_E_NONFINITE,
 *          DPA_E_LABEL, and DPA_E_NUMERICAL where an error is not finite.
 *  Cost: a few predictions of every row by every solution.  Since 0.1. */
DPA_API dpa_status dpa_evaluate(dpa_problem *rows, const dpa_solution *const *candidates,
                                size_t count, const dpa_options *options, dpa_evaluation **out);

/** Releases the evaluation; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_evaluation_destroy(dpa_evaluation *evaluation);

/** Number of measures, those of all solutions together.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_evaluation_count(const dpa_evaluation *evaluation, size_t *count);

/** Name of a measure, one of the above; NULL for a wrong handle or index. The text is static.  Any
 *  thread.  Since 0.1. */
DPA_API const char *dpa_evaluation_name(const dpa_evaluation *evaluation, size_t index);

/** Index of the solution that a measure is about; of a difference, of the one that is not the
 *  first.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_evaluation_solution(const dpa_evaluation *evaluation, size_t index,
                                           size_t *solution);

/** Estimate and interval of a measure.
 *  @param estimate  Receives the estimate; each pointer may be NULL.
 *  @param lower     Receives the lower end of the interval.
 *  @param upper     Receives the upper end; infinite where it is open, which of a difference the
 *                   lower one may be as well.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_evaluation_interval(const dpa_evaluation *evaluation, size_t index,
                                           double *estimate, double *lower, double *upper);

/** Notes on what readers must know first, if there are any; all measures; the calibration table (of
 *  bins of the predicted probability: their ends, how many rows, and the share of positive labels
 *  with its interval); and, of private rows, the bound and the share of clipped rows. What was paid
 *  is in dpa_problem_privacy_report of `rows`.
 *  @param form     DPA_REPORT_JSON or DPA_REPORT_TEXT (privacy.h).
 *  @param out      Buffer of out_len bytes, filled with zero-terminated text; may be NULL if
 *                  out_len is 0.
 *  @param needed   Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_evaluation_report(const dpa_evaluation *evaluation, int32_t form, char *out,
                                         size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
