/* Rows that wait for a schema, which is the library's and makes features and labels of them. */
#ifndef DPA_POSTGRES_CODER_H
#define DPA_POSTGRES_CODER_H

#include "guest.h"

typedef struct coder_column {
    const char *name;
    Oid base; /* type; of a number or a text */
    bool is_text;
    double *numbers; /* of the rows */
    size_t *texts;   /* where they begin among the letters, or no place at all for NULL */
} coder_column;

typedef struct coder {
    MemoryContext context; /* of all that is here */
    int count;
    coder_column *columns;
    size_t rows, room;
    char *letters; /* of all texts, each with a zero */
    size_t used, most;
} coder;

/** Without rows, in the current memory context, which `names` must outlive. */
coder *coder_new(int count, char **names, const Oid *base);

/** Gives back its memory. */
void coder_free(coder *rows);

/** Forgets the rows. */
void coder_clear(coder *rows);

/** Room for another row; all its values follow by coder_put. */
void coder_add(coder *rows);

/** The value of a column in the last row. */
void coder_put(coder *rows, int column, Datum value, bool isnull);

/** Bytes that the rows take. */
size_t coder_size(const coder *rows);

/** The rows as the table of the handles. */
void coder_table(const coder *rows, guest_handles *handles);

/** Features of the rows by the schema of the handles, row after row, and labels unless y is NULL.
 *  The table of the handles is gone then. */
void coder_apply(const coder *rows, guest_handles *handles, size_t features, double *x, double *y);

#endif
