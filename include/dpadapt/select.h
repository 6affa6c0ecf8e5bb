/** Model selection: which of several predictors does best on labelled rows that none of them was
 *  fitted on (validation rows).
 *
 *  The rows are the target sample of a problem, `validation`; its source sample is not read and may
 *  be absent. One loss compares all candidates (option `selection_loss`): the squared error of the
 *  predicted label, its pinball loss, minus the log probability of the label, or 1 for a wrong
 *  label. The pinball loss needs quantiles of one level.
 *
 *  With a public target (`private_domain` = none or source) the least mean loss wins, weighted
 *  where the rows have weights, as in evaluate.h. Of equals the first wins. A candidate whose mean
 *  loss is not finite cannot win.
 *
 *  With a private target (target, both) the index is chosen by permute-and-flip. Losses are clipped
 *  to `selection_bound` and rounded to multiples of 2^-30 of it. Candidate i, whose losses have the
 *  sum L_i, is kept with probability
 *
 *      exp(-selection_epsilon (L_i - min L)/(2 selection_bound)),
 *
 *  and one of the kept ones is chosen, each with the same probability. That costs selection_epsilon
 *  and no delta, and is entered into the ledger of `validation` before a row is read. Only the
 *  index is released. With the bound B and n rows, a candidate whose mean loss is
 *  2 B t/(n selection_epsilon) above the least is chosen with probability at most e^-t. The
 *  candidates count as public: those fitted to private records must be private themselves.
 *
 *  Budgets: if dpa_problem_set_budget has fixed the budget, selections are paid from the part of
 *  epsilon that `selection_epsilon` kept for them. Otherwise the first private call fixes the
 *  budget; a selection fixes it to (selection_epsilon, 0). If validation rows and training rows are
 *  about different people, each person pays in one ledger alone, that of the problem with their
 *  rows. If not, the prices of both problems add up.
 */
#ifndef DPADAPT_SELECT_H
#define DPADAPT_SELECT_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Chooses one of the candidates by validation rows.
 *  @param validation  Its target sample holds the rows.
 *  @param candidates  Array of length count: solutions of any method, with the rows' features.
 *  @param count       At least 1.
 *  @param options     NULL for the defaults. `private_domain`, `unsafe_seed` and those named
 *                     selection_... are read; a private choice needs `selection_epsilon`, and
 *                     `selection_bound` unless the loss is error.
 *  @param chosen      Receives the index; unchanged on failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY for no candidates;
 *          DPA_E_OVERFLOW from 2^31 on; DPA_E_STATE before the rows are set; DPA_E_DIMENSION for
 *          other features; DPA_E_OPTION, also where `selection_loss` = auto finds no loss for all
 *          candidates; DPA_E_UNSUPPORTED for a loss that cannot measure a candidate; DPA_E_BUDGET;
 *          DPA_E_ENTROPY; DPA_E_CANCELLED; DPA_E_NO_MEMORY; of public rows DPA_E_NONFINITE,
 *          DPA_E_LABEL, and DPA_E_NUMERICAL when no mean loss is finite.
 *  Cost: a prediction of every row by every candidate.  Since 0.1. */
DPA_API dpa_status dpa_select(dpa_problem *validation, const dpa_solution *const *candidates,
                              size_t count, const dpa_options *options, size_t *chosen);

/** Creates a search without axes: its one candidate has the options that dpa_search_run is given.
 *  @param out  Receives the handle, to be released by dpa_search_destroy; NULL stored on failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_search_create(dpa_search **out);

/** Releases the search; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_search_destroy(dpa_search *search);

/** Adds an axis to the grid: an option and the values that it takes. The candidates are the product
 *  of the axes, the first one varying slowest.
 *  @param search  Changed only on success, which discards the results of an earlier run.
 *  @param option  Its name; not `private_domain`, `unsafe_seed` or selection_..., which apply to
 *                 all candidates.
 *  @param values  Texts as of dpa_options_parse, separated by commas: "0.1,1,10". Numbers within a
 *                 value (options of type vector) are separated by blanks: "16,16 8" are two values
 *                 of hidden_units.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME; DPA_E_OPTION_TYPE;
 *          DPA_E_OPTION for a value out of bounds or an option that is an axis already;
 *          DPA_E_OVERFLOW for 2^63 candidates; DPA_E_STATE; DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_search_add(dpa_search *search, const char *option, const char *values);

/** A number of the search:
 *
 *      candidates  how many there are, rounded beyond 2^53
 *      chosen      index of the chosen one, after a run (before one: DPA_E_STATE)
 *      loss        the mean loss of a candidate on the validation rows, after a run; infinite where
 *                  it is not finite, NaN for a fit that was left out, DPA_E_NOT_RELEASABLE of
 *                  private rows
 *
 *  @param index  Of the candidate, for `loss`; beyond the table it is DPA_E_INVALID_ARGUMENT.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME for other names;
 *          DPA_E_STATE, also during a run; DPA_E_NOT_RELEASABLE.  Since 0.2. */
DPA_API dpa_status dpa_search_value(const dpa_search *search, const char *name, size_t index,
                                    double *value);

/** Fits every candidate and chooses one by the rules of dpa_select.
 *  @param problem     Both samples set: what candidates are fitted on.
 *  @param validation  Another problem, whose target sample holds the validation rows.
 *  @param method      NULL: dpa_solve; else the name of a baseline.
 *  @param options     NULL for the defaults. The options of every candidate, on which its point of
 *                     the grid is set; and those of the selection.
 *  @param out         Receives the chosen fit, to be released by dpa_solution_destroy; NULL stored
 *                     on failure.
 *  @return as dpa_solve, dpa_baseline_solve and dpa_select; DPA_E_INVALID_ARGUMENT when both
 *          problems are one; DPA_E_OVERFLOW for more than 2^20 candidates. On failure the search is
 *          as it was.
 *
 *  Without privacy a candidate whose fit fails with DPA_E_NUMERICAL, DPA_E_OPTION or
 *  DPA_E_UNSUPPORTED is left out (see dpa_search_reason). If all fits fail, the
 *  first one's failure is returned. Candidates that cannot be compared are refused before the first
 *  fit: a custom loss is DPA_E_UNSUPPORTED.
 *
 *  With privacy every fit, chosen or not, pays its own epsilon and delta from the ledger of
 *  `problem`; k equal Gaussian prices mu add up to sqrt(k) mu. The selection pays from the ledger
 *  of `validation`. So with two or more candidates, first fix the budget of `problem` with
 *  dpa_problem_set_budget. All prices are compared with both budgets before anything is paid or
 *  read: DPA_E_BUDGET then costs nothing. A later failure, such as a cancelled run, ends the search
 *  and refunds nothing. The promise of the chosen fit (dpa_solution_privacy) is about the records
 *  of `problem`. Its report has the number of validation rows that chose it, and the price. The
 *  promise to these rows is in the report of `validation`.
 *
 *  All fits are kept until one is chosen. Progress is that of the fits, each after a report of the
 *  phase "candidates", and of the phase "selection".  Since 0.1. */
DPA_API dpa_status dpa_search_run(dpa_search *search, dpa_problem *problem, dpa_problem *validation,
                                  const char *method, const dpa_options *options,
                                  dpa_solution **out);

/* The table of candidates, after a run (before one: DPA_E_STATE). An index beyond it gives
 * DPA_E_INVALID_ARGUMENT. */

/** Value of an axis at a candidate, as it was given to dpa_search_add, without blanks around it.
 *  @param option  Name of the axis; others give DPA_E_OPTION_NAME.
 *  @param out     Buffer of out_len bytes, filled with zero-terminated text; may be NULL if out_len
 *                 is 0.
 *  @param needed  Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_OPTION_NAME; DPA_E_STATE.  Since 0.1. */
DPA_API dpa_status dpa_search_setting(const dpa_search *search, size_t index, const char *option,
                                      char *out, size_t out_len, size_t *needed);

/** Why the fit of a candidate was left out: the text that dpa_last_error has after that fit alone,
 *  without the name of the function. Empty for a candidate that was fitted.
 *  @param status  Receives the status of the fit; may be NULL.
 *  @param out     Buffer of out_len bytes, filled with zero-terminated text; may be NULL if out_len
 *                 is 0.
 *  @param needed  Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_INVALID_ARGUMENT; DPA_E_STATE.  Since 0.2. */
DPA_API dpa_status dpa_search_reason(const dpa_search *search, size_t index, dpa_status *status,
                                     char *out, size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif
