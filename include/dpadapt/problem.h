/** Problem: the source sample (m rows) and the target sample (n rows), with labels as far as there
 *  are any.
 *
 *  A problem has one privacy budget and one ledger, whatever samples are set later (privacy.h).
 *  Setters answer DPA_E_STATE while a call uses the problem, and on a locked problem (ledger.h) for
 *  a sample that is set.
 *
 *  Sizes and pointers are checked when data are set. Values are checked when the data are used,
 *  because a bad value means different things in public and private samples. NaN or infinity in a
 *  public row is DPA_E_NONFINITE, except for a label that is NaN.
 *
 *  A label that is NaN means "no label". Sums that use labels skip such rows. Sums that use
 *  features alone read all target rows: second moments, the metric of private steps, density
 *  ratios, discrepancy minimization, and the unlabelled discrepancy. Public source rows without a
 *  label are left out. Public rows that are measured (dpa_evaluate, dpa_solution_calibrate,
 *  dpa_select) need a label each: a row without one is DPA_E_NONFINITE.
 *
 *  Which records of a private sample have a label is private, too. A record without one adds to
 *  sums with labels what a record of zeros adds, at the same price. The number of labelled records
 *  is counted with noise where private steps choose an anchor. If that share is public, set the
 *  option labelled_share.
 *
 *  A target may have no labels at all (y = NULL). Then only these calls are possible, and all
 *  others are DPA_E_LABEL:
 *
 *      - the baselines source_only, dm, gdm, kmm, kliep, ulsif, rulsif, coral, private_dm and
 *        private_coral
 *      - discrepancies with discrepancy_kind = unlabelled
 *      - dpa_plan_forecast, which reads no label of the target
 *
 *  Such fits assume that labels depend on features by the same law in both domains. The data cannot
 *  confirm it.
 */
#ifndef DPADAPT_PROBLEM_H
#define DPADAPT_PROBLEM_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Creates a problem without data.
 *  @param out  Receives the handle, to be released by dpa_problem_destroy; NULL stored on failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_problem_create(dpa_problem **out);

/** Releases the problem; NULL is accepted and ignored. Lent data are not touched.  Since 0.1. */
DPA_API void dpa_problem_destroy(dpa_problem *problem);

/** Sets the sample of a domain by copying it (8 * rows * (cols + 1) bytes), replacing an earlier
 *  one.
 *  @param problem  Changed only on success.
 *  @param domain   DPA_SOURCE or DPA_TARGET.
 *  @param x        Features in feature units: m or n rows, at least 1, and at least 1 column. As
 *                  many columns as the other sample, or as the map of dpa_problem_set_source_map
 *                  reads.
 *  @param y        Labels, an array of length y_len; label units. NULL: there are none.
 *  @param y_len    Must equal the rows; 0 where y is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL data or an unknown layout or
 *          domain; DPA_E_EMPTY for zero rows or columns; DPA_E_STRIDE; DPA_E_OVERFLOW;
 *          DPA_E_DIMENSION when the columns differ from the other sample's or y_len from the rows;
 *          DPA_E_NO_MEMORY.  Cost: one copy.  Since 0.2. */
DPA_API dpa_status dpa_problem_set_sample(dpa_problem *problem, int32_t domain, dpa_matrix x,
                                          const double *y, size_t y_len);

/** Sets the sample of a domain without copying it: x and y are lent, and must stay valid and
 *  unchanged until they are replaced or the problem is destroyed. Private calls read the rows of a
 *  private sample where they are, in either layout, a few at a time and once for each step. Only
 *  samples that take less than 128 MiB in the coordinates of the steps are copied in these
 *  coordinates. The rest as dpa_problem_set_sample.  Cost O(1).  Since 0.2. */
DPA_API dpa_status dpa_problem_lend_sample(dpa_problem *problem, int32_t domain, dpa_matrix x,
                                           const double *y, size_t y_len);

/** Sets a linear map for a source whose columns differ from the target's: target column j is
 *  offset_j + sum_k matrix(j, k) x_k. From now on a source must have as many columns as the matrix.
 *  It is mapped row by row as it is set, and kept in the target's columns, which models and
 *  predictions have. A source that is lent is copied then.
 *
 *  The map must be public: units, a known recoding, the weights of a public index. It must not be
 *  fitted to private records. A mapped record depends on that record and the map alone, and is
 *  clipped as any other. So a private source is protected as without a map, at the same price. A
 *  column whose factor is 0 is not read; NaN or infinity in a column that is read makes NaN.
 *  @param problem  Its source not set yet.
 *  @param matrix   Numbers, in target units per source unit: a row for each column of the target,
 *                  and a column for each one of the source. Copied.
 *  @param offset   Array of length offset_len, copied; target units. NULL: zeros.
 *  @param offset_len  Must equal the rows of the matrix; 0 where offset is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL or an unknown layout; DPA_E_EMPTY;
 *          DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_DIMENSION where the rows differ from the
 *          target's columns or offset_len from the rows; DPA_E_NONFINITE; DPA_E_STATE where a
 *          source is set; DPA_E_NO_MEMORY. Afterwards a source with other columns than the matrix
 *          is DPA_E_DIMENSION, and one that is elsewhere is DPA_E_UNSUPPORTED.
 *  Cost: for each source that is set a copy, and a product for each factor and row.  Since 0.2. */
DPA_API dpa_status dpa_problem_set_source_map(dpa_problem *problem, dpa_matrix matrix,
                                              const double *offset, size_t offset_len);

/** Sets an id for each row of a domain: in the target its person, in the source one of several
 *  sources. A new sample needs its own ids.
 *
 *  Target: rows of one id are one person. From now on private calls on the problem protect persons
 *  of the target, not records. Neighbours differ in all rows of one person, whatever their number.
 *  The number of persons is public; the number of rows is private. Each person contributes the mean
 *  over their first `rows_per_person` rows, in the order of the sample, and all persons weigh
 *  alike. Plans, reports, ledgers and solutions name the unit, and count persons of the target.
 *  Without a private target the persons have no effect. The custodian assigns the ids: two persons
 *  under one id are protected together; one person under k ids is protected like k records.
 *
 *  A discrepancy reads each person's first row. Calls that cannot protect persons are
 *  DPA_E_UNSUPPORTED: `method` = paper, coupled weights (kappa_2, kappa_inf, lambda_2, lambda_inf),
 *  noisy_sgd, `inference` = yes and `private_domain` = both.
 *
 *  Source: a fit without privacy chooses among the sources, at most 100. They are ordered by the
 *  target's loss at a fit to each alone. The candidates are the first one, the first two, and so
 *  on; the best one on left-out target rows is taken. A candidate with more sources, within one
 *  standard error of the best, is taken if each of its sources alone beats no feature. Rows of the
 *  others have weight 0, which dpa_solution_array shows. Baselines take all sources as one. Private
 *  fits are DPA_E_UNSUPPORTED: they would choose by private records. Cost: a fit for each source,
 *  and one for each number of them.
 *  @param problem  Its sample of that domain set. Set persons before anything is released, except
 *                  those of a new target of a problem that protects persons already.
 *  @param domain   DPA_SOURCE or DPA_TARGET.
 *  @param ids      Array of length n, copied; any numbers.
 *  @param n        Must equal the rows of the sample.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE; DPA_E_DIMENSION;
 *          DPA_E_OVERFLOW for too many sources; DPA_E_UNSUPPORTED for records elsewhere;
 *          DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_problem_set_groups(dpa_problem *problem, int32_t domain, const int64_t *ids,
                                          size_t n);

/** Sets weights of the rows of a domain: a row of weight 2 counts like two rows of weight 1, and a
 *  row of weight 0 like none. Only ratios within the sample count, because alpha divides the weight
 *  between the samples: the reference weights are p_i = alpha w_i / (w_1 + .. + w_m) of the source
 *  and the same with 1 - alpha of the target. All that is computed from public rows follows them:
 *  coordinates, bounds, metrics, defaults, fits, discrepancies, the choice of alpha and of sources.
 *
 *  Weights of a private sample need the option row_weight_bound, W, else they are
 *  DPA_E_UNSUPPORTED. They are clipped into [0, W]. A negative, NaN or infinite weight is 0, and
 *  never an error. A record of weight w adds w/W of what it would add to any sum. The sums are
 *  divided by the sum of all w/W, which is released with noise, unless the option labelled_share
 *  gives its share of n. So their ratios to W count. A record of weight 0 adds what a record of
 *  zeros without a label adds. A person adds the mean of the rows' weighted contributions.
 *
 *  With weights these calls are DPA_E_UNSUPPORTED:
 *
 *      - baselines, as the tables of baseline.h list
 *      - calibrations whose rows have weights; of private rows evaluations, selections and searches
 *      - method = paper
 *      - private fits with kappa_2, kappa_inf, lambda_2 or lambda_inf
 *      - with weights of a private sample: private_domain = both, noisy_sgd, and discrepancies,
 *        also those that a fit with a number for alpha would release
 *
 *  A new sample has no weights.
 *  @param problem  Its sample of that domain set.
 *  @param domain   DPA_SOURCE or DPA_TARGET.
 *  @param weights  Array of length n, copied. Those of a public sample must be finite, not negative
 *                  and not all 0; else calls that read them answer DPA_E_INVALID_ARGUMENT. The copy
 *                  is wiped when it is released.
 *  @param n        Must equal the rows of the sample.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE; DPA_E_DIMENSION;
 *          DPA_E_UNSUPPORTED for records elsewhere; DPA_E_NO_MEMORY.  Cost: one copy.
 *          Since 0.2. */
DPA_API dpa_status dpa_problem_set_weights(dpa_problem *problem, int32_t domain,
                                           const double *weights, size_t n);

/** Sets for each row of a domain the score of an existing model: a forest, a network, a vendor's.
 *  From now on the labels are the rows' labels minus their scores, and a fit is a linear
 *  correction. dpa_solution_predict returns the correction, and the caller adds it to the model's
 *  scores. A private fit moves the correction away from the source's as far as the target's records
 *  support. Its guarantee is the same as without scores; a record's score is as private as its
 *  label. A score that is NaN leaves its row without a label.
 *
 *  Both samples need scores, or neither, else calls answer DPA_E_STATE. Labels must be numbers
 *  (DPA_E_UNSUPPORTED at the fit). A new sample needs its own scores. Set persons after scores.
 *  @param problem  Its sample of that domain set.
 *  @param domain   DPA_SOURCE or DPA_TARGET.
 *  @param scores   Array of length n, copied; label units.
 *  @param n        Must equal the rows of the sample.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE, also where the sample has
 *          scores or persons, or the problem is locked; DPA_E_DIMENSION; DPA_E_UNSUPPORTED for
 *          records elsewhere; DPA_E_NO_MEMORY.  Cost: one copy.  Since 0.2. */
DPA_API dpa_status dpa_problem_set_scores(dpa_problem *problem, int32_t domain,
                                          const double *scores, size_t n);

/** Sizes of the problem: m, n and the number of columns. A sample that is not set has 0 rows. If
 *  the target has persons, n is the number of their rows: it is private, for the host alone, which
 *  has the rows. If the problem is also locked, n is the number of persons.
 *  Each pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread, while calls on the problem run as well.  Since
 *          0.1. */
DPA_API dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows,
                                     size_t *target_rows, size_t *features);

DPA_EXTERN_C_END

#endif
