/** What every language shares: names of types, what is left out, and the list of handles.
 *
 *  A language's file gives typemaps for
 *      dpa_NOUN **out, dpa_NOUN *
 *          handles, made by DPA_HANDLE below
 *      dpa_matrix, dpa_measure *out
 *          structures, in matrices.i
 *      (const double *y, size_t y_len)
 *          labels; the same (const double *offset, size_t offset_len) and (const double *times,
 *          size_t times_len)
 *      (const int64_t *ids, size_t n)
 *          ids of persons or sources
 *      (const double *weights, size_t n), (const double *scores, size_t n)
 *          a number for each row
 *      (double *out, size_t out_len)
 *          array to be filled, of a length that the caller knows
 *      (char *out, size_t out_len, size_t *needed), (uint8_t *...)
 *          text and bytes, of a length that they report
 *      (const dpa_solution *const *candidates, size_t count)
 *          list of handles
 *      double *NAME, size_t *NAME, int32_t *NAME, int64_t *NAME, uint64_t *NAME
 *          results, numbers
 *      const char *, double, size_t, int32_t, int64_t, uint64_t
 *          numbers and names
 *      (const uint8_t *data, size_t data_len)
 *          bytes
 *  and turns a dpa_status that is not DPA_OK into the language's error. */
#define DPADAPT_EXPORT_H
#define DPA_API
#define DPA_EXTERN_C_BEGIN
#define DPA_EXTERN_C_END

typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned char uint8_t;

/* Wrappers cast ids to that int64_t, which on most systems is another type of the same size. */
%{
#define dpa_problem_set_groups(problem, domain, ids, n) \
    dpa_problem_set_groups(problem, domain, (const int64_t *)(const void *)(ids), n)
#define dpa_votes_shard(ids, n, teachers, out, out_len) \
    dpa_votes_shard((const int64_t *)(const void *)(ids), n, teachers, out, out_len)
%}

/* Callbacks are bound by hand: they must not let an exception of the language cross the library. */
%ignore dpa_options_set_loss;
%ignore dpa_options_set_progress;
%ignore dpa_ledger_set_parent;
%ignore dpa_problem_use_ledger_for_job;
%ignore dpa_report_check;
%ignore dpa_solution_load;
%ignore dpa_ledger_set_store;
%ignore dpa_ledger_store_fn;
%ignore dpa_loss_fn;
%ignore dpa_progress_fn;

#if defined(SWIGR)
/* A callback stops a call; a second way is not needed. */
%rename("$ignore", regexmatch$name="^dpa_cancel_") "";
%ignore dpa_options_set_cancel;
#endif

%define DPA_HANDLES
DPA_HANDLE(options)
DPA_HANDLE(problem)
DPA_HANDLE(discrepancy)
DPA_HANDLE(solution)
DPA_HANDLE(plan)
DPA_HANDLE(search)
DPA_HANDLE(evaluation)
DPA_HANDLE(ledger)
%enddef
