/* A protected relation as a sample that stays where it is: requests are answered by the aggregate
 * dpadapt.pass, run as the owner of the relation under the snapshot of the calling statement. */
#ifndef DPA_POSTGRES_TARGET_H
#define DPA_POSTGRES_TARGET_H

#include "columns.h"

typedef struct target_rows {
    Oid relation, owner;
    const char *ledgers[2]; /* ids: of the family, of a share or NULL */
    int64 blocks[2];        /* of them, when they were copied last */
    int64 rows;
    const char *query;     /* of a pass; $1 is the request, $2 the schema */
    bytea *schema;         /* or NULL: features and label are numbers */
    MemoryContext scratch; /* of one pass */
    guest_errors errors;   /* what stopped a pass */
} target_rows;

/** Makes ledger, options and problem of the handles for that target; calls with these options can
 *  be cancelled. Needs SPI. */
target_rows *target_open(guest_handles *handles, Oid relation, Datum options);

/** Says what is read. The rows are counted, and a pass over none of them is tried: names, types and
 *  permissions are found to be wrong before anything is paid.
 *  @param label  The name that a schema has for the label. */
void target_read(target_rows *target, const row_columns *columns, const char *label);

/** Applies the schema of the handles to a row of nulls of the same types: what it refuses of them
 *  is
 *  an error before anything is paid. */
void target_check(const target_rows *target, const row_columns *columns, const char *label,
                  guest_handles *handles, size_t features);

/** Makes them the target of the problem, which asks for passes.
 *  @param features  Of the schema of the handles, if they have one. */
void target_set(target_rows *target, guest_handles *handles, size_t features);

#endif
