/* Records, whose columns are found by their names. */
#ifndef DPA_POSTGRES_RECORD_H
#define DPA_POSTGRES_RECORD_H

#include <access/htup.h>

#include "guest.h"

/** Where records have the columns that are wanted; found anew when their type changes. */
typedef struct record_columns {
    MemoryContext parent; /* what is found lives below it */
    const char *reader;   /* who wants them, for messages */
    int wanted;           /* 0: all of a record */
    char **names;
    bool texts; /* they may be texts, too */

    MemoryContext context; /* of all that is found */
    Oid type;
    int32 modifier;
    struct TupleDescData *all; /* NULL: no record has come yet */
    int count;
    char **found;  /* names */
    int *place;    /* of each column, from 0 */
    Oid *base;     /* its type */
    Datum *values; /* of the whole record */
    bool *nulls;
} record_columns;

/** Takes a record apart; true if its type is not that of the one before. */
bool record_open(record_columns *columns, HeapTupleHeader record);

/** The value of a column in the record, unless that is NULL. */
static inline bool record_is_null(const record_columns *columns, int column) {
    return columns->nulls[columns->place[column]];
}
static inline Datum record_value(const record_columns *columns, int column) {
    return columns->values[columns->place[column]];
}

#endif
