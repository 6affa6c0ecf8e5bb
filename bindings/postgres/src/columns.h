/* The columns that are read of source and target. */
#ifndef DPA_POSTGRES_COLUMNS_H
#define DPA_POSTGRES_COLUMNS_H

#include <lib/stringinfo.h>

#include "guest.h"

typedef struct row_columns {
    int features;
    char **names; /* of the features */
    char *label;
    bool coded; /* a schema makes features and label of them; else all are numbers */
} row_columns;

/** Those of a fit. What the source has tells whether a schema is needed: texts, or a label that is
 *  true or false for a loss of two classes. */
row_columns columns_of(Oid source, Datum label, Datum features, const dpa_options *options);

/** An error for a label among the features, which would predict itself, and for a feature that is
 *  there twice. */
void columns_check(const row_columns *columns);

/** Appends what a schema reads of the relation, separated by commas: features, then the label under
 *  the name `label`. */
void columns_append_values(StringInfo sql, Oid relation, const row_columns *columns,
                           const char *label);

#endif
