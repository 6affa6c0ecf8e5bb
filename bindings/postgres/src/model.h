/* Saved models: rows of dpadapt.models. All functions need SPI. */
#ifndef DPA_POSTGRES_MODEL_H
#define DPA_POSTGRES_MODEL_H

#include "problem.h"

/** Takes the name in the current transaction, so that a fit is not paid in vain. */
void model_reserve(Datum name, const problem_facts *facts);

/** The same for what becomes of another model, whose columns it gets. */
void model_reserve_copy(Datum name, Datum model);

/** Stores the solution of the handles under the reserved name; with their schema, if they have one,
 *  as a model file. */
void model_store(Datum name, const guest_handles *handles);

/** Columns of a saved model, valid until SPI ends. */
typedef struct saved_model {
    Datum target, label, features; /* text, text, text[] */
} saved_model;

/** Loads the solution, and the schema if there is one, into the handles; an error when there is no
 *  such model. */
saved_model model_load(Datum name, guest_handles *handles);

#endif
