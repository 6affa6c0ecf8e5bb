/* Saved models as predictors. Those that were used last stay loaded, for all threads. */
#ifndef DPA_DUCKDB_MODEL_H
#define DPA_DUCKDB_MODEL_H

#include "guest.h"

typedef struct model {
    dpa_solution *solution;
    dpa_schema *schema; /* NULL: features have no names */
    size_t features;
    uint8_t *bytes;
    size_t size;
    size_t users; /* under the lock of all models */
} model;

/** The model of these bytes, to be given back; NULL with a message in dpa_last_error(). */
model *model_borrow(guest_blob bytes);
void model_return(model *used);

#endif
