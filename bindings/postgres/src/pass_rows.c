/* The aggregate dpadapt.pass_rows: rows that a schema makes numbers of, one by one. */
#include "pass.h"

enum { kMostBytes = 1 << 20 }; /* of rows that wait, whose texts may be long */

static pass_state *open_state(MemoryContext context, bytea *request, bytea *schema) {
    size_t features;
    pass_state *state = pass_new(context, VARDATA_ANY(request), VARSIZE_ANY_EXHDR(request));
    guest_check(dpa_schema_deserialize((uint8_t *)VARDATA_ANY(schema), VARSIZE_ANY_EXHDR(schema),
                                       &state->handles->schema));
    guest_check(dpa_schema_feature_count(state->handles->schema, &features));
    pass_make_room(state, context, features);
    state->record = (record_columns){.parent = context, .texts = true};
    return state;
}

static void open_coder(pass_state *state, MemoryContext context) {
    if (state->coder != NULL)
        ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
                errmsg("the rows of a pass must have one type"));
    MemoryContext old = MemoryContextSwitchTo(context);
    state->coder = coder_new(state->record.count, state->record.found, state->record.base);
    MemoryContextSwitchTo(old);
}

PG_FUNCTION_INFO_V1(dpadapt_pass_rows_step);
Datum dpadapt_pass_rows_step(PG_FUNCTION_ARGS) {
    MemoryContext context = pass_context(fcinfo);
    pass_state *state = PG_ARGISNULL(0) ? NULL : (pass_state *)PG_GETARG_POINTER(0);
    if (PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
        ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                errmsg("request, schema and row must not be null, though a value may be"));
    if (state == NULL) state = open_state(context, PG_GETARG_BYTEA_PP(1), PG_GETARG_BYTEA_PP(2));
    if (record_open(&state->record, PG_GETARG_HEAPTUPLEHEADER(3))) open_coder(state, context);

    coder *rows = state->coder;
    coder_add(rows);
    for (int j = 0; j < rows->count; ++j)
        coder_put(rows, j, record_value(&state->record, j), record_is_null(&state->record, j));
    if (++state->rows == state->room || coder_size(rows) > kMostBytes) pass_add_block(state);
    PG_RETURN_POINTER(state);
}
