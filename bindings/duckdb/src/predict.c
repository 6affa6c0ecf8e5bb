/* dpa_predict(model, features): the label that a saved model predicts, NULL where it cannot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "model.h"

/** Rows of one chunk with the same model. */
typedef struct piece {
    columns *features;
    idx_t first, count;
    double *numbers; /* room for as many as the model has features, and for the predictions */
    char message[GUEST_MESSAGE];
} piece;

static bool fail(piece *p, const char *message) {
    snprintf(p->message, sizeof p->message, "%s", message);
    return false;
}

static bool check(piece *p, dpa_status status) {
    return status == DPA_OK || fail(p, dpa_last_error());
}

/** By position, as the model has no names: column after column. Names would promise more. */
static bool read_positions(piece *p, const model *by) {
    if (columns_have_names(p->features))
        return fail(p,
                    "the model has no names of features: write row(a, b, ...), in the order of "
                    "the fit");
    if (p->features->count != by->features) {
        snprintf(p->message, sizeof p->message, "the model has %zu features, not %zu", by->features,
                 p->features->count);
        return false;
    }
    for (size_t j = 0; j < by->features; ++j)
        columns_read(&p->features->all[j], p->first, p->count, p->numbers + j * p->count);
    return true;
}

/** Of an ENUM. */
static bool add_levels(piece *p, dpa_table *table, const column *from) {
    duckdb_logical_type type = duckdb_vector_get_column_type(from->values);
    const duckdb_type stored = duckdb_enum_internal_type(type);
    const void *data = duckdb_vector_get_data(from->values);
    uint64_t *valid = duckdb_vector_get_validity(from->values);
    const size_t levels = duckdb_enum_dictionary_size(type);
    char **words = calloc(levels + 1, sizeof *words);
    const char **texts = calloc(p->count, sizeof *texts);
    bool done = words != NULL && texts != NULL;
    for (idx_t i = 0; done && i < p->count; ++i) {
        const idx_t row = p->first + i;
        if (!duckdb_validity_row_is_valid(valid, row)) continue;
        const size_t code = stored == DUCKDB_TYPE_UTINYINT    ? ((const uint8_t *)data)[row]
                            : stored == DUCKDB_TYPE_USMALLINT ? ((const uint16_t *)data)[row]
                                                              : ((const uint32_t *)data)[row];
        if (code >= levels) continue;
        if (words[code] == NULL) words[code] = duckdb_enum_dictionary_value(type, code);
        texts[i] = words[code];
    }
    done = done ? check(p, dpa_table_add_texts(table, from->name, texts, p->count))
                : fail(p, "no memory");
    for (size_t k = 0; words != NULL && k < levels; ++k)
        if (words[k] != NULL) duckdb_free(words[k]);
    free(words);
    free(texts);
    duckdb_destroy_logical_type(&type);
    return done;
}

static bool add_texts(piece *p, dpa_table *table, const column *from) {
    size_t size = 0;
    for (idx_t i = 0; i < p->count; ++i) size += guest_blob_at(from->values, p->first + i).size + 1;
    const char **texts = calloc(p->count, sizeof *texts);
    char *copies = malloc(size), *at = copies;
    bool done = texts != NULL && copies != NULL;
    for (idx_t i = 0; done && i < p->count; ++i) {
        guest_blob text = guest_blob_at(from->values, p->first + i);
        if (text.data == NULL) continue;
        texts[i] = memcpy(at, text.data, text.size);
        at += text.size;
        *at++ = '\0';
    }
    done = done ? check(p, dpa_table_add_texts(table, from->name, texts, p->count))
                : fail(p, "no memory");
    free(copies);
    free(texts);
    return done;
}

/** The message is of a column that the table does not have if its type is none that is read. */
static void explain(piece *p, const column *from) {
    const bool is_text = from->type == DUCKDB_TYPE_VARCHAR || from->type == DUCKDB_TYPE_ENUM;
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%.*s\"", columns_letters(from->name), from->name);
    if (!is_text && !columns_is_number(from->type) && strstr(p->message, quoted) != NULL)
        columns_refuse(from, "feature", p->message, sizeof p->message);
}

/** By the names of a schema, row after row; columns that it does not know are ignored. */
static bool read_names(piece *p, const model *by) {
    dpa_table *table = NULL;
    bool done = check(p, dpa_table_create(p->count, &table));
    for (size_t j = 0; done && j < p->features->count; ++j) {
        const column *from = &p->features->all[j];
        if (from->type == DUCKDB_TYPE_VARCHAR) {
            done = add_texts(p, table, from);
        } else if (from->type == DUCKDB_TYPE_ENUM) {
            done = add_levels(p, table, from);
        } else if (columns_is_number(from->type)) {
            columns_read(from, p->first, p->count, p->numbers);
            done = check(p, dpa_table_add_numbers(table, from->name, p->numbers, p->count));
            if (done && from->type == DUCKDB_TYPE_BOOLEAN)
                done = check(p, dpa_table_hint(table, "boolean", from->name));
        }
    }
    done = done && check(p, dpa_schema_apply(by->schema, table, p->numbers, p->count * by->features,
                                             NULL, 0));
    dpa_table_destroy(table);
    for (size_t j = 0; !done && j < p->features->count; ++j) explain(p, &p->features->all[j]);
    return done;
}

static bool predict_by(piece *p, const model *by, duckdb_vector result) {
    p->numbers = malloc((by->features + 1) * p->count * sizeof *p->numbers);
    if (p->numbers == NULL) return fail(p, "no memory");
    const bool named = by->schema != NULL;
    double *out = (double *)duckdb_vector_get_data(result) + p->first;
    bool done = named ? read_names(p, by) : read_positions(p, by);
    done =
        done && check(p, dpa_solution_predict(by->solution, DPA_PREDICT_LABELS,
                                              (dpa_matrix){p->numbers, p->count, by->features,
                                                           named ? by->features : p->count,
                                                           named ? DPA_ROW_MAJOR : DPA_COL_MAJOR},
                                              out, p->count));
    free(p->numbers);
    for (idx_t i = 0; done && i < p->count; ++i) {
        if (!isnan(out[i])) continue;
        duckdb_vector_ensure_validity_writable(result);
        duckdb_validity_set_row_invalid(duckdb_vector_get_validity(result), p->first + i);
    }
    return done;
}

static bool predict_piece(piece *p, guest_blob bytes, duckdb_vector result) {
    if (bytes.data == NULL) return fail(p, "the model must not be NULL");
    model *by = model_borrow(bytes);
    if (by == NULL) return fail(p, dpa_last_error());
    bool done = (by->schema != NULL || columns_check_numbers(p->features))
                    ? predict_by(p, by, result)
                    : fail(p, p->features->message);
    model_return(by);
    return done;
}

static void predict(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector result) {
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    if (rows == 0) return;
    duckdb_vector models = duckdb_data_chunk_get_vector(chunk, 0);
    columns features;
    piece p = {&features, 0, 0, NULL, ""};
    bool done = columns_open(&features, duckdb_data_chunk_get_vector(chunk, 1)) ||
                fail(&p, features.message);
    while (done && p.first < rows) {
        guest_blob bytes = guest_blob_at(models, p.first);
        idx_t end = guest_same_blobs(models, p.first, rows);
        p.count = end - p.first;
        done = predict_piece(&p, bytes, result);
        p.first = end;
    }
    columns_close(&features);
    char message[GUEST_MESSAGE + 16];
    snprintf(message, sizeof message, "dpa_predict: %s", p.message);
    if (!done) duckdb_scalar_function_set_error(info, message);
}

bool guest_register_predict(duckdb_connection connection) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
    duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_scalar_function_set_name(function, "dpa_predict");
    duckdb_scalar_function_add_parameter(function, blob);
    duckdb_scalar_function_add_parameter(function, any);
    duckdb_scalar_function_set_return_type(function, number);
    duckdb_scalar_function_set_function(function, predict);
    duckdb_scalar_function_set_special_handling(function); /* a schema says what NULL means */
    bool done = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&number);
    duckdb_destroy_logical_type(&any);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_scalar_function(&function);
    return done;
}
