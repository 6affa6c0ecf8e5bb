/* A model in the memory of the place in a query that calls it, loaded once. */
#ifndef DPA_POSTGRES_PREDICT_H
#define DPA_POSTGRES_PREDICT_H

#include "coder.h"
#include "record.h"

typedef struct cached_model {
    text *name;
    size_t features; /* numbers that the solution takes */
    int count;
    char **names; /* of the columns that they are made of */
    guest_handles *handles;
    MemoryContext context; /* of all that is here */
    record_columns record;
    coder *coder; /* of records, for a model with a schema */
    double *x;    /* features of one record */
} cached_model;

/** The model of that name. */
cached_model *predict_model(FmgrInfo *site, text *name);

/** Its prediction. */
double predict_one(const cached_model *model, const double *x);

#endif
