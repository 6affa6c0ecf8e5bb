/** Privacy: the price of noise, plans, budgets and reports.
 *
 *  First the accountant: epsilon and delta of composed Laplace and Gaussian releases, and back.
 *
 *  Neighbours differ in the content of one private record. A Laplace release of scale b costs
 *  laplace_epsilon = sensitivity / b, and the prices of several add up. Gaussian releases, which
 *  may be chosen adaptively, together cost mu, where mu^2 is the sum of (sensitivity / sigma)^2.
 *  All of them are (epsilon, delta)-differentially private exactly for delta of at least
 *      delta(epsilon) = Phi((l - epsilon)/mu + mu/2) - e^epsilon Phi(-(l + epsilon)/mu - mu/2)
 *                       - e^((epsilon - l)/2 - mu^2/8) [Phi((l - epsilon)/mu)
 *                                                       - Phi(-(l + epsilon)/mu)],
 *  with l = laplace_epsilon and Phi the normal distribution function. With several Laplace releases
 *  this is an upper bound. Gaussian releases alone (l = 0) are the analytic Gaussian mechanism;
 *  Laplace alone (mu = 0) gives max(0, 1 - e^((epsilon - l)/2)) for epsilon >= -l, and
 *  1 - e^epsilon below.
 *
 *  All arguments and results are plain numbers without unit; epsilon is in natural logarithms. No
 *  data and no randomness enter. Results are rounded to the safe side, by about 1e-13 relative in
 *  ordinary use: delta, epsilon and sigma up, mu down. So the delta of a returned epsilon, mu or
 *  1/sigma never exceeds the delta asked for. Positive mu below 1e-8 are counted as 1e-8.
 *
 *  For every function of the accountant, an argument outside its range (NaN always is) or NULL for
 *  the result gives DPA_E_INVALID_ARGUMENT, and nothing is stored.  Any thread.
 */
#ifndef DPADAPT_PRIVACY_H
#define DPADAPT_PRIVACY_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Smallest delta at which the releases are (epsilon, delta)-differentially private, rounded up.
 *  @param epsilon          In [-600, 600]; negative ones are points of the same curve.
 *  @param laplace_epsilon  In [0, 300]; 0 without a Laplace release.
 *  @param mu               In [0, 50]; 0 without a Gaussian release.
 *  @param delta            Receives the result, in [0, 1]; 0 only where it is exactly that.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_privacy_delta(double epsilon, double laplace_epsilon, double mu,
                                     double *delta);

/** Smallest epsilon >= 0 at which the releases are (epsilon, delta)-differentially private for k
 *  records of one person, rounded up. Together k records move a release up to k times as far, so
 *  that mu and the pure epsilons are k times as large. At the same delta the epsilon grows by much
 *  more than the factor k.
 *  @param delta            In [1e-300, 1), or 0, which only mu = 0 can reach.
 *  @param laplace_epsilon  Of one record, like mu and pure_epsilon.
 *  @param mu               The product with the records in [0, 50].
 *  @param pure_epsilon     Of other pure releases, such as selections. The products of both
 *                          epsilons with the records, and their sum, must be in [0, 300].
 *  @param records          At least 1; 1 is no group.
 *  @param epsilon          Receives the result, in [0, 600].
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also when the epsilon would be above 600.  Any thread.
 *          Since 0.2. */
DPA_API dpa_status dpa_privacy_epsilon(double delta, double laplace_epsilon, double mu,
                                       double pure_epsilon, int64_t records, double *epsilon);

/** Largest mu that a Laplace release of laplace_epsilon leaves for Gaussian ones under the budget
 *  (epsilon, delta), rounded down. One Gaussian release of sensitivity 1 needs sigma = 1/mu. T
 *  equal releases of sensitivity S need sigma = S sqrt(T)/mu each.
 *  @param epsilon          In [0, 600].
 *  @param delta            In [1e-300, 1).
 *  @param laplace_epsilon  In [0, 300].
 *  @param mu               Receives the result, in [1e-8, 50).
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also when not even mu = 1e-8 is left.  Any thread.
 *          Since 0.1. */
DPA_API dpa_status dpa_privacy_mu(double epsilon, double delta, double laplace_epsilon, double *mu);

/** Price of noisy sums over sampled records. For each sum every record is drawn by itself with
 *  probability `rate` (Poisson sampling), and the sum gets Gaussian noise. Together the sums are as
 *  private as one Gaussian release of mu, except with probability `failure`. So they are (epsilon,
 *  failure + delta)-differentially private for any epsilon and delta that dpa_privacy_delta gives
 *  for mu, and compose accordingly. Rounded up: some hundredths above the exact value, less for
 *  small prices.
 *  @param noise_multiplier  sigma over the largest norm of a record's part, in [0.1, 1e6].
 *  @param rate              In [1e-6, 1].
 *  @param steps             How many sums, in [1, 1e7].
 *  @param neighbours        DPA_NEIGHBOURS_ZERO_OUT, which others call adding or removing a record,
 *                           or DPA_NEIGHBOURS_REPLACE.
 *  @param failure           In [1e-15, 0.1].
 *  @param mu                Receives the result, in [1e-4, 50].
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also for a mu above 50.  Milliseconds.  Any thread.
 *          Since 0.2. */
DPA_API dpa_status dpa_privacy_sampled_mu(double noise_multiplier, double rate, int64_t steps,
                                          int32_t neighbours, double failure, double *mu);

/* Plans: what a private call releases, at which price. A plan is a pure function of sizes, options
 * and, if they are set, public data. No private record is read and no random number drawn. */

/** Plans a fit from sizes and options alone. Bounds that the options leave to public data stay
 *  unknown, and so do numbers in label units that depend on them. mu, epsilon, steps and noise
 *  multipliers are always known. The budget (`epsilon`, `delta`) determines the noise; or the noise
 *  (`noise_multiplier`, and `laplace_epsilon` if a discrepancy is released) determines the price.
 *  @param source_rows  m, at least 1.
 *  @param target_rows  n, at least 1.
 *  @param features     Number of columns, at least 1, without the intercept.
 *  @param options      NULL for the defaults.
 *  @param out          Receives the handle, to be released by dpa_plan_destroy; NULL stored on
 *                      failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for a size of 0;
 *          DPA_E_OVERFLOW beyond 2^40 rows; DPA_E_OPTION when the options do not allow it (the
 *          message has the true epsilon and delta where these are the reason);
 *          DPA_E_UNSUPPORTED; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_plan_create(size_t source_rows, size_t target_rows, size_t features,
                                   const dpa_options *options, dpa_plan **out);

/** Plans the fit of that problem, with the bounds that its public sample gives: what dpa_solve with
 *  the same options would charge.
 *  @param problem  Both samples set; of the private one only the size is used.
 *  @return as dpa_plan_create; DPA_E_STATE before both samples are set; DPA_E_NONFINITE naming the
 *          first bad public row.  Since 0.1. */
DPA_API dpa_status dpa_plan_for_problem(const dpa_problem *problem, const dpa_options *options,
                                        dpa_plan **out);

/** Plans the fit of a private target of that size, and forecasts its error by simulation on the
 *  source. Only the source is read; nothing is released and nothing paid.
 *
 *  The source's rows stand for both domains. The third that lies farthest out in a random direction
 *  is set apart: half of it is the population of the target, and all other rows are the source. The
 *  population's scores change by a random linear function of a given size (`forecast_shifts`), half
 *  of it in the intercept. The noise of its labels gets from half to twice the variance. A target
 *  is drawn with replacement, and the private method with these options is fitted with noise. The
 *  source alone and the target alone are fitted without privacy. The error is that on the
 *  population. All of this is repeated `forecast_repeats` times.
 *
 *  The forecast cannot know how much the real target differs. Read the range over the shifts;
 *  other properties, such as the noise of the labels, may differ more.
 *
 *  dpa_plan_report begins with a sentence about epsilon 1 (or the one that is set) and a shift of
 *  1 (or the last one below it); in JSON it is `sentence`. The key `forecast` is a list with an
 *  object for every epsilon and shift. An object has the numbers of dpa_plan_forecast_value, and
 *  the word of `selection_loss` for the `error`.
 *  @param problem      With a source; a target is not looked at.
 *  @param target_rows  n, at least 1.
 *  @param options      `private_domain` must be target and the scores linear. Without `epsilon` the
 *                      forecast is for 0.5, 1, 4 and 10, and the plan for 1; `delta`, if it is not
 *                      set, is 1e-6. `start_seed` decides all random numbers.
 *  @return as dpa_plan_create; DPA_E_STATE without a source; DPA_E_DIMENSION if it has less than
 *          12 rows; DPA_E_NONFINITE; DPA_E_NUMERICAL; DPA_E_CANCELLED. Takes seconds, up to a
 *          minute with 100 features or more; reports progress.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_plan_forecast(const dpa_problem *problem, size_t target_rows,
                                     const dpa_options *options, dpa_plan **out);

/** A number of a forecast:
 *
 *      target_rows     n
 *      epsilon, delta  the budget
 *      shift           how far the domains are assumed to differ
 *      source_only     mean error of the source's predictor
 *      private         of the private adaptation
 *      target_only     of a fit to the target alone, without privacy
 *      ..._lower       (source_only_lower, ...) the smallest error among the repeats
 *      ..._upper       the largest
 *      rows_to_beat_source  target rows beyond which the private error is 1 % below that of the
 *                      source alone. Interpolated between n/10 and 100 n; n/10 stands for fewer
 *
 *  @param cell  Less than the number of objects in the list, which dpa_plan_value calls
 *               "forecasts".
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT, also for a cell that is not there;
 *          DPA_E_OPTION_NAME for other names; DPA_E_STATE where 100 n rows do not beat the
 *          source.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_plan_forecast_value(const dpa_plan *plan, size_t cell, const char *name,
                                           double *value);

/** Releases the plan; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_plan_destroy(dpa_plan *plan);

/** A number of the plan, 0 where nothing of that kind is released:
 *
 *      mu                       total price of the Gaussian releases
 *      laplace_epsilon          total price of the Laplace releases
 *      pure_epsilon             total price of other pure releases
 *      failure                  probability with which nothing is promised, of sums over sampled
 *                               records; dpa_plan_epsilon counts it
 *      steps                    number of gradient releases
 *      passes                   over the private rows, at most; engines have a job for each
 *      bytes                    read by these passes: 8 per number of a private row, label included
 *      seconds                  taken by these passes on one thread here, with rows in memory. Each
 *                               call estimates it by a run of a millisecond on made-up rows. Public
 *                               rows and remote reading are extra
 *      noise_multiplier         sigma/sensitivity of a gradient release
 *      sigma                    standard deviation of its noise
 *      sensitivity              how far one record can move it
 *      laplace_scale            scale of Laplace noise of the discrepancy; 0 of Gaussian noise
 *      discrepancy_deviation    standard deviation of the noise of the discrepancy
 *      discrepancy_sensitivity  how far one record can move the discrepancy
 *      tau                      error of the discrepancy, which its sensitivity includes
 *      forecasts                number of objects in the forecast of dpa_plan_forecast
 *      theorem                  the paper's theorem that applies: 1 (convex form) or 4 (general
 *                               form). Only for `method` = paper with a private target and a budget
 *      theorem_steps            T, the number of steps in the theorem
 *      theorem_error            its bound of the expected error after the plan's steps, with the
 *                               constants of its proof. The error is of the objective (1), or of
 *                               the squared norm of the gradient mapping (4). It is the sum of the
 *                               next three
 *      theorem_error_by_predictor        by the noise of the predictor's gradients
 *      theorem_error_by_private_weights  by the private weights, which may be as far from where
 *                               they start as the objective allows
 *      theorem_error_by_rest    by the public weights (1), by the number of steps (4)
 *      theorem_trivial_error    the largest possible error; a larger theorem_error is vacuous
 *
 *  If a baseline releases second moments instead of gradients, noise_multiplier, sigma and
 *  sensitivity are those of the moments. Units of sigma and sensitivity are the clip bound C of a
 *  record's term (`method` = profile), or squared labels over preprocessed features (paper). The
 *  three numbers of the discrepancy are in squared labels. The others have no unit.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME for other names;
 *          DPA_E_STATE when the number depends on public data that the plan was made without.  Any
 *          thread.  Since 0.1. */
DPA_API dpa_status dpa_plan_value(const dpa_plan *plan, const char *name, double *value);

/** Smallest epsilon at which the plan is (epsilon, delta)-differentially private, rounded up.
 *  @param delta    As in dpa_privacy_epsilon, and above `failure`.
 *  @param epsilon  Receives the result, in [0, 600].
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT, also when the epsilon would be above 600.
 *          Any thread.  Since 0.1. */
DPA_API dpa_status dpa_plan_epsilon(const dpa_plan *plan, double delta, double *epsilon);

/* Forms of a report. */
#define DPA_REPORT_JSON 0 /**< One JSON object, without a final newline. */
/** A paragraph in plain words, then the JSON form line by line. Evaluations have no paragraph. What
 *  serves programs alone is left out: exact integers, the budget's `curve`, the `statement`, a
 *  problem's own entries in a ledger, and the `spent_curve` if nothing was released. */
#define DPA_REPORT_TEXT 1
#define DPA_REPORT_NUMBERS 2 /**< The text without its paragraph. */
/** One page of HTML with pictures, which needs no network: of a problem or solution alone. */
#define DPA_REPORT_PAGE 3

/** The plan with every release, its noise, and the curve of epsilon and delta.
 *  @param form     One of DPA_REPORT_*, but no page.
 *  @param out      Buffer of out_len bytes, filled with zero-terminated text; may be NULL if
 *                  out_len is 0.
 *  @param needed   Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_plan_report(const dpa_plan *plan, int32_t form, char *out, size_t out_len,
                                   size_t *needed);

/* The budget of a problem, and what has been spent of it. Every private call enters all its
 * releases into the ledger of its problem before it reads a private record. Nothing is refunded,
 * even if the call fails.
 *
 * A budget belongs to the process that fixed it, and records to the process that set them. A forked
 * child can spend neither its parent's budget nor one of its own on its parent's private records:
 * each copy would be spent anew. Such private calls are DPA_E_STATE. Public rows may be set before
 * a fork. All processes can pay from a ledger in a file (dpa_ledger_create). */

/** Fixes the budget of the problem. All private calls on it together are (epsilon,
 *  delta)-differentially private, for any calls in any order. Without this function the first
 *  private call fixes the budget, and spends all of what it needs.
 *  @param problem  Its budget must not be fixed yet, else DPA_E_STATE.
 *  @param options  `epsilon` and `delta` are the budget, `private_domain` the protected sample, and
 *                  `neighbours` the relation. `discrepancy_share` of epsilon (auto: 0.1, but 0 if
 *                  `alpha` = auto needs none) is kept for discrepancies, if their noise is Laplace
 *                  (`discrepancy_noise`, where auto is the smaller one). Those with Gaussian noise
 *                  are paid from mu, of which no part is kept. `selection_epsilon`, if it is set,
 *                  is kept for selections (select.h).
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE; DPA_E_OPTION.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_budget(dpa_problem *problem, const dpa_options *options);

/** A number of the problem's budget:
 *
 *      epsilon, delta         of the budget
 *      neighbours             what they are about, one of DPA_NEIGHBOURS_*
 *      mu                     how much of it is for Gaussian releases
 *      laplace_epsilon        how much is for discrepancies
 *      pure_epsilon           how much is for selections
 *      spent_epsilon          epsilon of all releases up to now at the budget's delta; infinite if
 *                             the noise of one was seeded, or above 600. It is a guarantee only if
 *                             all calls were fixed in advance. If a call was chosen by earlier
 *                             results, the budget is the guarantee
 *      spent_mu               total price of the Gaussian releases up to now
 *      spent_laplace_epsilon  of the discrepancies
 *      spent_pure_epsilon     of the selections
 *      left_mu                the largest mu that Gaussian releases can still cost together
 *      left_laplace_epsilon   the same of discrepancies
 *      left_pure_epsilon      the same of selections
 *
 *  What is spent is rounded up, what is left is rounded down.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME for other names;
 *          DPA_E_STATE while no budget is fixed, except for `spent_mu`, `spent_laplace_epsilon` and
 *          `spent_pure_epsilon`, which are 0 then.  Any thread, while calls on the problem run as
 *          well.  Since 0.2. */
DPA_API dpa_status dpa_problem_budget(const dpa_problem *problem, const char *name, double *value);

/** Report of everything released about the problem's private records up to now; form, buffer and
 *  errors as dpa_plan_report. Its `private` is true if privacy protects all that was taken from the
 *  problem. It is false, with the reason, once something was taken without protection: by
 *  `private_domain` = none, an inspection, or seeded noise. From then on reports of earlier
 *  solutions have the same value. Every release has the sizes of its samples. A size of the
 *  problem is null if releases had different ones. docs/certificate.md lists all members.
 *  Any thread, while calls on the problem run as well.  Since 0.1. */
DPA_API dpa_status dpa_problem_privacy_report(const dpa_problem *problem, int32_t form, char *out,
                                              size_t out_len, size_t *needed);

/* What a solution promises about the records that it was made from. */
#define DPA_PROTECTION_NONE 0       /**< Fitted without privacy. */
#define DPA_PROTECTION_GUARANTEED 1 /**< (epsilon, delta)-differentially private. */
#define DPA_PROTECTION_SEEDED 2     /**< NOT PRIVATE: noise came from `unsafe_seed`. */
/** The releases of its problem are (epsilon, delta)-differentially private, but the problem has
 *  also given something without protection, which the report names. */
#define DPA_PROTECTION_IN_PART 3

/** The promise, which saved solutions have as well. It covers this solution and everything else
 *  that its problem has released within its budget. It becomes DPA_PROTECTION_IN_PART, also of
 *  earlier solutions, once something is taken from the problem without protection: by
 *  `private_domain` = none, an inspection, or seeded noise of a later call. After seeded noise each
 *  later solution that spends the same budget is DPA_PROTECTION_SEEDED, whatever its own noise.
 *  @param protection  Receives one of DPA_PROTECTION_*; each pointer may be NULL.
 *  @param epsilon     Receives the epsilon of the problem's budget; infinite unless `protection` is
 *                     DPA_PROTECTION_GUARANTEED or DPA_PROTECTION_IN_PART.
 *  @param delta       Receives its delta; 1 where epsilon is infinite.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_solution_privacy(const dpa_solution *solution, int32_t *protection,
                                        double *epsilon, double *delta);

/* How neighbouring data sets differ: the option `neighbours` of the budget. */
#define DPA_NEIGHBOURS_REPLACE 0  /**< The content of one private record is replaced. */
#define DPA_NEIGHBOURS_ZERO_OUT 1 /**< One is taken out, and adds nothing to any sum; sizes stay. */

/** The report of the problem at the time when the solution was made, with the settings of its fit.
 *  It also lists what has been taken from the problem without protection up to now. Form, buffer
 *  and errors as dpa_plan_report.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_solution_privacy_report(const dpa_solution *solution, int32_t form,
                                               char *out, size_t out_len, size_t *needed);

/** Computes a privacy report again from the releases that it states, and compares every byte.
 *  @param data    A report in JSON of dpa_problem_privacy_report or dpa_solution_privacy_report,
 *                 from any source.
 *  @param last    Name of a further member at the end of the report, which is not checked, such as
 *                 what a signer adds; NULL or empty: there is none.
 *  @param ledger  Must have everything that the report states of it; NULL: it is not compared.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_HANDLE; DPA_E_FORMAT, which names the first member
 *          that is missing, unknown or not what follows from the releases, or that is from another
 *          version of the library; DPA_E_STORE and DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_report_check(const uint8_t *data, size_t data_len, const char *last,
                                    dpa_ledger *ledger);

/** A summary of the private fit for people, one sentence a line: how far the private records moved
 *  the coefficients, or that this cannot be determined; and which records count at all. Warnings
 *  follow where delta is at least 1/n, epsilon above 10, or the noise as large as any gradient. For
 *  each column of a public sample with stray cells, such as codes for missing values, a sentence
 *  has the column's number, the value and the count. Other sentences come from public rows. They
 *  report two-valued labels treated as numbers; columns that are constant, dependent on others or
 *  equal to the label; rates beyond the log link; and clipped predictions. All is
 *  computed from public inputs and released values. A fit without privacy has sentences about
 *  public rows alone.
 *  @param labels  The labels that count, as the user writes them, such as "no or yes" (see
 *                 dpa_schema_text); NULL, empty or "a number": those of the loss.
 *  Buffer and errors as dpa_plan_report.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_solution_findings(const dpa_solution *solution, const char *labels,
                                         char *out, size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
