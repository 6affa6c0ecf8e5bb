/* Models that protected rows measure, and those rows. */
#ifndef DPA_POSTGRES_CANDIDATES_H
#define DPA_POSTGRES_CANDIDATES_H

#include "model.h"

/** What is measured together. */
typedef struct candidates {
    char **models;
    int count;
    const dpa_solution **solutions;
    guest_handles *first; /* of the first model, whose columns and schema all have */
    saved_model columns;
} candidates;

/** Models of these names; a warning for those that were fitted to the target. Needs SPI. */
candidates candidates_load(Datum models, Oid target);

/** The target by the columns of the models, and a label, which may have another name here; with
 *  the handles of the first model. Nothing is paid. */
target_rows *candidates_target(const candidates *all, Oid relation, Datum label, Datum options);

#endif
