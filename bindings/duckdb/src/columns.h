/* The fields of a struct as columns of numbers. */
#ifndef DPA_DUCKDB_COLUMNS_H
#define DPA_DUCKDB_COLUMNS_H

#include "guest.h"

/** A field: its name, its type and its values. */
typedef struct column {
    char *name;
    size_t number; /* among the fields, from 1 on; 0 for none of them */
    duckdb_type type;
    duckdb_type stored; /* of a DECIMAL: the integers that it is kept as */
    int scale;          /* of a DECIMAL: how many of its digits stand behind the point */
    duckdb_vector values;
    duckdb_vector whole; /* the struct, which may be NULL itself; NULL for none */
} column;

/** Those of one vector; to be closed in any case. */
typedef struct columns {
    column *all;
    size_t count;
    char message[GUEST_MESSAGE]; /* what is wrong */
} columns;

/** Reads the fields of a struct; false and a message for another type. */
bool columns_open(columns *c, duckdb_vector vector);
void columns_close(columns *c);

/** The values of a vector that is no struct. */
column columns_single(duckdb_vector vector, char *name);

/** Whether the type is read as numbers: integers, DECIMAL, floats, doubles, booleans, and the type
 *  of NULL. */
bool columns_is_number(duckdb_type type);

/** false, with a message, unless all are numbers. */
bool columns_check_numbers(columns *c);

/** A message that says why a column of that type is refused. */
void columns_refuse(const column *c, const char *what, char *message, size_t size);

/** Whether one of them has a name; those of row(a, b) have none. */
bool columns_have_names(const columns *c);

/* How many bytes of a name a message shows. */
int columns_letters(const char *name);

/** Writes the rows first <= i < first + count of a column of numbers as doubles, NaN for NULL; of
 *  texts, what is a number. */
void columns_read(const column *from, idx_t first, idx_t count, double *to);

#endif
