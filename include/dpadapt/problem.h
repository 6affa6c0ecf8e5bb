/** Problem: the source sample (m rows) and the target sample (n rows), with labels as far as there
 *  are any.
 *
 *  A problem has one privacy budget and one ledger, whatever samples are set later (privacy.h).
 *  Setters answer DPA_E_STATE while a call uses the problem, and on a locked problem (ledger.h) for
 *  a sample that is set.
 *
 *  Sizes and pointers are checked when data are set, values when the data are used, because what a
 *  bad value means depends on which sample is private: NaN or infinity in a public row is
 *  DPA_E_NONFINITE, but for a label that is NaN.
 *
 *  A label that is NaN is no label. Terms with labels are of labelled rows alone, but the features
 *  of all target rows count where labels have no part: second moments, the metric of private steps,
 *  density ratios, discrepancy minimization, and the unlabelled discrepancy. Public source rows
 *  without a label are left out. Which records of a private sample have a label is as private as
 *  the rest of them: one without a label adds to terms with labels what a record of zeros does, at
 *  the same price. How many have one is counted with noise where private steps choose an
 *  anchor; where it is public, it belongs into the option labelled_share.
 *
 *  Without any label in the target (y = NULL says so in public) there are the baselines
 *  source_only, dm, gdm, kmm, kliep, ulsif, rulsif, coral, private_dm and private_coral, and
 *  discrepancies with discrepancy_kind = unlabelled; all else is DPA_E_LABEL. Such fits assume that
 *  the labels of both domains follow from the features by the same law: nothing in the data can
 *  tell.
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

/** Sets the source sample by copying it (8 * rows * (cols + 1) bytes), replacing an earlier one.
 *  @param problem  Changed only on success.
 *  @param x        Features, rows x cols, see types.h for layout; feature units.
 *  @param rows     Number of records m, at least 1.
 *  @param cols     Number of features, at least 1; the same as the target's if that is set, or as
 *                  many as the map of dpa_problem_set_source_map reads.
 *  @param leading_dimension  Distance of columns (rows) in x, in doubles.
 *  @param layout   DPA_COL_MAJOR or DPA_ROW_MAJOR.
 *  @param y        Labels, an array of length y_len; label units. NULL: there are none.
 *  @param y_len    Must equal rows; 0 where y is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL data or an unknown layout;
 *          DPA_E_EMPTY for zero rows or columns; DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_DIMENSION when
 *          cols differs from the other sample's or y_len from rows; DPA_E_NO_MEMORY.
 *  Cost: one copy.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_source(dpa_problem *problem, const double *x, size_t rows,
                                          size_t cols, size_t leading_dimension, int32_t layout,
                                          const double *y, size_t y_len);

/** Sets the target sample; as dpa_problem_set_source.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_target(dpa_problem *problem, const double *x, size_t rows,
                                          size_t cols, size_t leading_dimension, int32_t layout,
                                          const double *y, size_t y_len);

/** Sets the source sample without copying it: x and y are lent, and must stay valid and unchanged
 *  until they are replaced or the problem is destroyed. Private calls read the rows of a private
 *  sample where they are, in either layout, a few at a time and once for each step; only samples
 *  that take less than 128 MiB in the coordinates of the steps are kept in them. Else as
 *  dpa_problem_set_source.  Cost O(1).  Since 0.1. */
DPA_API dpa_status dpa_problem_lend_source(dpa_problem *problem, const double *x, size_t rows,
                                           size_t cols, size_t leading_dimension, int32_t layout,
                                           const double *y, size_t y_len);

/** Sets the target sample without copying it; as dpa_problem_lend_source.  Since 0.1. */
DPA_API dpa_status dpa_problem_lend_target(dpa_problem *problem, const double *x, size_t rows,
                                           size_t cols, size_t leading_dimension, int32_t layout,
                                           const double *y, size_t y_len);

/** Tells that rows of the source live in other columns than the target's, and how they are mapped
 *  to these: column j becomes offset_j + sum_k matrix(j, k) x_k. From now on a source that is set
 *  must have `cols` columns, is mapped row by row as it is set, and kept in the target's columns,
 *  those that models and predictions have. A source that is lent is copied then.
 *
 *  The map must be public: units, a known recoding, the weights of a public index, not what was
 *  fitted to private records. A mapped record is a function of that record and of the map, and is
 *  clipped as any other, so a private source is protected as without a map, at the same price.
 *  Where a factor is 0 the column is not read; NaN or infinity in one that is makes NaN.
 *  @param problem  Its source not set yet.
 *  @param matrix   Numbers, rows x cols, see types.h for layout; target units per source unit.
 *                  Copied.
 *  @param rows     Columns of the target, at least 1.
 *  @param cols     Columns of the source, at least 1.
 *  @param leading_dimension  Distance of columns (rows) in matrix, in doubles.
 *  @param layout   DPA_COL_MAJOR or DPA_ROW_MAJOR.
 *  @param offset   Array of length offset_len, copied; target units. NULL: zeros.
 *  @param offset_len  Must equal rows; 0 where offset is NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL or an unknown layout; DPA_E_EMPTY;
 *          DPA_E_STRIDE; DPA_E_OVERFLOW; DPA_E_DIMENSION where rows differs from the target's
 *          columns or offset_len from rows; DPA_E_NONFINITE; DPA_E_STATE where a source is set;
 *          DPA_E_NO_MEMORY. A source with other columns than cols is DPA_E_DIMENSION, records
 *          elsewhere are DPA_E_UNSUPPORTED then.
 *  Cost: for each source that is set a copy, and a product for each factor and row.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_source_map(dpa_problem *problem, const double *matrix,
                                              size_t rows, size_t cols, size_t leading_dimension,
                                              int32_t layout, const double *offset,
                                              size_t offset_len);

/** Tells which rows of the target belong to the same person. From now on private calls on the
 *  problem protect persons of the target, not records: neighbours differ in all rows of one person,
 *  whatever their number, and the number of persons is public, the number of rows is not. Of a
 *  person's rows the mean of their contributions is taken, of the first `rows_per_person` of them
 *  in the order of the sample, and persons weigh alike. Reports name the unit, and where sizes are
 *  told (plans, reports, ledgers, solutions) that of the target is the number of persons. Without a
 *  private target the persons do not matter.
 *
 *  Of a discrepancy each person's first row is read. What cannot protect persons is refused with
 *  DPA_E_UNSUPPORTED: `method` = paper, coupled weights (kappa_2, kappa_inf, lambda_2, lambda_inf),
 *  noisy_sgd, `inference` = yes, `private_domain` = both, and ledgers that several problems share.
 *
 *  A new target needs its own ids. Whose an id is, is up to the custodian: two persons under one id
 *  are protected together, one person under k ids like one with k records.
 *  @param problem  Its target set, and nothing released of it yet.
 *  @param ids      Array of length n, copied; any numbers.
 *  @param n        Must equal the rows of the target.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE; DPA_E_DIMENSION;
 *          DPA_E_UNSUPPORTED; DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_target_groups(dpa_problem *problem, const int64_t *ids,
                                                 size_t n);

/** Tells that the source sample is made of several sources, and which of them each row is of. A fit
 *  without privacy then chooses: the sources are ordered by the target's loss at a fit to each
 *  alone, and of the first one, the first two and so on those are taken whose fit does best on
 *  target rows that are left out, or the most within one standard error of it if each of these
 *  alone is better than no feature. Rows of the others have weight 0, so that
 *  dpa_solution_source_weights tells what each source was worth. Baselines take all sources as one.
 *  Private fits are DPA_E_UNSUPPORTED: they would choose by private records.
 *
 *  A new source sample is one source again.
 *  @param problem  Its source set.
 *  @param ids      Array of length n, copied; any numbers, the same for rows of one source.
 *  @param n        Must equal the rows of the source.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE; DPA_E_DIMENSION;
 *          DPA_E_OVERFLOW for more than 100 sources; DPA_E_UNSUPPORTED for records elsewhere;
 *          DPA_E_NO_MEMORY.  Cost: a fit for each source, and one for each number of them.
 *          Since 0.1. */
DPA_API dpa_status dpa_problem_set_source_groups(dpa_problem *problem, const int64_t *ids,
                                                 size_t n);

/** Gives the source rows weights: a row of weight 2 counts like two rows of weight 1, one of weight
 *  0 like none. Only ratios within the sample count, for alpha divides the weight between the
 *  samples: the reference weights are p_i = alpha w_i / (w_1 + .. + w_m). They count in
 *  everything that is learnt from public rows: coordinates, bounds, metrics, defaults, fits,
 *  discrepancies, the choice of alpha and of sources.
 *
 *  Weights of a private sample are clipped into [0, W], W the option row_weight_bound, without
 *  which they are DPA_E_UNSUPPORTED; one that is negative, NaN or infinite is 0, and none is an
 *  error. A record of weight w adds w/W of what it would add to any sum, and these are divided by
 *  the sum of all w/W, which is released with noise, unless the option labelled_share tells its
 *  share of n. So their ratios to W count. A record of weight 0 adds what one of zeros without a
 *  label does. Of a person the mean of the rows' weighted contributions is taken.
 *
 *  DPA_E_UNSUPPORTED for samples with weights are: baselines that weigh rows themselves (kmm,
 *  kliep, ulsif, rulsif, gapboost, tradaboost, tradaboost_r2; dm, gdm and private_dm, which find
 *  weights of the source, follow those of a public target), evaluations, selections and searches
 *  of rows with weights, method = paper, and, in private fits, kappa_2, kappa_inf, lambda_2 and
 *  lambda_inf; and of a private sample with weights private_domain = both, noisy_sgd, and
 *  discrepancies, also those that a fit with a number for alpha would release.
 *
 *  A new sample has no weights.
 *  @param problem  Its source set.
 *  @param weights  Array of length n, copied; of a public sample none negative, NaN or infinite,
 *                  and not all 0, which calls that read them answer with DPA_E_INVALID_ARGUMENT.
 *                  The copy is wiped when it is released.
 *  @param n        Must equal the rows of the source.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE; DPA_E_DIMENSION;
 *          DPA_E_UNSUPPORTED for records elsewhere; DPA_E_NO_MEMORY.  Cost: one copy.
 *          Since 0.1. */
DPA_API dpa_status dpa_problem_set_source_weights(dpa_problem *problem, const double *weights,
                                                  size_t n);

/** The same of the target's rows, with 1 - alpha for alpha.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_target_weights(dpa_problem *problem, const double *weights,
                                                  size_t n);

/** Gives each source row a score of a model that exists already, a forest, a network or a vendor's,
 *  whatever it is: from now on the labels are those of the rows minus their scores, and a fit makes
 *  a linear correction, which dpa_solution_predict predicts and the caller adds to the model's
 *  scores. A private fit moves the correction away from that of the source as far as the target's
 *  records show, with the guarantee that it has without scores; a record's score is as private as
 *  its label. A score that is NaN leaves its row without a label.
 *
 *  Both samples need scores, or neither: else calls answer DPA_E_STATE. Labels must be numbers
 *  (DPA_E_UNSUPPORTED at the fit). A new sample needs its own scores; persons are told after them.
 *  @param problem  Its source set.
 *  @param scores   Array of length n, copied; label units.
 *  @param n        Must equal the rows of the source.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_STATE, also where the sample has
 *          scores or persons, or the problem is locked; DPA_E_DIMENSION; DPA_E_UNSUPPORTED for
 *          records elsewhere; DPA_E_NO_MEMORY.  Cost: one copy.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_source_scores(dpa_problem *problem, const double *scores,
                                                 size_t n);

/** The same of the target's rows.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_target_scores(dpa_problem *problem, const double *scores,
                                                 size_t n);

/** Sizes of the problem: m, n and the number of columns; a sample that is not set counts 0 rows.
 *  Each pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread, while calls on the problem run as well.  Since
 *          0.1. */
DPA_API dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows,
                                     size_t *target_rows, size_t *features);

DPA_EXTERN_C_END

#endif
