/* What is told about a model. */
#ifndef DPA_POSTGRES_REPORT_H
#define DPA_POSTGRES_REPORT_H

#include "guest.h"

/** A jsonb about the solution of the handles: label, features, coefficients and intercept where
 *  scores are linear, for each class if there are several, and the report of its privacy; with a
 *  schema, how it uses each column, and which labels it knows. */
Datum report_of(const guest_handles *handles, Datum label, Datum columns);

#endif
