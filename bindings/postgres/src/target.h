/* A protected relation as a sample that stays where it is: requests are answered by the aggregate
 * dpadapt.pass, run as the owner of the relation under the snapshot of the calling statement. */
#ifndef DPA_POSTGRES_TARGET_H
#define DPA_POSTGRES_TARGET_H

#include "guest.h"

typedef struct target_rows {
    Oid relation, owner;
    int64 rows;
    const char *query;     /* of a pass; $1 is the request */
    MemoryContext scratch; /* of one pass */
    guest_errors errors;   /* what stopped a pass */
} target_rows;

/** Makes ledger, options and problem of the handles, with that target and no source; the problem
 *  asks for passes, and calls with these options can be cancelled. The rows are counted, and a pass
 *  over none of them is tried: names, types and permissions are found to be wrong before anything
 *  is paid. Needs SPI. */
target_rows *target_problem(guest_handles *handles, Oid relation, const char *label, Datum options,
                            int features, char **names);

/** The error that ended the call, if PostgreSQL has one to tell. */
void target_rethrow(target_rows *target);

#endif
