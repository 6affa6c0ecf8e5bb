/* dpa_predict_interval and dpa_predict_set(model, features, level): between which numbers, or among
 * which classes, the label of a row lies; of models with a calibration. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predict.h"

/** The number of labels; 0 where they are numbers. Two classes of one score are -1 and +1. */
static size_t classes_of(const model *by) {
    size_t outputs = 0;
    double none;
    const dpa_matrix no_rows = {&none, 0, by->features, by->features, DPA_ROW_MAJOR};
    if (dpa_solution_predict(by->solution, DPA_PREDICT_PROBABILITIES, no_rows, &none, 0) != DPA_OK)
        return 0;
    (void)dpa_solution_shape(by->solution, NULL, &outputs, NULL, NULL);
    return outputs > 1 ? outputs : 2;
}

static bool check_numbers(piece *p, const model *by) {
    return classes_of(by) == 0 ||
           piece_fail(p, "the labels of the model are classes: dpa_predict_set gives sets of them");
}

static bool check_classes(piece *p, const model *by) {
    return classes_of(by) > 0 ||
           piece_fail(p,
                      "the labels of the model are numbers: dpa_predict_interval gives intervals");
}

/** Column after column, to be freed; NULL and a message without them. */
static double *intervals(piece *p, const model *by, dpa_matrix x, size_t width) {
    const size_t count = width * p->count;
    double *out = malloc(count * sizeof *out);
    if (out == NULL) {
        (void)piece_fail(p, "no memory");
    } else if (!piece_check(p,
                            dpa_solution_predict_interval(by->solution, p->level, x, out, count))) {
        free(out);
        out = NULL;
    }
    return out;
}

static bool write_ends(piece *p, const model *by, dpa_matrix x, duckdb_vector result) {
    double *ends = intervals(p, by, x, 2);
    for (idx_t end = 0; ends != NULL && end < 2; ++end) {
        duckdb_vector child = duckdb_struct_vector_get_child(result, end);
        double *out = (double *)duckdb_vector_get_data(child) + p->first;
        for (idx_t i = 0; i < p->count; ++i) {
            out[i] = ends[end * p->count + i];
            if (!isnan(out[i])) continue;
            guest_set_null(result, p->first + i);
            guest_set_null(child, p->first + i);
        }
    }
    free(ends);
    return ends != NULL;
}

/** The label of a class as the schema writes it, else as a number; to be freed. */
static char *label_of(const model *by, size_t class, size_t classes) {
    const double label = classes > 2 ? (double)class : class == 0 ? -1 : 1;
    size_t size = 32;
    if (by->schema != NULL) (void)dpa_schema_label_text(by->schema, label, NULL, 0, &size);
    char *text = malloc(size);
    if (text == NULL) return NULL;
    if (by->schema == NULL)
        snprintf(text, size, "%.0f", label);
    else
        (void)dpa_schema_label_text(by->schema, label, text, size, NULL);
    return text;
}

static bool write_lists(piece *p, const double *in_set, char **labels, size_t classes,
                        duckdb_vector result) {
    duckdb_list_entry *lists = duckdb_vector_get_data(result);
    idx_t size = duckdb_list_vector_get_size(result);
    if (duckdb_list_vector_reserve(result, size + p->count * classes) != DuckDBSuccess)
        return piece_fail(p, "no memory");
    duckdb_vector child = duckdb_list_vector_get_child(result);
    for (idx_t i = 0; i < p->count; ++i) {
        duckdb_list_entry *list = &lists[p->first + i];
        *list = (duckdb_list_entry){size, 0};
        if (isnan(in_set[i])) guest_set_null(result, p->first + i);
        for (size_t k = 0; k < classes; ++k)
            if (in_set[k * p->count + i] == 1) /* not of a NaN */
                duckdb_vector_assign_string_element(child, size++, labels[k]);
        list->length = size - list->offset;
    }
    return duckdb_list_vector_set_size(result, size) == DuckDBSuccess || piece_fail(p, "no memory");
}

static bool write_sets(piece *p, const model *by, dpa_matrix x, duckdb_vector result) {
    const size_t classes = classes_of(by);
    double *in_set = intervals(p, by, x, classes);
    if (in_set == NULL) return false;
    char **labels = calloc(classes, sizeof *labels);
    bool done = labels != NULL;
    for (size_t k = 0; done && k < classes; ++k)
        done = (labels[k] = label_of(by, k, classes)) != NULL;
    done = done ? write_lists(p, in_set, labels, classes, result) : piece_fail(p, "no memory");
    for (size_t k = 0; labels != NULL && k < classes; ++k) free(labels[k]);
    free(labels);
    free(in_set);
    return done;
}

static const predictor kInterval = {"dpa_predict_interval", true, check_numbers, write_ends};
static const predictor kSet = {"dpa_predict_set", true, check_classes, write_sets};

static void predict_interval(duckdb_function_info info, duckdb_data_chunk chunk,
                             duckdb_vector result) {
    predict_chunk(&kInterval, info, chunk, result);
}

static void predict_set(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector result) {
    predict_chunk(&kSet, info, chunk, result);
}

bool guest_register_intervals(duckdb_connection connection) {
    duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type both[] = {number, number};
    const char *names[] = {"lower", "upper"};
    duckdb_logical_type ends = duckdb_create_struct_type(both, names, 2);
    duckdb_logical_type labels = duckdb_create_list_type(text);
    duckdb_destroy_logical_type(&text);
    duckdb_destroy_logical_type(&number);
    bool done = predict_register(connection, &kInterval, predict_interval, ends);
    return predict_register(connection, &kSet, predict_set, labels) && done;
}
