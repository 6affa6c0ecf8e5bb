/* The public sample, read with the caller's own rights. */
#ifndef DPA_POSTGRES_SOURCE_H
#define DPA_POSTGRES_SOURCE_H

#include "columns.h"

/** The setting dpadapt.source_memory, in kB. */
extern int source_memory;

/** Reads the columns of all rows and lends them to the problem of the handles, which must not
 *  outlive the current memory context; with more of them than source_memory they are counted, and
 *  read anew by each pass, whose errors go to `errors`. Columns that need a schema teach one, into
 *  the handles, and must fit into memory. Needs SPI.
 *  @return  The number of features. */
size_t source_set(guest_handles *handles, Oid relation, const row_columns *columns,
                  guest_errors *errors);

/** That of columns which need a schema. */
size_t source_learn(guest_handles *handles, Oid relation, const row_columns *columns,
                    const guest_errors *errors);

#endif
