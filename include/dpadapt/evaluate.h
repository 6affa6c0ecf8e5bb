/** Evaluation: errors of solutions, with intervals, on labelled rows that none of them was fitted
 *  on.
 *
 *  The rows are the target sample of a problem, `rows`. Measures of each solution:
 *
 *      squared_error             mean of (prediction - label)^2          labels that are numbers
 *      root_mean_squared_error   its root
 *      absolute_error            mean of |prediction - label|
 *      quantile_loss             mean pinball loss of its level          quantiles, except of level
 *                                                                        1/2, where it would be
 *                                                                        absolute_error/2
 *      log_loss                  mean of -log(probability of the label)  classes
 *                                half the deviance                       times
 *      accuracy                  share of right labels
 *      roc_area                  area under the ROC curve; NaN in       two classes
 *                                [0, 1] where the rows have one class
 *      concordance               Harrell's C: of pairs of rows of which  times; of private rows
 *                                one has an event before the other's     beside a public source
 *                                time, the share in which it has the
 *                                larger hazard; NaN in [0, 1] where
 *                                there is no such pair
 *
 *  With several solutions there are also squared_error_difference, absolute_error_difference,
 *  quantile_loss_difference, log_loss_difference and accuracy_difference: each further solution
 *  minus the first one. Public rows with weights have effective_rows as the last one. After all
 *  measures there follow, of each solution:
 *
 *      calibration    of two classes, for each bin of the predicted probability: the share of
 *                     positive labels among its rows
 *      clipped_share  of private rows: the share of those with a loss that is clipped (see below)
 *
 *  Every interval covers the mean of the population of the rows with probability `confidence`
 *  (0.95), for large n. It includes sampling error and noise. For private rows "Clips" below limits
 *  this.
 *
 *  For a public target (`private_domain` = none or source) these are the ordinary test errors with
 *  their normal intervals (the ROC area by DeLong's variance).
 *
 *  Weights of public rows (dpa_problem_set_weights) make each mean sum w l / sum w, with the
 *  standard error of such a ratio, and shares and areas weighted ones. `effective_rows` is
 *  (sum w)^2 / sum w^2, without an interval, and so are the `rows` of bins. There is no
 *  concordance. With weights that are ratios of two populations' densities, such as kmm, kliep,
 *  ulsif and rulsif give the rows of a source (baseline.h), these are errors on the other
 *  population: see docs/methods.md for when. Private rows with weights are refused.
 *
 *  For a private target (target, both) all measures come from one or two releases of integer sums
 *  over the rows, with Gaussian noise. Together they cost epsilon and delta, and are entered into
 *  the ledger of `rows` before a row is read. The sums include second moments, from which the
 *  intervals are computed. A row's residuals (of classes: minus log probabilities) are clipped to a
 *  bound A, which is
 *
 *      evaluation_bound            if that is a number; else
 *      from the source sample      if `rows` has a public one with usable errors. It is computed
 *                                  from these rows like the setting error_bound (solution.h) of
 *                                  every solution, with the quantile `bound_quantile`; else
 *      from the private rows       by a first release, for 0.08 of mu^2: a histogram of sizes. A is
 *                                  1.3 times (of classes: 1.7 times) the end of its noisy counts,
 *                                  or more
 *
 *  Let s be 2.5 deviations of a count of that histogram, as a share of the rows. Where s is more
 *  than 0.003, A is at least the largest setting error_bound of the solutions. Where s is more than
 *  0.1, A is that setting, and there is no first release. So it is where all counts may be noise:
 *  no 1, 2, 4, 8 or 16 in a row have more than six deviations of theirs. If it is infinite, A is
 *  the widest range of the solutions' predictions (of classes: -log 0.01). The call is refused if
 *  that is infinite.
 *
 *  Pinball losses have a bound of their own, found in the same way. Two classes with a number for
 *  `evaluation_bound` and no public source need the first release for the bins of their scores; it
 *  is left out if s is more than 0.1. A row that is not finite, or whose label has no meaning, has
 *  the largest loss.
 *
 *  Concordance of private rows is found by their pairs with up to 500 public rows, and by counts of
 *  rows in 64 cells of score, time and event. The cells are coarse: if times of the domains differ
 *  threefold, the estimate is off by up to 0.01, which its interval ignores.
 *
 *  Clips: estimates are means of clipped losses, which never exceed the means of the losses. The
 *  report has A, and the share of clipped rows with its interval. It begins with `notes` if the
 *  lower end of that share is above 0.01 (above 0.03 for pinball losses, whose bound is closer), or
 *  if errors may have a long tail that adds more than a tenth to squared_error.
 *
 *  Upper ends of intervals are for the losses without clips. The part beyond A is added from a
 *  model of the tail: normal residuals; Student's with four degrees of freedom if the histogram has
 *  longer tails; exponential for log and pinball losses. The model is fitted to the upper end of
 *  the clipped mean, or of the share of clipped rows. If the lower end of that share exceeds what
 *  the model and a quarter of the interval's width allow, the upper end grows by the share's upper
 *  end times A. That holds for losses beyond A that are at most 2 A on average. If there are notes,
 *  the upper end may be infinite (null in JSON). Differences have both ends moved in this way.
 *
 *  Squared and absolute errors have a long tail where the mean of t^4, with t = min(|residual|/A,
 *  1), exceeds that of normal residuals with the same mean of t^2: as a released value, or that of
 *  the public source sample A comes from, less 1.5 deviations. Let x be that excess as a part, at
 *  most 1, and p the share of clipped rows. Then 2 x p A^2 are added to squared_error, which is
 *  Pareto's tail of index 3 for x = 1, and to absolute_error what that tail has; the widths of both
 *  summands are joined. Without such a sample all is multiplied by p/0.01, if p may be larger than
 *  0.01. Where it is larger for certain, upper ends are open: always if A comes from the private
 *  rows, else unless x is at most 0.1 for certain. The intervals cannot cover losses beyond A that
 *  are too rare to be seen under the noise and yet so large that they matter: see clipped_share.
 *
 *  The solutions count as public: those fitted to private records must be private themselves, and
 *  their promise is about their own rows. Rows that a solution was fitted on underestimate its
 *  error.
 */
#ifndef DPADAPT_EVALUATE_H
#define DPADAPT_EVALUATE_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Measures the errors of solutions on the target sample of a problem.
 *  @param rows        Its target sample holds the rows; its source sample may be absent.
 *  @param candidates  Array of length count: solutions of any method, with the rows' features.
 *                     Either all predict numbers, or all predict classes with the same labels.
 *  @param count       From 1 to 1000.
 *  @param options     NULL for the defaults. `private_domain`, `epsilon`, `delta`, `unsafe_seed`,
 *                     `confidence`, `evaluation_bound`, `bound_quantile` and `threads` are read.
 *  @param out         Receives the handle, to be released by dpa_evaluation_destroy; NULL stored on
 *                     failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for no solutions;
 *          DPA_E_OVERFLOW for too many; DPA_E_STATE before the rows are set; DPA_E_DIMENSION for
 *          other features; DPA_E_OPTION without a budget, or where it is too small;
 *          DPA_E_UNSUPPORTED for solutions that have no common measure; DPA_E_BUDGET;
 *          DPA_E_ENTROPY; DPA_E_CANCELLED; DPA_E_NO_MEMORY; of public rows DPA_E_NONFINITE,
 *          DPA_E_LABEL, and DPA_E_NUMERICAL where an error is not finite.
 *  Cost: a few predictions of every row by every solution.  Since 0.2. */
DPA_API dpa_status dpa_evaluate(dpa_problem *rows, const dpa_solution *const *candidates,
                                size_t count, const dpa_options *options, dpa_evaluation **out);

/** Calibrates a solution: counts the target rows of `rows` by their score, so that
 *  dpa_solution_predict_interval (solution.h) can tell how far the label of a new row may be from
 *  its prediction. The score is |prediction - label|; of quantiles label - prediction; of classes
 *  minus the log probability of the label.
 *
 *  The promise: an interval of level L holds the label of a new row with probability at least L,
 *  whatever the solution and the distribution of the rows. The probability is over the new row, the
 *  calibration rows and the noise. All rows must be drawn alike, and none may have been used for
 *  the solution. It is an average over rows, not a promise for each kind of them. For new rows from
 *  another distribution it is L - t, with t the total variation distance of the two. With persons
 *  the new row is any one of a new person.
 *
 *  Private rows (`private_domain` = target, both) cost epsilon and delta, entered into the ledger
 *  of `rows` before a row is read. The one release is a sum of integer vectors over the rows, with
 *  Gaussian noise, from which all numbers of rows below the ends of public bins follow. An interval
 *  has the least end from which on each number reaches what L needs with the noise and one more
 *  row. A row without a finite score counts as beyond all ends.
 *
 *  The bins are public: sixteen to an octave (four where rows are few for the noise), up to a
 *  scale, which is `evaluation_bound` if that is a number; else it comes from the source sample of
 *  `rows` if that is public, from the setting error_bound, or from the range of predictions. Above
 *  it there are four octaves of wider bins.
 *
 *  If `rows` has a public source sample and noise would make the intervals useless, a share s of
 *  the counts is the source's. Released values decide s, which is 0 for many rows. The promise is
 *  then L - s D, up to terms of order 1/n, with D the largest difference between the two
 *  domains' distribution functions of the score. dpa_solution_text with `calibration` tells s.
 *
 *  A private solution accepts only private calibrations, without unsafe_seed. One that protects
 *  persons needs the rows' persons. Otherwise the promise of its report would be weaker.
 *
 *  @param solution  Of any method; it stays as it is.
 *  @param rows      Its target sample holds the rows; its source sample may be absent.
 *  @param options   NULL for the defaults. `private_domain`, `epsilon`, `delta`, `unsafe_seed`,
 *                   `evaluation_bound`, `rows_per_person` and `threads` are read.
 *  @param out       Receives a new solution with the calibration, in place of an earlier one, to be
 *                   released by dpa_solution_destroy; NULL stored on failure.
 *  @return As dpa_evaluate, of one solution.
 *  Cost: one prediction of every row.  Since 0.2. */
DPA_API dpa_status dpa_solution_calibrate(const dpa_solution *solution, dpa_problem *rows,
                                          const dpa_options *options, dpa_solution **out);

/** Releases the evaluation; NULL is accepted and ignored.  Since 0.2. */
DPA_API void dpa_evaluation_destroy(dpa_evaluation *evaluation);

/** One measure of one solution. */
typedef struct dpa_measure {
    const char *name; /**< One of the above, static text; NULL beyond the last measure. */
    size_t solution;  /**< Its index; of a difference, that of the one compared with the first. */
    double estimate;
    double lower;     /**< End of the interval; that of a difference may be -infinity. */
    double upper;     /**< May be infinite. */
    double from;      /**< Lower end of the bin of `calibration`; of other measures 0. */
    double to;        /**< Upper end of that bin; else 0. */
    double rows;      /**< In that bin, with noise where they are private; else 0. With weights it
                       *   is their effective number. */
    const char *note; /**< Of `clipped_share`: a sentence that readers must see first, valid as long
                       *   as the evaluation; NULL if none. */
} dpa_measure;

/** Measure number index, counted from 0. Beyond the last one all members are 0, so a loop ends
 *  where `name` is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_evaluation_measure(const dpa_evaluation *evaluation, size_t index,
                                          dpa_measure *out);

/** The report: notes that readers must know first, if there are any; all measures; and the
 *  calibration table. It has bins of the predicted probability: their ends, the number of rows, and
 *  the share of positive labels with its interval. For private rows it has the bound and the share
 *  of clipped rows, too. The price is in dpa_problem_privacy_report of `rows`.
 *  @param form     One of DPA_REPORT_* (privacy.h), but no page.
 *  @param out      Buffer of out_len bytes, filled with zero-terminated text; may be NULL if
 *                  out_len is 0.
 *  @param needed   Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_evaluation_report(const dpa_evaluation *evaluation, int32_t form, char *out,
                                         size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
