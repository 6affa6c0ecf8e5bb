/* The fields of a struct as columns of numbers. */
#ifndef DPA_DUCKDB_COLUMNS_H
#define DPA_DUCKDB_COLUMNS_H

#include "guest.h"

/** A field: its name, its type and its values. */
typedef struct column {
    char *name;
    duckdb_type type;
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

/** The type of the values of a vector. */
duckdb_type columns_type_of(duckdb_vector vector);

/** Whether the type is read as numbers: integers of up to 64 bits, floats, doubles, booleans, and
 *  the type of NULL. */
bool columns_is_number(duckdb_type type);

/** false, with a message, unless all are numbers. */
bool columns_check_numbers(columns *c);

/* How many bytes of a name a message shows. */
int columns_letters(const char *name);

/** Writes the rows first <= i < first + count of a column of numbers as doubles, NaN for NULL; of
 *  texts, what is a number. */
void columns_read(const column *from, idx_t first, idx_t count, double *to);

#endif
