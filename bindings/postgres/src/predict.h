/* A model in the memory of the place in a query that calls it, loaded once. */
#ifndef DPA_POSTGRES_PREDICT_H
#define DPA_POSTGRES_PREDICT_H

#include "guest.h"

/** Where a record of some type has the features. */
typedef struct record_places {
    MemoryContext context; /* of all that is here */
    Oid type;
    int32 modifier;
    struct TupleDescData *columns; /* NULL: no record has come yet */
    int *place;                    /* of each feature, from 0 */
    Oid *base;                     /* type of each feature */
    Datum *values;                 /* of the columns of one record */
    bool *nulls;
    double *x; /* features of one record */
} record_places;

typedef struct cached_model {
    text *name;
    size_t features;
    char **names; /* of the features */
    guest_handles *handles;
    MemoryContext context; /* of all that is here */
    record_places record;
} cached_model;

/** The model of that name. */
cached_model *predict_model(FmgrInfo *site, text *name);

/** Its prediction. */
double predict_one(const cached_model *model, const double *x);

#endif
