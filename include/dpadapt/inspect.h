/** Inspection of private records outside any guarantee, for their custodian.
 *
 *  NOT PRIVATE: these functions compute from private records without noise. They are meant for the
 *  person who holds the records anyway, to find unit errors and bad rows before anything is
 *  released. Do not publish or log results, or choose options by them. Every later report of the
 *  problem notes that dpa_inspect_private was called. dpadapt.h does not include this header.
 */
#ifndef DPADAPT_INSPECT_H
#define DPADAPT_INSPECT_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** NOT PRIVATE. What a custodian should know before a budget is spent, one sentence in a line:
 *  - how many private records count as zeros (a number that is not finite, a label without meaning
 *    for the loss, or, with row_weight_bound, no weight), are scaled down to `feature_radius`, or
 *    have their label clamped to `label_bound`
 *  - what looks like a slip between two samples in memory: units, codes such as 999, values that
 *    the source does not have, reversed labels or columns, duplicate rows, rows in both samples.
 *    Columns are numbered from 0; some sentences may be false alarms
 *  The text is empty where nothing is found.
 *  @param problem  Both samples set; its ledger notes the inspection.
 *  @param options  Those of the fit. With `private_domain` = none only slips are looked for.
 *  @param out      Memory of the caller for the text and its zero; NULL with out_len 0 to ask for
 *                  the size.
 *  @param needed   Receives the size with its zero; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE; DPA_E_NONFINITE naming a bad public row;
 *          DPA_E_OPTION; DPA_E_UNSUPPORTED for persons elsewhere; DPA_E_BUFFER when out_len is too
 *          small (out is unchanged); DPA_E_NO_MEMORY.  One call at a time.  Since 0.1. */
DPA_API dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options, char *out,
                                       size_t out_len, size_t *needed);

/** NOT PRIVATE if the table is private: the cells that do not fit the schema, one line for each
 *  column and reason, with up to five of the values. An example is "colour: 3 of 90 rows have a
 *  level that the schema does not know: "red"". If the table has a column of labels, a line lists
 *  the known ones. Missing values fit. The text is empty if all cells fit. No ledger notes the
 *  call.
 *  @param table   Must have the columns of the schema, else DPA_E_INVALID_ARGUMENT. For rows to
 *                 predict the text shows what the predictor cannot use.
 *  @param needed  Receives the size with its zero; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_BUFFER when out_len is too small
 *          (out is unchanged); DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_inspect_table(const dpa_schema *schema, const dpa_table *table, char *out,
                                     size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
