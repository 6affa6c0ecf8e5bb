/* Rows of a chunk whose predictions are made together. */
#ifndef DPA_DUCKDB_PIECE_H
#define DPA_DUCKDB_PIECE_H

#include "columns.h"
#include "model.h"

/** Those with the same model and level. */
typedef struct piece {
    columns *features;
    idx_t first, count;
    double level;    /* of intervals and sets */
    double *numbers; /* what its features are read into, to be freed; NULL before that */
    char message[GUEST_MESSAGE];
} piece;

/** false, with that message, or with the library's unless the status is DPA_OK. */
bool piece_fail(piece *p, const char *message);
bool piece_check(piece *p, dpa_status status);

/** Features as the model takes them: by the names of its schema, else by their places. */
bool piece_read(piece *p, const model *by, dpa_matrix *x);

#endif
