/* A partial sum, to which rows are added in blocks: the state of the aggregates of a pass. */
#ifndef DPA_POSTGRES_PASS_H
#define DPA_POSTGRES_PASS_H

#include "coder.h"
#include "record.h"

typedef struct pass_state {
    guest_handles *handles;
    bytea *request; /* a worker's sum needs it on its way to the leader */
    size_t cols, rows, room;
    double *x, *y;         /* rows that are not added yet */
    coder *coder;          /* or NULL; has these rows as they come */
    record_columns record; /* of the coder */
} pass_state;

/** An empty sum for a request. */
pass_state *pass_new(MemoryContext context, const void *request, size_t size);

/** Room for a block of rows of so many features. */
void pass_make_room(pass_state *state, MemoryContext context, size_t cols);

/** Adds the rows that wait. */
void pass_add_block(pass_state *state);

/** That of the aggregate which calls. */
MemoryContext pass_context(FunctionCallInfo fcinfo);

#endif
