/* Rows of a sample that a fit keeps in memory, column after column. */
#ifndef DPA_DUCKDB_KEPT_H
#define DPA_DUCKDB_KEPT_H

#include "columns.h"

typedef struct kept_column {
    char *name;
    bool is_boolean;
    double *numbers; /* NULL of a column of texts */
    char **texts;    /* NULL of numbers; a NULL in it is a missing value */
} kept_column;

typedef struct kept {
    kept_column *all;
    size_t columns, rows, room;
} kept;

/** Adds the rows first <= i < first + count; false and a message, and then some may be there. */
bool kept_add(kept *to, const columns *from, idx_t first, idx_t count, char *message);

/** Adds the rows of another one; false without memory. */
bool kept_append(kept *to, const kept *from);

/** A table of them. */
dpa_status kept_table(const kept *rows, dpa_table **out);

void kept_clear(kept *rows);

#endif
