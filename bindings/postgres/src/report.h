/* What is told about a model. */
#ifndef DPA_POSTGRES_REPORT_H
#define DPA_POSTGRES_REPORT_H

#include "guest.h"

/** A jsonb: label, features, coefficients and intercept where scores are linear, for each class if
 *  there are several, and the report of its privacy. */
Datum report_of(const dpa_solution *solution, Datum label, Datum features);

#endif
