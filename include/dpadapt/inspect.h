/** A look at private records outside any guarantee, for their custodian.
 *
 *  NOT PRIVATE: what this header returns is computed from private records without noise. It is
 *  meant for the person who holds the records anyway, to find unit errors and bad rows before
 *  anything is released; it must not be published, logged or used to choose options. That it was
 *  called is noted in every later report of the problem. dpadapt.h does not include this header.
 */
#ifndef DPADAPT_INSPECT_H
#define DPADAPT_INSPECT_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** NOT PRIVATE. Counts the private records that a private call with these options would neutralise.
 *  @param problem       Both samples set; its ledger notes the inspection.
 *  @param options       `private_domain` must not be none.
 *  @param nonfinite     Receives how many have a NaN, an infinity, a label that the loss gives no
 *                       meaning, or, with row_weight_bound, no weight; they count as zero.
 *  @param scaled        Receives how many have features beyond `feature_radius`, which are scaled
 *                       down.
 *  @param clamped       Receives how many have a label beyond `label_bound`, which is clamped. Each
 *                       pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE; DPA_E_NONFINITE naming a bad public row;
 *          DPA_E_OPTION; DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options,
                                       size_t *nonfinite, size_t *scaled, size_t *clamped);

/** NOT PRIVATE where the table is: what does not fit of its cells, in a line for each column and
 *  reason, such as "colour: 3 of 90 rows have a level that the schema does not know: "red"", with
 *  up to five of the values; of the labels, if the table has their column, which ones are known.
 *  Missing values fit. Empty if all do. No ledger notes it.
 *  @param table   Has the columns of the schema, else DPA_E_INVALID_ARGUMENT. Of rows to predict,
 *                 which are the caller's own, it tells what the predictor cannot use.
 *  @param needed  Receives the size with its zero; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_BUFFER when out_len is too small
 *          (out is unchanged); DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_inspect_table(const dpa_schema *schema, const dpa_table *table, char *out,
                                     size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
