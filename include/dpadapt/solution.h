/** Solving, and the fitted predictor.
 *
 *  The objective is a function of parameters theta in the ball ||theta|| <= Lambda and of record
 *  weights q_i. It has one of two forms (option `form`). l_i is the loss of record i, d the
 *  discrepancy, and p_i the reference weight: alpha/m for a source record, (1 - alpha)/n for a
 *  target record. The convex form, the paper's equation (6), is for the squared loss and q_i in
 *  (0, p_i]:
 *
 *      F = sum_i q_i (l_i + d [i is a source row]) + kappa_1 (sum_i p_i^2/q_i - 1)
 *          + kappa_2 ||q||_2 + kappa_inf max_i q_i
 *
 *  The general form, equation (7), is for any loss and q_i in [0, p_i]:
 *
 *      J = sum_i q_i (l_i + d [i is a source row]) + lambda_1 (1 - sum_i q_i)
 *          + lambda_2 ||q||_2 + lambda_inf/mu log sum_i exp(mu q_i)
 *
 *  with mu = `softmax_sharpness`. Where lambda_1 is auto, q_i = p_i for all i, and d has no use.
 *  The paper writes 1/u_i for q_i; where p_i = 0, q_i = 0. Names in backquotes are options.
 *
 *  Without privacy (`private_domain` = none) dpa_solve finds the global minimum of F, certified by
 *  a duality gap. On J it descends monotonically from the source fit to a stationary point, which
 *  the gradient mapping certifies. Where the weights cannot change and the loss is convex, that
 *  point is a global minimum, certified like that of F.
 *
 *  Predictors: most losses have linear scores W'x + b, with one score for a row, or one for each
 *  class. Scores of perceptron are not linear. Only the author of a custom loss can interpret its
 *  parameters. theta is in the coordinates defined by `preprocess` and `intercept`; coefficients
 *  and intercepts are in the caller's own feature units.
 *
 *  With a private sample the predictor is computed from noisy sums in a fixed number of steps;
 *  dpa_plan_for_problem (privacy.h) gives the price. With `method` = profile and `alpha` = auto the
 *  noisy sums decide the share of the source. With a number for `alpha` the objective is minimized.
 *  Before that the discrepancy is released, unless it is given or has no use. `method` = paper is
 *  the paper's own algorithm. For values that are not released the functions below answer
 *  DPA_E_NOT_RELEASABLE.
 *
 *  Without noise, results are the same bit for bit for the same input, options, build, kind of
 *  processor and number of BLAS threads; the option `threads` does not change them.
 */
#ifndef DPADAPT_SOLUTION_H
#define DPADAPT_SOLUTION_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Fits a predictor.
 *  @param problem      Both samples set.
 *  @param discrepancy  Its value is used as d; NULL: the option `discrepancy` decides. A private
 *                      fit accepts only one that was released privately from this problem's budget,
 *                      else DPA_E_OPTION.
 *  @param options      NULL for the defaults. A private fit needs `epsilon` and `delta`.
 *  @param out          Receives the handle, to be released by dpa_solution_destroy; NULL stored on
 *                      failure.
 *  @return DPA_OK, whatever the `termination` (see dpa_solution_value); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_STATE before both samples are set, while another call uses
 *          the problem, or when its earlier private calls had another `private_domain`;
 *          DPA_E_NONFINITE naming the first bad row of a public sample; DPA_E_LABEL naming the
 *          first public row whose label the loss gives no meaning; DPA_E_OPTION; DPA_E_UNSUPPORTED;
 *          DPA_E_BUDGET when the problem's budget does not allow it; DPA_E_ENTROPY;
 *          DPA_E_FORMAT and DPA_E_STORE of its ledger (ledger.h); DPA_E_NUMERICAL; DPA_E_CALLBACK
 *          when a loss function failed on public records, or a pass (passes.h); DPA_E_CANCELLED;
 *          DPA_E_NO_MEMORY. After the last five a private fit may have spent its price.
 *          No outcome depends on private records, with one exception: DPA_E_INTERNAL if a
 *          discrepancy cannot be certified. No such input is known.
 *  Cost: a few passes over the data and as many weighted Gram products.  Since 0.1. */
DPA_API dpa_status dpa_solve(dpa_problem *problem, const dpa_discrepancy *discrepancy,
                             const dpa_options *options, dpa_solution **out);

/** Releases the solution; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_solution_destroy(dpa_solution *solution);

/** A text about the solution:
 *
 *      loss         of the predictor, as the option `loss` names it, such as squared. The baselines
 *                   gapboost and tradaboost have votes, a weighted vote of linear classifiers: its
 *                   labels are -1 and +1, and its predictor is in its parameters
 *      termination  why the solver stopped: converged, precision, iterations, degenerate, steps,
 *                   not converged (DPA_TERMINATION_*)
 *      digest       a name of the predictor: 64 hexadecimal digits, BLAKE2b of the bytes of
 *                   dpa_solution_serialize without weights. Solutions with the same digest make the
 *                   same predictions and the same promise, on any machine. It serves as a key of
 *                   caches, and records which model made a prediction. A solution that is read back
 *                   has the same digest, until something is taken from its problem without
 *                   protection
 *      calibration  what its prediction intervals promise, in sentences; empty without a
 *                   calibration (dpa_solution_calibrate)
 *      finding_codes  a line for each sentence of dpa_solution_findings, in the same order:
 *                   "warning" or "note", and a code, such as "warning epsilon_above_10". Sentences
 *                   may change in any version, codes do not
 *
 *  @param out      Buffer of out_len bytes, filled with zero-terminated text; may be NULL if
 *                  out_len is 0.
 *  @param needed   Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME for other names; DPA_E_NO_MEMORY.  Any thread.
 *          Since 0.2. */
DPA_API dpa_status dpa_solution_text(const dpa_solution *solution, const char *name, char *out,
                                     size_t out_len, size_t *needed);

/** Sizes of the solution. `outputs` is the number of scores of a row: 1, or one for each class; 0
 *  for a custom loss. The numbers of source and target rows are at most 2^40, and are the lengths
 *  of the weight arrays where weights were released. Each pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread, as all functions on a solution.  Since 0.1. */
DPA_API dpa_status dpa_solution_shape(const dpa_solution *solution, size_t *features,
                                      size_t *outputs, size_t *source_rows, size_t *target_rows);

/** Copies an array of that name:
 *
 *      coefficients    of linear scores (w in w.x + b), column-major [features, outputs]; score
 *                      units per feature unit, which are label units per feature unit where labels
 *                      are numbers
 *      intercept       [outputs] of linear scores; zero without the option `intercept`
 *      parameters      theta in preprocessed coordinates of a perceptron, of a custom loss or of
 *                      votes; the value `parameters` is its length; see below for its order
 *      source_weights  [source_rows], the q_i of the source records
 *      target_weights  [target_rows], those of the target's. The weights of private records are
 *                      DPA_E_NOT_RELEASABLE, except for `method` = paper (from noisy values)
 *      target_estimate [dimension], the target's own estimate (see Inference below): coefficients
 *                      in the caller's units, then the intercept, if there is one
 *      covariance      of that estimate, column-major [dimension, dimension]
 *
 *  The order of parameters:
 *
 *      custom loss   its author's
 *      perceptron    layer after layer; in a layer unit after unit; in a unit the weights of its
 *                    inputs. Layers after the first have a last input, the constant 1
 *      votes         classifier after classifier; in each the weight beta of its vote, then its w.
 *                    The score of z is the sum of beta sign(w'z), with sign(0) = 1
 *
 *  @param out      Array, filled.
 *  @param out_len  Its length; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_OPTION_NAME for other
 *          names; DPA_E_UNSUPPORTED for an array that the loss does not have; DPA_E_NOT_RELEASABLE;
 *          DPA_E_DIMENSION.  Since 0.2. */
DPA_API dpa_status dpa_solution_array(const dpa_solution *solution, const char *name, double *out,
                                      size_t out_len);

/* Inference: standard errors and intervals of coefficients, for losses with one linear score. The
 * estimand is the target's best linear predictor, the minimum of its mean loss. An adapted fit is
 * shrunk towards the source, by an amount that the data choose. That improves its predictions, but
 * no interval covers it. So intervals lie around the target's own estimate, which depends neither
 * on the source's rows nor on shrinkage.
 *
 * Without a private target (option `inference` = auto) the estimate is the minimum over the
 * target's rows, with the sandwich covariance (HC3) and Student's t. A private target needs
 * `inference` = yes, a loss that is not pinball, and `alpha` = auto. It takes two releases within
 * the budget. These intervals include sampling error and noise. Their estimand is the root of the
 * mean clipped gradient. It is the minimum if residuals are symmetric, and for the intercept if
 * they are skewed like the source's. For the logistic, Poisson, gamma and survival losses it is
 * near the minimum: only rows with large features and unlikely labels are clipped.
 *
 * Without an estimate each function returns DPA_E_NOT_RELEASABLE or DPA_E_UNSUPPORTED, with the
 * reason in its message. DPA_E_NOT_RELEASABLE: a private fit without these releases.
 * DPA_E_UNSUPPORTED: other losses, baselines, as few target rows as coefficients, collinear
 * features, more than 200 features with `inference` = auto, persons, `inference` = no. */

/** Intervals, each of which covers its coefficient with that probability, for large n.
 *  @param confidence  In (0, 1), else DPA_E_INVALID_ARGUMENT.
 *  @param out         Array of length [dimension * 2], column-major: lower ends, then upper ones.
 *  @param out_len     Its length; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_NOT_RELEASABLE; DPA_E_UNSUPPORTED;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_DIMENSION.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_solution_intervals(const dpa_solution *solution, double confidence,
                                          double *out, size_t out_len);

/** Weighs any rows as records of a domain: each weight is the q_i of a row under this fit, and
 *  follows from the row's own loss. For the rows of the fit these are those of dpa_solution_array,
 *  up to rounding. Another row gets the weight that it would have had in the place of one of them.
 *  Saved predictors suffice, so weights can be computed batch by batch, where the rows are.
 *  @param solution  Of dpa_solve, or of the baseline best, without privacy.
 *  @param domain    DPA_SOURCE or DPA_TARGET.
 *  @param x         Rows in the caller's feature units, with the columns of the features; no rows
 *                   are allowed. A NaN gives a NaN for its row.
 *  @param y         Labels, an array of length y_len, as the fit read them: minus the scores where
 *                   scores were set. A row without a label (NaN) has the weight 0.
 *  @param y_len     Must equal the rows.
 *  @param weights   What dpa_problem_set_weights had for the rows, an array of length n, in
 *                   the same units; may be NULL if n is 0.
 *  @param n         Must equal the rows; 0: all are 1.
 *  @param out       Array of length [rows], filled; it may not overlap x.
 *  @param out_len   Length of out; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_NOT_RELEASABLE for a private fit; DPA_E_UNSUPPORTED for
 *          other baselines, a custom loss, and sources whose own columns were filled in;
 *          DPA_E_INVALID_ARGUMENT, also for a weight that is negative, NaN or infinite; DPA_E_LABEL
 *          for a label that the loss gives no meaning, naming the row; DPA_E_DIMENSION;
 *          DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_NUMERICAL; DPA_E_NO_MEMORY.  Cost: O(rows) times
 *          that of a row's loss, and of `preprocess` = whiten features^3.  Any thread.  Since
 *          0.2. */
DPA_API dpa_status dpa_solution_weigh(const dpa_solution *solution, int32_t domain, dpa_matrix x,
                                      const double *y, size_t y_len, const double *weights,
                                      size_t n, double *out, size_t out_len);

/* Why a solver stopped. */
#define DPA_TERMINATION_CONVERGED 0 /**< The Frank-Wolfe gap is within `tolerance`. */
#define DPA_TERMINATION_PRECISION \
    1 /**< No further progress in double precision; the gap may exceed `tolerance`. */
#define DPA_TERMINATION_ITERATIONS 2 /**< `iterations` used up. */
#define DPA_TERMINATION_DEGENERATE \
    3 /**< kappa_1 = 0: the minimum is 0 with all weights 0 for every w. */
#define DPA_TERMINATION_STEPS 4 /**< A private fit: the planned steps were made. */
#define DPA_TERMINATION_NOT_CONVERGED \
    5 /**< The same, but the last steps differ from earlier ones by more than noise \
       *   explains: more `iterations` are needed. From public and released values alone. */

/** Name of setting number index: the settings are the numbers that a fit uses, whether set by the
 *  caller or derived as a default, and have the names of the options that set them. No option sets
 *  prediction_lowest, prediction_highest, error_bound, evidence, counted_records and
 *  counted_deviation. Static text, NULL beyond the last one.  Any thread.  Since 0.2. */
DPA_API const char *dpa_solution_setting_name(size_t index);

/** A number of the solution, which is a setting (dpa_solution_setting_name) or one of these:
 *
 *      objective         F or J at the returned predictor and weights, in units of the loss
 *                        (squared label units for squared)
 *      duality_gap       bound on objective - minimum, the Frank-Wolfe gap of the profiled
 *                        objective in the same units. It is proven up to rounding in its
 *                        evaluation. DPA_E_UNSUPPORTED where no global minimum is certified: the
 *                        general form with weights that change, or with a loss that is not convex
 *      gradient_mapping  ||theta - Proj(theta - grad)||, the norm of the gradient mapping of the
 *                        general form for step size 1, in preprocessed coordinates. Proj projects
 *                        onto the ball. 0 exactly at stationary points. DPA_E_UNSUPPORTED for the
 *                        convex form, which has a duality gap
 *      iterations        made by the solver
 *      termination       why the solver stopped, one of DPA_TERMINATION_*
 *      dimension         preprocessed coordinates: the features, and the constant 1 if there is an
 *                        intercept
 *      parameters        length of the array of that name; DPA_E_UNSUPPORTED for linear scores
 *      neighbours        the relation of the promise of dpa_solution_privacy, one of
 *                        DPA_NEIGHBOURS_*
 *      private_domain    whose records the privacy report is about: 0 none, 1 the source, 2 the
 *                        target, 3 both
 *      spent_mu          mu of all Gaussian releases that this report lists; 0 without any
 *      spent_laplace_epsilon  the epsilon of its Laplace releases; 0 without any
 *      domain_distance   squared difference of the two domains' own estimates, in units of its
 *                        covariance (Inference). DPA_E_UNSUPPORTED also where the source is private
 *                        or does not determine its coefficients
 *      domain_p_value    the probability of a distance as large if both domains have the same best
 *                        linear predictor (chi-squared, `dimension` degrees of freedom)
 *
 *  Objective, duality gap and gradient mapping of a private dpa_solve are DPA_E_NOT_RELEASABLE;
 *  baseline.h has those of baselines. Settings:
 *
 *      alpha, radius      of the objective, in both forms
 *      discrepancy        d; DPA_E_NOT_RELEASABLE where the fit did without one
 *      kappa_...          of the convex form, 0 in the general one
 *      lambda_...         of the general form, 0 in the convex one; lambda_1 is infinite where
 *                         every record kept its reference weight
 *      softmax_sharpness  of the general form, 0 in the convex one
 *      feature_radius     infinite where no row was scaled down
 *      label_bound        infinite where no label was clamped
 *      prediction_lowest  labels that are numbers are predicted between these two; infinite where
 *      prediction_highest nothing bounds them. If a fit to public rows predicts a row beyond this
 *                         range, a private fit's range for that row extends to that prediction, up
 *                         to a limit from the tail of such predictions of public rows
 *      error_bound        1.6 times the 0.99 quantile of the errors on m public rows, the source's
 *                         unless it is private. Errors are residuals; of classes minus log
 *                         probabilities. Errors on fitted rows are too small, so it is divided by
 *                         1 - k/m for k coefficients (of classes: 1 - 2 k/m). Infinite where no
 *                         sample is public, where k/m (2 k/m) is above 3/4, and where the bound is
 *                         below a millionth of the range of the public labels (of classes: of 1)
 *      evidence           k: if no private record had counted, noise alone would give released
 *                         values like these with probability at most 10^-k; a negative k shows
 *                         nothing. It is 0 unless the fit chose alpha by the records of one private
 *                         sample
 *      counted_records    how many private records count (have a label with a meaning), as
 *                         released, with noise; 0 where none were counted
 *      counted_deviation  standard deviation of that noise; 0 where none were counted
 *      others             of the loss (huber_threshold, ...), 0 where it has no such number
 *
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME for other names;
 *          DPA_E_UNSUPPORTED and DPA_E_NOT_RELEASABLE as above.  Since 0.2. */
DPA_API dpa_status dpa_solution_value(const dpa_solution *solution, const char *name,
                                      double *value);

/* What dpa_solution_predict computes for each row. */
#define DPA_PREDICT_LABELS 0
#define DPA_PREDICT_SCORES 1
#define DPA_PREDICT_PROBABILITIES 2
#define DPA_PREDICT_COORDINATES 3

/** Predicts for raw rows, by the loss (a perceptron by its output loss):
 *
 *      labels         [rows]. Of numbers the score, moved into the range of predictions (option
 *                     `prediction_range`). Of logistic the sign of the score, -1 or +1, which is +1
 *                     for 0. Of softmax the class with the largest score, the first of several
 *      scores         [rows * outputs], column-major. x coefficients + intercept where they are
 *                     linear, else the output of the perceptron
 *      probabilities  [rows * outputs], column-major, as the loss models them: of the label +1 for
 *                     logistic, of each class for softmax. DPA_E_UNSUPPORTED where labels are
 *                     numbers
 *      coordinates    [rows * dimension], row-major whatever the layout of x: the rows in the
 *                     coordinates of the loss. With these and the parameters the author of a custom
 *                     loss predicts
 *
 *  @param kind      DPA_PREDICT_LABELS, _SCORES, _PROBABILITIES or _COORDINATES.
 *  @param x         Rows in the caller's feature units, with the columns of the features, else
 *                   DPA_E_DIMENSION; no rows are allowed. A NaN gives a NaN in its row. Rows are
 *                   not scaled down to `feature_radius`. A value that the fit took for a code of
 *                   missing cells, such as 999 (see dpa_solution_findings), counts as the public
 *                   median of its column.
 *  @param out       Array, filled.
 *  @param out_len   Its length; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_UNSUPPORTED, also for a custom loss, except its coordinates;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_DIMENSION; DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.
 *          Cost O(rows) times that of a row's scores.  Since 0.2. */
DPA_API dpa_status dpa_solution_predict(const dpa_solution *solution, int32_t kind, dpa_matrix x,
                                        double *out, size_t out_len);

/** Prediction intervals for labels of single rows, or prediction sets for classes, by split
 *  conformal prediction. The solution must come from dpa_solution_calibrate (evaluate.h), which
 *  states the promise. The level is chosen at each call, at no cost.
 *
 *      numbers   [rows * 2], column-major: lower ends, then upper ends. The prediction minus and
 *                plus one number, the same for every row. A quantile has two numbers, one for each
 *                half of 1 - level. Infinite if the rows are too few for the level
 *      classes   [rows * classes], column-major: 1 for a label in the row's set, 0 for another. The
 *                set has all labels whose probability reaches a threshold; it may be empty. Two
 *                classes of one score are -1, then +1
 *
 *  @param level     In (0, 1).
 *  @param x         As that of dpa_solution_predict; a NaN gives NaNs in its row.
 *  @param out       Array, filled.
 *  @param out_len   Its length; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_UNSUPPORTED without a calibration; DPA_E_INVALID_ARGUMENT;
 *          DPA_E_DIMENSION; DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_solution_predict_interval(const dpa_solution *solution, double level,
                                                 dpa_matrix x, double *out, size_t out_len);

/** Survival probability at a time t, for fits with `loss` = survival: exp(-H(t) e^s) for the score
 *  s. H is the baseline's cumulative hazard, learnt from public rows.
 *
 *  @param confidence  0: the probabilities, [rows * times_len], column-major, a column for each
 *                     time. In (0, 1): the lower ends of intervals for them, then the upper ones,
 *                     [rows * times_len * 2]. These lie around the target's own estimate and need
 *                     it and its covariance (Inference above). They include the error of H.
 *  @param x           As that of dpa_solution_predict; a NaN gives NaNs in its row.
 *  @param times       Each at least 0, in the units of the labels, an array of length times_len.
 *                     After the last public event nothing is known: NaN.
 *  @param out         Array, filled; it may not overlap x or times.
 *  @param out_len     Its length; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_UNSUPPORTED for other losses; DPA_E_NOT_RELEASABLE or
 *          DPA_E_UNSUPPORTED where there are no intervals; DPA_E_INVALID_ARGUMENT;
 *          DPA_E_DIMENSION; DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.  Any thread.  Since
 *          0.2. */
DPA_API dpa_status dpa_solution_survival(const dpa_solution *solution, double confidence,
                                         dpa_matrix x, const double *times, size_t times_len,
                                         double *out, size_t out_len);

/** Writes the solution as bytes, the same on every platform.
 *  @param weights  1: with the weights of the records. 0: without them, which a predictor does not
 *                  need; then the number of bytes does not grow with the samples. In a solution
 *                  read from them the weights are DPA_E_NOT_RELEASABLE, but rows can be weighed;
 *                  all else is as in the solution.
 *  @param out      Buffer of out_len bytes; may be NULL if out_len is 0.
 *  @param needed   Receives the number of bytes of the saved solution; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT.  Since 0.2. */
DPA_API dpa_status dpa_solution_serialize(const dpa_solution *solution, int32_t weights,
                                          uint8_t *out, size_t out_len, size_t *needed);

/** Reads a solution back. It returns the same values as before, bit for bit. The function of a
 *  custom loss is not part of it, nor needed.
 *  @param data  Bytes of dpa_solution_serialize, of this version or an earlier one, or of a model
 *               file (dpa_schema_model). They may come from an untrusted place: damage is
 *               DPA_E_FORMAT. So is a format that this version does not know; the message names it.
 *  @param out   Receives the handle, to be released by dpa_solution_destroy; NULL stored on
 *               failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_FORMAT; DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_solution_deserialize(const uint8_t *data, size_t data_len,
                                            dpa_solution **out);

/** Saves a solution in a file, which keeps its old content until the new one is complete and on the
 *  disk. Links are followed; pipes and devices are written as they are. A file that is replaced
 *  keeps its mode, its group where the system allows that, and its owner if root writes; access
 *  control lists and extended attributes are lost. A new file with a private fit is readable by its
 *  owner only. In a folder that all may write to, files and links of other users are refused.
 *  @param schema   The file becomes a model file (dpa_schema_model); NULL: it becomes the bytes of
 *                  dpa_solution_serialize.
 *  @param weights  0: without the weights of the records, which a predictor does not need.
 *  @param path     Zero-terminated; on Windows in UTF-8.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_DIMENSION where the schema has other
 *          features; DPA_E_STORE when the file cannot be written; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_solution_save(const dpa_solution *solution, const dpa_schema *schema,
                                     int32_t weights, const char *path);

/** Reads a file of dpa_solution_save, or a model file of the command or another language.
 *  @param schema  Receives the schema of a model file, to be released by dpa_schema_destroy; NULL
 *                 stored for a file without one and on failure. May be NULL.
 *  @param out     Receives the solution, to be released by dpa_solution_destroy; NULL stored on
 *                 failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_STORE when the file cannot be read; DPA_E_FORMAT
 *          when it is damaged; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_solution_load(const char *path, dpa_schema **schema, dpa_solution **out);

DPA_EXTERN_C_END

#endif
