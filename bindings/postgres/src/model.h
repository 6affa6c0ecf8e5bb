/* Saved models: rows of dpadapt.models. All functions need SPI. */
#ifndef DPA_POSTGRES_MODEL_H
#define DPA_POSTGRES_MODEL_H

#include "problem.h"

/** Takes the name in the current transaction, so that a fit is not paid in vain. */
void model_reserve(Datum name, const problem_facts *facts);

/** Stores the solution under the reserved name. */
void model_store(Datum name, const dpa_solution *solution);

/** Columns of a saved model, valid until SPI ends. */
typedef struct saved_model {
    Datum target, label, features; /* text, text, text[] */
} saved_model;

/** Loads the solution into the handles; an error when there is no such model. */
saved_model model_load(Datum name, guest_handles *handles);

#endif
