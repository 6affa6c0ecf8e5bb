/* Saved models: rows of dpadapt.models. All functions need SPI. */
#ifndef DPA_POSTGRES_MODEL_H
#define DPA_POSTGRES_MODEL_H

#include "guest.h"

/** What is told about a model beside its solution. */
typedef struct model_facts {
    Datum name, label, features, options; /* text, text, text[], text */
    Oid source, target;
} model_facts;

/** Takes the name in the current transaction, so that a fit is not paid in vain. */
void model_reserve(const model_facts *facts);

/** Stores the solution under the reserved name. */
void model_store(Datum name, const dpa_solution *solution);

/** Columns of a saved model, valid until SPI ends. */
typedef struct saved_model {
    Datum label, features;
} saved_model;

/** Loads the solution into the handles; an error when there is no such model. */
saved_model model_load(Datum name, guest_handles *handles);

#endif
