/** Handles, the layout of matrices and the numbers that calls exchange.
 *
 *  Handles are created by a dpa_*_create, or by the call that returns them. They are released by
 *  the matching dpa_*_destroy, which accepts NULL. A handle is the number of an object, not an
 *  address. A call with a destroyed handle returns DPA_E_HANDLE, and another dpa_*_destroy ignores
 *  it. The same holds for a handle of another copy of the library in the process. An object in use
 *  stays until the call ends, even if its handle is destroyed meanwhile. Leak checkers cannot
 *  detect a forgotten handle.
 *
 *  Arrays given to a call are read during the call and copied if they are kept, unless the function
 *  says that it borrows them. Arrays to be filled belong to the caller. Texts returned as
 *  const char * are static or owned by the handle that they describe.
 *
 *  Matrices are dense doubles with one row per record: entry (i, j) is at
 *
 *      x[i + j * leading_dimension]   for DPA_COL_MAJOR, leading_dimension >= rows  (R, Fortran)
 *      x[i * leading_dimension + j]   for DPA_ROW_MAJOR, leading_dimension >= cols  (C, Java,
 *      NumPy)
 *
 *  Layout and leading dimension do not change any result by more than rounding.
 */
#ifndef DPADAPT_TYPES_H
#define DPADAPT_TYPES_H

#include <dpadapt/export.h>
#include <stddef.h>
#include <stdint.h>

DPA_EXTERN_C_BEGIN

/** Settings of a run. Use by one thread at a time; read and copied by the call that receives it. */
typedef struct dpa_options_s dpa_options;

/** The source and target samples, and the ledger of what was released about private ones. Setters
 *  and private calls need exclusive access. While one of them runs, other calls on the same problem
 *  return DPA_E_STATE, also from its own callbacks. Only dpa_problem_shape, dpa_problem_budget and
 *  dpa_problem_privacy_report work then, too. Setters return DPA_E_STATE while any fit runs. Fits
 *  without privacy may run at the same time. */
typedef struct dpa_problem_s dpa_problem;

/** A discrepancy estimate. Immutable: any number of threads may use it at once. */
typedef struct dpa_discrepancy_s dpa_discrepancy;

/** A fitted predictor. Immutable: any number of threads may use it at once. */
typedef struct dpa_solution_s dpa_solution;

/** What a private call would release. Immutable: any number of threads may use it at once. */
typedef struct dpa_plan_s dpa_plan;

/** A grid of options, and after a run the table of its candidates. Use by one thread at a time;
 *  while it runs, other calls with it answer DPA_E_STATE. */
typedef struct dpa_search_s dpa_search;

/** Errors of solutions on labelled rows. Immutable: any number of threads may use it at once. */
typedef struct dpa_evaluation_s dpa_evaluation;

/** A budget for several problems and processes, with what has been paid from it. Any number of
 *  threads and problems may use it at once. */
typedef struct dpa_ledger_s dpa_ledger;

/** A sum over private records that a host carries out (passes.h). Use by one thread at a time. */
typedef struct dpa_partial_s dpa_partial;

/** Columns of numbers and texts (schema.h). Use by one thread at a time. */
typedef struct dpa_table_s dpa_table;

/** How columns become features and labels. Immutable: any number of threads may use it at once. */
typedef struct dpa_schema_s dpa_schema;

/** A token that stops running calls. dpa_cancel_request may come from any thread at any time. If
 *  the token is destroyed, running calls that use it go on and can no longer be stopped. Later ones
 *  with options that still have it are DPA_E_HANDLE. */
typedef struct dpa_cancel_s dpa_cancel;

/** Layouts of a matrix. */
#define DPA_COL_MAJOR 0
#define DPA_ROW_MAJOR 1

/** A matrix of the caller's. */
typedef struct dpa_matrix {
    const double *data;
    size_t rows;
    size_t cols;
    size_t leading_dimension; /**< Distance of columns (DPA_COL_MAJOR) or rows, in doubles. */
    int32_t layout;           /**< DPA_COL_MAJOR or DPA_ROW_MAJOR. */
} dpa_matrix;

/** The domains of a problem; other numbers are DPA_E_INVALID_ARGUMENT. */
#define DPA_SOURCE 0
#define DPA_TARGET 1

DPA_EXTERN_C_END

#endif
