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
 *  @param nonfinite     Receives how many have a NaN, an infinity, or a label that the loss gives
 *                       no meaning; they count as zero.
 *  @param scaled        Receives how many have features beyond `feature_radius`, which are scaled
 *                       down.
 *  @param clamped       Receives how many have a label beyond `label_bound`, which is clamped. Each
 *                       pointer may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_STATE; DPA_E_NONFINITE naming a bad public row;
 *          DPA_E_OPTION; DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options,
                                       size_t *nonfinite, size_t *scaled, size_t *clamped);

DPA_EXTERN_C_END

#endif
