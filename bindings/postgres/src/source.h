/* The public sample, read into memory with the caller's own rights. */
#ifndef DPA_POSTGRES_SOURCE_H
#define DPA_POSTGRES_SOURCE_H

#include "guest.h"

/** Reads the columns of all rows and lends them to the problem, which must not outlive the current
 *  memory context. Needs SPI. */
void source_set(dpa_problem *problem, Oid relation, const char *label, int features, char **names);

#endif
