/* The public sample, read with the caller's own rights. */
#ifndef DPA_POSTGRES_SOURCE_H
#define DPA_POSTGRES_SOURCE_H

#include "guest.h"

/** The setting dpadapt.source_memory, in kB. */
extern int source_memory;

/** Reads the columns of all rows and lends them to the problem, which must not outlive the current
 *  memory context; with more of them than source_memory they are counted, and read anew by each
 *  pass, whose errors go to `errors`. Needs SPI. */
void source_set(dpa_problem *problem, Oid relation, const char *label, int features, char **names,
                guest_errors *errors);

#endif
