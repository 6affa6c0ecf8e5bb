/* How the library is a good guest of a backend: its handles die with a memory context, its failures
 * are errors of PostgreSQL, and signals reach the backend's own thread only. */
#ifndef DPA_POSTGRES_GUEST_H
#define DPA_POSTGRES_GUEST_H

#include <dpadapt/dpadapt.h>
#include <fmgr.h>
#include <miscadmin.h>
#include <postgres.h>

/** Handles of one call or cached object; those that are not used stay NULL. */
typedef struct guest_handles {
    dpa_options *options;
    dpa_problem *problem;
    dpa_ledger *ledger;
    dpa_solution *solution;
    dpa_plan *plan;
    dpa_evaluation *evaluation;
    dpa_partial *partial;
    dpa_table *table;
    dpa_schema *schema;
    MemoryContextCallback callback;
} guest_handles;

/** Empty handles, to be destroyed when the context is reset, after errors as well. */
guest_handles *guest_new(MemoryContext context);

/** An error of PostgreSQL with the library's message unless the status is DPA_OK. */
void guest_check(dpa_status status);

/** From leave on until return the calling thread takes no signals, and neither do the threads that
 *  the library makes meanwhile. A callback returns first and leaves at its end. */
void guest_leave(void);
void guest_return(void);

/** Errors of PostgreSQL are jumps, which must not cross the library: they wait here, to be thrown
 *  when it has returned. */
typedef struct guest_errors {
    MemoryContext context;
    ErrorData *error;
} guest_errors;

/** Throws the one that waits, if there is one, or what has been asked of the backend since. */
void guest_rethrow(const guest_errors *errors);

/** Executes a statement in a callback of the library, and keeps its error. */
#define GUEST_KEEPING_ERRORS(errors, statement)       \
    do {                                              \
        Oid user_;                                    \
        int security_;                                \
        GetUserIdAndSecContext(&user_, &security_);   \
        guest_return();                               \
        PG_TRY();                                     \
        { statement; }                                \
        PG_CATCH();                                   \
        {                                             \
            SetUserIdAndSecContext(user_, security_); \
            MemoryContextSwitchTo((errors)->context); \
            (errors)->error = CopyErrorData();        \
            FlushErrorState();                        \
        }                                             \
        PG_END_TRY();                                 \
        guest_leave();                                \
    } while (0)

/** Sets options from text such as 'epsilon=1 delta=1e-6'. */
void guest_parse(dpa_options *options, const char *text);

/** An error for an argument of a function that is not strict: one that did nothing for NULL would
 *  seem to have done its work. */
void guest_refuse_nulls(FunctionCallInfo call);

/** Bytes of a handle as bytea, by a function of the form of dpa_schema_serialize. */
#define GUEST_BYTES(out, function, handle)                                   \
    do {                                                                     \
        size_t size_ = 0;                                                    \
        (void)function(handle, NULL, 0, &size_);                             \
        (out) = palloc(VARHDRSZ + size_);                                    \
        SET_VARSIZE(out, VARHDRSZ + size_);                                  \
        guest_check(function(handle, (uint8_t *)VARDATA(out), size_, NULL)); \
    } while (0)

/** A text, by a function whose last arguments are out, out_len and needed; the others follow. */
#define GUEST_TEXT(out, function, ...)                        \
    do {                                                      \
        size_t size_ = 0;                                     \
        (void)function(__VA_ARGS__, NULL, 0, &size_);         \
        (out) = palloc(size_ + 1);                            \
        guest_check(function(__VA_ARGS__, out, size_, NULL)); \
    } while (0)

/** A report of a handle, by a function of the form of dpa_plan_report. */
#define GUEST_REPORT(out, function, handle) GUEST_TEXT(out, function, handle, DPA_REPORT_JSON)

#endif
