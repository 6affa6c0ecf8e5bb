/* The aggregate dpa_pass(request, features, label): the exact sum of a request over some rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"

static const char kName[] = "dpa_pass";

/** In memory of DuckDB: a sum and its request, or nothing before the first row. */
typedef struct pass_state {
    dpa_partial *partial;
    uint8_t *request;
    size_t request_size;
} pass_state;

static guest_blob request_of(const pass_state *state) {
    guest_blob request = {state->request, state->request_size};
    return request;
}

static idx_t state_size(duckdb_function_info info) {
    (void)info;
    return sizeof(pass_state);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state state) {
    (void)info;
    memset(state, 0, sizeof(pass_state));
}

static void state_destroy(duckdb_aggregate_state *states, idx_t count) {
    for (idx_t i = 0; i < count; ++i) {
        pass_state *state = (pass_state *)states[i];
        dpa_partial_destroy(state->partial);
        free(state->request);
        memset(state, 0, sizeof *state);
    }
}

/** false, with a message for the statement, unless the status is DPA_OK. */
static bool check(duckdb_function_info info, dpa_status status) {
    if (status != DPA_OK) duckdb_aggregate_function_set_error(info, dpa_last_error());
    return status == DPA_OK;
}

static bool refuse(duckdb_function_info info, const char *message) {
    duckdb_aggregate_function_set_error(info, message);
    return false;
}

static bool begin(duckdb_function_info info, pass_state *state, guest_blob request) {
    if (request.data == NULL) return refuse(info, "dpa_pass: the request must not be NULL");
    if (state->partial != NULL) {
        if (guest_same_blob(request_of(state), request)) return true;
        return refuse(info, "dpa_pass: all rows of a sum must have the same request");
    }
    uint8_t *copy = malloc(request.size + 1);
    if (copy == NULL) return refuse(info, "dpa_pass: no memory");
    memcpy(copy, request.data, request.size);
    if (!check(info, dpa_partial_create(request.data, request.size, &state->partial))) {
        free(copy);
        return false;
    }
    state->request = copy;
    state->request_size = request.size;
    return true;
}

/** Rows that go into the same sum: columns one after another, the labels last. */
static bool add(duckdb_function_info info, pass_state *state, const columns *features,
                const column *label, idx_t first, idx_t count, double *numbers) {
    for (size_t j = 0; j < features->count; ++j)
        columns_read(&features->all[j], first, count, numbers + j * count);
    double *y = numbers + features->count * count;
    columns_read(label, first, count, y);
    return check(
        info, dpa_partial_add(state->partial,
                              (dpa_matrix){numbers, count, features->count, count, DPA_COL_MAJOR},
                              y, count, NULL, 0));
}

static void update_rows(duckdb_function_info info, duckdb_data_chunk chunk, pass_state **states,
                        const columns *features, double *numbers) {
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    duckdb_vector requests = duckdb_data_chunk_get_vector(chunk, 0);
    duckdb_vector labels = duckdb_data_chunk_get_vector(chunk, 2);
    column label = columns_single(labels, NULL);
    for (idx_t first = 0, end; first < rows; first = end) {
        for (end = first + 1; end < rows && states[end] == states[first];) ++end;
        end = guest_same_blobs(requests, first, end);
        if (!begin(info, states[first], guest_blob_at(requests, first)) ||
            !add(info, states[first], features, &label, first, end - first, numbers))
            return;
    }
}

/** Numbers by position, as a request has no names. Names would promise more. */
static bool check_places(columns *features) {
    if (!columns_check_numbers(features)) return false;
    if (!columns_have_names(features)) return true;
    snprintf(features->message, sizeof features->message,
             "dpa_pass: a request has no names of features: write row(a, b, ...), in the order of "
             "the fit");
    return false;
}

static void update(duckdb_function_info info, duckdb_data_chunk chunk,
                   duckdb_aggregate_state *states) {
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    if (rows == 0) return;
    columns features;
    double *numbers = NULL;
    if (!columns_open(&features, duckdb_data_chunk_get_vector(chunk, 1)) ||
        !check_places(&features))
        duckdb_aggregate_function_set_error(info, features.message);
    else if ((numbers = malloc((features.count + 1) * rows * sizeof *numbers)) == NULL)
        duckdb_aggregate_function_set_error(info, "dpa_pass: no memory");
    else
        update_rows(info, chunk, (pass_state **)states, &features, numbers);
    free(numbers);
    columns_close(&features);
}

static dpa_status serialize(const void *partial, uint8_t *out, size_t size, size_t *needed) {
    return dpa_partial_serialize(partial, out, size, needed);
}

/** The source stays as it is: of a window it may be used again. */
static void combine(duckdb_function_info info, duckdb_aggregate_state *from,
                    duckdb_aggregate_state *to, idx_t count) {
    for (idx_t i = 0; i < count; ++i) {
        const pass_state *source = (const pass_state *)from[i];
        pass_state *target = (pass_state *)to[i];
        uint8_t *bytes = NULL;
        size_t size = 0;
        if (source->partial == NULL) continue;
        if (!begin(info, target, request_of(source))) return;
        if (!guest_bytes(serialize, source->partial, &bytes, &size)) {
            duckdb_aggregate_function_set_error(info, dpa_last_error());
            return;
        }
        bool merged = check(info, dpa_partial_merge(target->partial, bytes, size));
        free(bytes);
        if (!merged) return;
    }
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states,
                     duckdb_vector result, idx_t count, idx_t offset) {
    for (idx_t i = 0; i < count; ++i) {
        const pass_state *state = (const pass_state *)states[i];
        uint8_t *bytes = NULL;
        size_t size = 0;
        if (state->partial == NULL) { /* no rows: nothing to merge */
            guest_set_null(result, offset + i);
        } else if (guest_bytes(serialize, state->partial, &bytes, &size)) {
            duckdb_vector_assign_string_element_len(result, offset + i, (const char *)bytes, size);
            free(bytes);
        } else {
            duckdb_aggregate_function_set_error(info, dpa_last_error());
            return;
        }
    }
}

/** With labels of that type; DuckDB makes doubles of other numbers. */
static bool add_overload(duckdb_aggregate_function_set set, duckdb_type of_label) {
    duckdb_aggregate_function pass = duckdb_create_aggregate_function();
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
    duckdb_logical_type label = duckdb_create_logical_type(of_label);
    duckdb_aggregate_function_set_name(pass, kName);
    duckdb_aggregate_function_add_parameter(pass, blob);
    duckdb_aggregate_function_add_parameter(pass, any);
    duckdb_aggregate_function_add_parameter(pass, label);
    duckdb_aggregate_function_set_return_type(pass, blob);
    duckdb_aggregate_function_set_functions(pass, state_size, state_init, update, combine,
                                            finalize);
    duckdb_aggregate_function_set_destructor(pass, state_destroy);
    duckdb_aggregate_function_set_special_handling(pass); /* a row with NULL is a record, too */
    bool done = duckdb_add_aggregate_function_to_set(set, pass) == DuckDBSuccess;
    duckdb_destroy_logical_type(&label);
    duckdb_destroy_logical_type(&any);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_aggregate_function(&pass);
    return done;
}

bool guest_register_pass(duckdb_connection connection) {
    duckdb_aggregate_function_set set = duckdb_create_aggregate_function_set(kName);
    bool done = add_overload(set, DUCKDB_TYPE_DOUBLE) && add_overload(set, DUCKDB_TYPE_BOOLEAN) &&
                add_overload(set, DUCKDB_TYPE_VARCHAR) &&
                duckdb_register_aggregate_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_aggregate_function_set(&set);
    return done;
}
