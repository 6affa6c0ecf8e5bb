/** Problem: the labelled source sample (m rows) and the labelled target sample (n rows).
 *
 *  A problem has one privacy budget and one ledger, whatever samples are set later (privacy.h).
 *  Setters answer DPA_E_STATE while a call uses the problem.
 *
 *  Sizes and pointers are checked when data are set, values when the data are used, because what a
 *  bad value means depends on which sample is private: NaN or infinity in a public row is
 *  DPA_E_NONFINITE.
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
 *  @param cols     Number of features, at least 1; the same as the target's if that is set.
 *  @param leading_dimension  Distance of columns (rows) in x, in doubles.
 *  @param layout   DPA_COL_MAJOR or DPA_ROW_MAJOR.
 *  @param y        Labels, an array of length y_len; label units.
 *  @param y_len    Must equal rows.
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
 *  until they are replaced or the problem is destroyed. Else as dpa_problem_set_source.  Cost O(1).
 *  Since 0.1. */
DPA_API dpa_status dpa_problem_lend_source(dpa_problem *problem, const double *x, size_t rows,
                                           size_t cols, size_t leading_dimension, int32_t layout,
                                           const double *y, size_t y_len);

/** Sets the target sample without copying it; as dpa_problem_lend_source.  Since 0.1. */
DPA_API dpa_status dpa_problem_lend_target(dpa_problem *problem, const double *x, size_t rows,
                                           size_t cols, size_t leading_dimension, int32_t layout,
                                           const double *y, size_t y_len);

/** Tells which rows of the target belong to the same person. From now on private calls on the
 *  problem protect persons of the target, not records: neighbours differ in all rows of one person,
 *  whatever their number, and the number of persons is public, the number of rows is not. Of a
 *  person's rows the mean of their contributions is taken, of the first `rows_per_person` of them
 *  in the order of the sample, and persons weigh alike. Reports name the unit, and where sizes are
 *  told (plans, reports, ledgers, solutions) that of the target is the number of persons. Without a
 *  private target the persons do not matter.
 *
 *  Fits with `alpha` = auto, those with a number for alpha and discrepancy, or with form = general
 *  and lambda_1 = auto, and baselines from second moments protect persons; whatever else reads
 *  private rows is refused with DPA_E_UNSUPPORTED: `method` = paper, coupled weights (kappa_2,
 *  kappa_inf, lambda_2, lambda_inf), discrepancies, noisy_sgd, selections, `private_domain` = both,
 *  and ledgers that several problems share.
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

/** Sizes of the problem: m, n and the number of columns; a sample that is not set counts 0 rows.
 *  Each pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE.  Any thread, while calls on the problem run as well.  Since
 *          0.1. */
DPA_API dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows,
                                     size_t *target_rows, size_t *features);

DPA_EXTERN_C_END

#endif
