/* A model in the memory of the place in a query that calls it, loaded once, and the features that
 * the call gives it. */
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
    int classes;  /* number of labels; 0 where they are numbers; -1: not known yet */
    text **labels;
    struct TupleDescData *ends; /* of intervals; NULL before the first one */
} cached_model;

/** The model of that name. */
cached_model *predict_model(FmgrInfo *site, text *name);

/** The model of a call of f(name, features, ...) and its features, of f(name, row, ...) in the
 *  model; NULL where one of them is NULL. */
cached_model *predict_array(FunctionCallInfo fcinfo, const double **x);
cached_model *predict_row(FunctionCallInfo fcinfo);

/** Its prediction. */
double predict_one(const cached_model *model, const double *x);

/** A label as the source writes it. */
text *predict_text(const cached_model *model, double label);

#endif
