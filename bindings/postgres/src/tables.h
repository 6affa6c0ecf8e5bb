/* The extension's own tables, which only their owner reads and writes. All functions need SPI. */
#ifndef DPA_POSTGRES_TABLES_H
#define DPA_POSTGRES_TABLES_H

#include "guest.h"

/** Executes a statement as the owner of the tables, who finds PostgreSQL's own names only. */
void tables_execute(const char *query, int count, Oid *types, Datum *values, bool read_only);

/** The first value of the first row that was read; NULL without one. */
Datum tables_value(bool *isnull);

typedef struct text_list {
    int count;
    char **texts;
} text_list;

/** The first column of what a query reads; NULL for NULL. */
text_list tables_texts(const char *query, int count, Oid *types, Datum *values);

/** Adds a row that is there at once and for good, whatever becomes of the transaction; as
 *  sequences do it, the row needs no commit. Not in a read-only transaction. */
void tables_insert(const char *table, int count, Datum *values);

/** Returns when the rows that were added are on the disk. */
void tables_flush(void);

/** Whether rows can be added now. */
bool tables_are_open(void);

/** One session at a time; free again at the end of a transaction that fails between the two. */
void tables_lock(void);
void tables_unlock(void);

#endif
