/* The aggregate dpadapt.pass, and what dpadapt.pass_rows has in common with it. */
#include "pass.h"

#include <catalog/pg_type.h>
#include <math.h>
#include <utils/array.h>

enum { kMostRows = 1024, kMostNumbers = 32768 }; /* of a block, for the nearer caches */

pass_state *pass_new(MemoryContext context, const void *request, size_t size) {
    MemoryContext old = MemoryContextSwitchTo(context);
    pass_state *state = palloc0(sizeof *state);
    state->request = palloc(VARHDRSZ + size);
    SET_VARSIZE(state->request, VARHDRSZ + size);
    memcpy(VARDATA(state->request), request, size);
    state->handles = guest_new(context);
    guest_check(dpa_partial_create(request, size, &state->handles->partial));
    MemoryContextSwitchTo(old);
    return state;
}

void pass_make_room(pass_state *state, MemoryContext context, size_t cols) {
    state->cols = cols;
    state->room = Max(1, Min(kMostRows, kMostNumbers / (cols + 1)));
    state->x = MemoryContextAlloc(context, (cols + 1) * state->room * sizeof *state->x);
    state->y = state->x + cols * state->room;
}

void pass_add_block(pass_state *state) {
    size_t rows = state->rows;
    state->rows = 0;
    if (rows > 0 && state->coder != NULL)
        coder_apply(state->coder, state->handles, state->cols, state->x, state->y);
    if (state->coder != NULL) coder_clear(state->coder);
    if (rows > 0)
        guest_check(
            dpa_partial_add(state->handles->partial,
                            (dpa_matrix){state->x, rows, state->cols, state->cols, DPA_ROW_MAJOR},
                            state->y, rows, NULL, 0));
}

static bytea *bytes_of(pass_state *state) {
    bytea *bytes;
    pass_add_block(state);
    GUEST_BYTES(bytes, dpa_partial_serialize, state->handles->partial);
    return bytes;
}

static void merge(pass_state *state, const void *bytes, size_t size) {
    guest_check(dpa_partial_merge(state->handles->partial, bytes, size));
}

MemoryContext pass_context(FunctionCallInfo fcinfo) {
    MemoryContext context;
    if (!AggCheckCallContext(fcinfo, &context)) elog(ERROR, "not called as an aggregate");
    return context;
}

/** Copies the elements, NaN for NULL, which makes a null record. */
static void copy_features(double *x, size_t cols, ArrayType *features) {
    Datum *values;
    bool *nulls;
    int count = ArrayGetNItems(ARR_NDIM(features), ARR_DIMS(features));
    if (ARR_NDIM(features) != 1 || (size_t)count != cols)
        ereport(ERROR, errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
                errmsg("features of all rows must have the same number"));
    if (!ARR_HASNULL(features)) {
        memcpy(x, ARR_DATA_PTR(features), cols * sizeof *x);
        return;
    }
    deconstruct_array(features, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
                      &values, &nulls, &count);
    for (size_t j = 0; j < cols; ++j) x[j] = nulls[j] ? NAN : DatumGetFloat8(values[j]);
}

PG_FUNCTION_INFO_V1(dpadapt_pass_step);
Datum dpadapt_pass_step(PG_FUNCTION_ARGS) {
    MemoryContext context = pass_context(fcinfo);
    pass_state *state = PG_ARGISNULL(0) ? NULL : (pass_state *)PG_GETARG_POINTER(0);
    if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
        ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                errmsg("request and features must not be null, though a feature may be"));
    ArrayType *features = PG_GETARG_ARRAYTYPE_P(2);
    if (state == NULL) {
        bytea *request = PG_GETARG_BYTEA_PP(1);
        state = pass_new(context, VARDATA_ANY(request), VARSIZE_ANY_EXHDR(request));
    }
    if (state->x == NULL)
        pass_make_room(state, context,
                       (size_t)ArrayGetNItems(ARR_NDIM(features), ARR_DIMS(features)));
    copy_features(state->x + state->rows * state->cols, state->cols, features);
    state->y[state->rows] = PG_ARGISNULL(3) ? NAN : PG_GETARG_FLOAT8(3);
    if (++state->rows == state->room) pass_add_block(state);
    PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(dpadapt_pass_combine);
Datum dpadapt_pass_combine(PG_FUNCTION_ARGS) {
    MemoryContext context = pass_context(fcinfo);
    pass_state *state = PG_ARGISNULL(0) ? NULL : (pass_state *)PG_GETARG_POINTER(0);
    if (!PG_ARGISNULL(1)) {
        pass_state *other = (pass_state *)PG_GETARG_POINTER(1);
        bytea *bytes = bytes_of(other);
        if (state == NULL)
            state = pass_new(context, VARDATA(other->request), VARSIZE_ANY_EXHDR(other->request));
        merge(state, VARDATA(bytes), VARSIZE_ANY_EXHDR(bytes));
    }
    if (state == NULL) PG_RETURN_NULL();
    PG_RETURN_POINTER(state);
}

/* Size of the request, request, sum. */
PG_FUNCTION_INFO_V1(dpadapt_pass_serialize);
Datum dpadapt_pass_serialize(PG_FUNCTION_ARGS) {
    (void)pass_context(fcinfo);
    pass_state *state = (pass_state *)PG_GETARG_POINTER(0);
    bytea *sum = bytes_of(state);
    uint32 request = VARSIZE_ANY_EXHDR(state->request);
    size_t size = VARHDRSZ + sizeof request + request + VARSIZE_ANY_EXHDR(sum);
    bytea *out = palloc(size);
    SET_VARSIZE(out, size);
    char *at = VARDATA(out);
    memcpy(at, &request, sizeof request);
    memcpy(at + sizeof request, VARDATA(state->request), request);
    memcpy(at + sizeof request + request, VARDATA(sum), VARSIZE_ANY_EXHDR(sum));
    PG_RETURN_BYTEA_P(out);
}

PG_FUNCTION_INFO_V1(dpadapt_pass_deserialize);
Datum dpadapt_pass_deserialize(PG_FUNCTION_ARGS) {
    (void)pass_context(fcinfo);
    bytea *in = PG_GETARG_BYTEA_PP(0);
    const char *at = VARDATA_ANY(in);
    uint32 request;
    memcpy(&request, at, sizeof request);
    pass_state *state = pass_new(CurrentMemoryContext, at + sizeof request, request);
    size_t before = sizeof request + request;
    merge(state, at + before, VARSIZE_ANY_EXHDR(in) - before);
    PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(dpadapt_pass_final);
Datum dpadapt_pass_final(PG_FUNCTION_ARGS) {
    (void)pass_context(fcinfo);
    PG_RETURN_BYTEA_P(bytes_of((pass_state *)PG_GETARG_POINTER(0)));
}
