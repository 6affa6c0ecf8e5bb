/* dpa_predict(model, features): the label that a saved model predicts, NULL where it cannot. */
#include "predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool predict_piece(const predictor *own, piece *p, guest_blob bytes, duckdb_vector result) {
    if (bytes.data == NULL) return piece_fail(p, "the model must not be NULL");
    model *by = model_borrow(bytes);
    if (by == NULL) return piece_fail(p, dpa_last_error());
    dpa_matrix x;
    p->numbers = NULL;
    bool done = (own->check == NULL || own->check(p, by)) && piece_read(p, by, &x) &&
                own->write(p, by, x, result);
    free(p->numbers);
    model_return(by);
    return done;
}

/** Reads the level of the first row of the piece, and ends it before a row with another one. */
static bool read_level(piece *p, duckdb_vector levels) {
    const double *level = duckdb_vector_get_data(levels);
    uint64_t *valid = duckdb_vector_get_validity(levels);
    if (!duckdb_validity_row_is_valid(valid, p->first))
        return piece_fail(p, "the level must not be NULL");
    p->level = level[p->first];
    for (idx_t i = 1; i < p->count; ++i)
        if (!duckdb_validity_row_is_valid(valid, p->first + i) || level[p->first + i] != p->level)
            p->count = i;
    return true;
}

void predict_chunk(const predictor *own, duckdb_function_info info, duckdb_data_chunk chunk,
                   duckdb_vector result) {
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    if (rows == 0) return;
    duckdb_vector models = duckdb_data_chunk_get_vector(chunk, 0);
    columns features;
    piece p = {.features = &features};
    bool done = columns_open(&features, duckdb_data_chunk_get_vector(chunk, 1)) ||
                piece_fail(&p, features.message);
    while (done && p.first < rows) {
        guest_blob bytes = guest_blob_at(models, p.first);
        p.count = guest_same_blobs(models, p.first, rows) - p.first;
        done = !own->has_level || read_level(&p, duckdb_data_chunk_get_vector(chunk, 2));
        done = done && predict_piece(own, &p, bytes, result);
        p.first += p.count;
    }
    columns_close(&features);
    char message[GUEST_MESSAGE + 32];
    snprintf(message, sizeof message, "%s: %s", own->name, p.message);
    if (!done) duckdb_scalar_function_set_error(info, message);
}

static void add_parameter(duckdb_scalar_function function, duckdb_type id) {
    duckdb_logical_type type = duckdb_create_logical_type(id);
    duckdb_scalar_function_add_parameter(function, type);
    duckdb_destroy_logical_type(&type);
}

bool predict_register(duckdb_connection connection, const predictor *own,
                      duckdb_scalar_function_t call, duckdb_logical_type type) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(function, own->name);
    add_parameter(function, DUCKDB_TYPE_BLOB);
    add_parameter(function, DUCKDB_TYPE_ANY);
    if (own->has_level) add_parameter(function, DUCKDB_TYPE_DOUBLE);
    duckdb_scalar_function_set_return_type(function, type);
    duckdb_scalar_function_set_function(function, call);
    duckdb_scalar_function_set_special_handling(function); /* a schema says what NULL means */
    bool done = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&type);
    duckdb_destroy_scalar_function(&function);
    return done;
}

static bool write_labels(piece *p, const model *by, dpa_matrix x, duckdb_vector result) {
    double *out = (double *)duckdb_vector_get_data(result) + p->first;
    if (!piece_check(p, dpa_solution_predict(by->solution, DPA_PREDICT_LABELS, x, out, p->count)))
        return false;
    for (idx_t i = 0; i < p->count; ++i)
        if (isnan(out[i])) guest_set_null(result, p->first + i);
    return true;
}

static const predictor kPredict = {"dpa_predict", false, NULL, write_labels};

static void predict(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector result) {
    predict_chunk(&kPredict, info, chunk, result);
}

bool guest_register_predict(duckdb_connection connection) {
    return predict_register(connection, &kPredict, predict,
                            duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE));
}
