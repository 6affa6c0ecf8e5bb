/* The aggregate dpa_fit(private, columns, label, options): a model of the rows that are private,
 * with the help of those that are not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"

/** In memory of DuckDB: all rows so far, and what was asked for with the first of them. */
typedef struct fit_state {
    kept samples[2]; /* by domain */
    char *request;   /* texts, each with its zero: the label, then names and values of options */
    size_t size;
} fit_state;

/* Texts of a fit; all but the last are fields of the result. */
enum { kModel, kReport, kFindings, kLabels };

/** What a fit makes, to be released by made_destroy. */
typedef struct made {
    dpa_table *tables[2];
    dpa_schema *schema;
    dpa_options *options;
    dpa_ledger *ledger;
    dpa_problem *problem;
    dpa_solution *solution;
    char *texts[kLabels + 1];
} made;

static idx_t state_size(duckdb_function_info info) {
    (void)info;
    return sizeof(fit_state);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state state) {
    (void)info;
    memset(state, 0, sizeof(fit_state));
}

static void state_destroy(duckdb_aggregate_state *states, idx_t count) {
    for (idx_t i = 0; i < count; ++i) {
        fit_state *state = (fit_state *)states[i];
        kept_clear(&state->samples[DPA_SOURCE]);
        kept_clear(&state->samples[DPA_TARGET]);
        free(state->request);
        memset(state, 0, sizeof *state);
    }
}

static bool refuse(duckdb_function_info info, const char *message) {
    char text[GUEST_MESSAGE + 16];
    snprintf(text, sizeof text, "dpa_fit: %s", message);
    duckdb_aggregate_function_set_error(info, text);
    return false;
}

static bool check(duckdb_function_info info, dpa_status status) {
    return status == DPA_OK || refuse(info, dpa_last_error());
}

/** Adds a text to the request. */
static bool ask(duckdb_function_info info, fit_state *state, const void *text, size_t size) {
    char *larger = realloc(state->request, state->size + size + 1);
    if (larger == NULL) return refuse(info, "no memory");
    memcpy(larger + state->size, text, size);
    larger[state->size + size] = '\0';
    state->request = larger;
    state->size += size + 1;
    return true;
}

static bool ask_for(duckdb_function_info info, fit_state *state, const column *field, idx_t row) {
    char digits[32];
    guest_blob value = {(const uint8_t *)digits, 0};
    double number = 0;
    if (field->type == DUCKDB_TYPE_VARCHAR)
        value = guest_blob_at(field->values, row);
    else if (columns_is_number(field->type))
        columns_read(field, row, 1, &number);
    else
        return refuse(info, "options are numbers, texts and booleans, such as {'epsilon': 1}");
    if (value.data == NULL || number != number) return refuse(info, "an option must not be NULL");
    if (field->type == DUCKDB_TYPE_BOOLEAN)
        value.size = (size_t)snprintf(digits, sizeof digits, number == 1 ? "true" : "false");
    else if (value.data == (const uint8_t *)digits)
        value.size = (size_t)snprintf(digits, sizeof digits, "%.17g", number);
    return ask(info, state, field->name, strlen(field->name)) &&
           ask(info, state, value.data, value.size);
}

/** Sets options as they were asked for, but the ledger, which it returns; NULL for none. */
static const char *set_options(const fit_state *state, dpa_options *options, dpa_status *status) {
    const char *ledger = NULL, *end = state->request + state->size;
    for (const char *name = state->request + strlen(state->request) + 1; name < end;) {
        const char *value = name + strlen(name) + 1;
        if (strcmp(name, "ledger") == 0)
            ledger = value;
        else if (*status == DPA_OK)
            *status = dpa_options_parse(options, name, value);
        name = value + strlen(value) + 1;
    }
    return ledger;
}

/** Label and options are the same in all rows; mistakes are told at the first one. */
static bool begin(duckdb_function_info info, fit_state *state, duckdb_data_chunk chunk, idx_t row) {
    if (state->request != NULL) return true;
    const guest_blob label = guest_blob_at(duckdb_data_chunk_get_vector(chunk, 2), row);
    if (label.data == NULL) return refuse(info, "the name of the label must not be NULL");
    columns options;
    bool done = columns_open(&options, duckdb_data_chunk_get_vector(chunk, 3)) ||
                refuse(info, "options must be a struct, such as {'epsilon': 1, 'delta': 1e-6}");
    done = done && ask(info, state, label.data, label.size);
    for (size_t j = 0; done && j < options.count; ++j)
        done = ask_for(info, state, &options.all[j], row);
    columns_close(&options);
    dpa_options *tried = NULL;
    dpa_status status = done ? dpa_options_create(&tried) : DPA_OK;
    if (tried != NULL) (void)set_options(state, tried, &status);
    dpa_options_destroy(tried);
    return done && check(info, status);
}

/** Runs of rows of one state and one sample. */
static bool update_rows(duckdb_function_info info, duckdb_data_chunk chunk, fit_state **states,
                        const columns *from) {
    const idx_t rows = duckdb_data_chunk_get_size(chunk);
    duckdb_vector flags = duckdb_data_chunk_get_vector(chunk, 0);
    const bool *is_private = duckdb_vector_get_data(flags);
    uint64_t *valid = duckdb_vector_get_validity(flags);
    for (idx_t i = 0; i < rows; ++i)
        if (!duckdb_validity_row_is_valid(valid, i))
            return refuse(info, "whether a row is private must not be NULL");
    char message[GUEST_MESSAGE];
    for (idx_t first = 0, end; first < rows; first = end) {
        for (end = first + 1;
             end < rows && states[end] == states[first] && is_private[end] == is_private[first];)
            ++end;
        if (!begin(info, states[first], chunk, first)) return false;
        kept *sample = &states[first]->samples[is_private[first] ? DPA_TARGET : DPA_SOURCE];
        if (!kept_add(sample, from, first, end - first, message)) return refuse(info, message);
    }
    return true;
}

static void update(duckdb_function_info info, duckdb_data_chunk chunk,
                   duckdb_aggregate_state *states) {
    columns from;
    if (duckdb_data_chunk_get_size(chunk) == 0) return;
    if (columns_open(&from, duckdb_data_chunk_get_vector(chunk, 1)))
        (void)update_rows(info, chunk, (fit_state **)states, &from);
    else
        (void)refuse(info, from.message);
    columns_close(&from);
}

/** The source stays as it is: of a window it may be used again. */
static void combine(duckdb_function_info info, duckdb_aggregate_state *from,
                    duckdb_aggregate_state *to, idx_t count) {
    for (idx_t i = 0; i < count; ++i) {
        const fit_state *source = (const fit_state *)from[i];
        fit_state *target = (fit_state *)to[i];
        if (source->request == NULL) continue;
        if (target->request == NULL &&
            !ask(info, target, source->request, source->size - 1)) /* its last zero is added */
            return;
        for (int domain = 0; domain < 2; ++domain)
            if (!kept_append(&target->samples[domain], &source->samples[domain])) {
                (void)refuse(info, "no memory");
                return;
            }
    }
}

/** Features and labels of a sample by the schema of the public one. */
static dpa_status add_sample(made *fit, int32_t domain, size_t rows) {
    size_t features = 0;
    dpa_status status = dpa_schema_feature_count(fit->schema, &features);
    if (status != DPA_OK) return status;
    double *x = malloc((features + 1) * rows * sizeof *x), *y = x + features * rows;
    if (x == NULL) return DPA_E_NO_MEMORY;
    status = dpa_schema_apply(fit->schema, fit->tables[domain], x, features * rows, y, rows);
    if (status == DPA_OK)
        status = dpa_problem_set_sample(fit->problem, domain,
                                        (dpa_matrix){x, rows, features, features, DPA_ROW_MAJOR}, y,
                                        rows);
    free(x);
    return status;
}

/** Asks for a text twice: for its size, and for itself. */
#define WRITE_TEXT(place, call, ...)                                      \
    do {                                                                  \
        size_t size = 0;                                                  \
        (void)call(__VA_ARGS__, NULL, 0, &size);                          \
        if (((place) = malloc(size + 1)) == NULL) return DPA_E_NO_MEMORY; \
        const dpa_status written = call(__VA_ARGS__, place, size, NULL);  \
        if (written != DPA_OK) return written;                            \
    } while (0)

static dpa_status write_texts(made *fit) {
    WRITE_TEXT(fit->texts[kModel], dpa_schema_model, fit->schema, fit->solution, 0);
    WRITE_TEXT(fit->texts[kReport], dpa_solution_privacy_report, fit->solution, DPA_REPORT_TEXT);
    WRITE_TEXT(fit->texts[kLabels], dpa_schema_text, fit->schema, "labels", 0);
    WRITE_TEXT(fit->texts[kFindings], dpa_solution_findings, fit->solution, fit->texts[kLabels]);
    return DPA_OK;
}

/** Learns from the public rows, and pays for the private ones. */
static dpa_status solve(const fit_state *state, made *fit) {
    dpa_status status = dpa_options_create(&fit->options);
    if (status != DPA_OK) return status;
    const char *ledger = set_options(state, fit->options, &status);
    for (int32_t domain = 0; status == DPA_OK && domain < 2; ++domain)
        status = kept_table(&state->samples[domain], &fit->tables[domain]);
    if (status == DPA_OK)
        status =
            dpa_schema_learn(fit->tables[DPA_SOURCE], state->request, fit->options, &fit->schema);
    if (status == DPA_OK) status = dpa_problem_create(&fit->problem);
    for (int32_t domain = 0; status == DPA_OK && domain < 2; ++domain)
        status = add_sample(fit, domain, state->samples[domain].rows);
    if (status == DPA_OK && ledger != NULL) status = dpa_ledger_open(ledger, &fit->ledger);
    if (status == DPA_OK && ledger != NULL)
        status = dpa_problem_use_ledger(fit->problem, fit->ledger);
    if (status == DPA_OK) status = dpa_solve(fit->problem, NULL, fit->options, &fit->solution);
    return status == DPA_OK ? write_texts(fit) : status;
}

static void made_destroy(made *fit) {
    for (int k = 0; k <= kLabels; ++k) free(fit->texts[k]);
    dpa_solution_destroy(fit->solution);
    dpa_problem_destroy(fit->problem);
    dpa_ledger_destroy(fit->ledger);
    dpa_options_destroy(fit->options);
    dpa_schema_destroy(fit->schema);
    dpa_table_destroy(fit->tables[0]);
    dpa_table_destroy(fit->tables[1]);
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states,
                     duckdb_vector result, idx_t count, idx_t offset) {
    for (idx_t i = 0; i < count; ++i) {
        const fit_state *state = (const fit_state *)states[i];
        if (state->request == NULL) { /* no rows */
            guest_set_null(result, offset + i);
            for (idx_t k = 0; k < kLabels; ++k)
                guest_set_null(duckdb_struct_vector_get_child(result, k), offset + i);
            continue;
        }
        made fit = {0};
        const dpa_status status = solve(state, &fit);
        for (idx_t k = 0; status == DPA_OK && k < kLabels; ++k)
            duckdb_vector_assign_string_element(duckdb_struct_vector_get_child(result, k),
                                                offset + i, fit.texts[k]);
        made_destroy(&fit);
        if (!check(info, status)) return;
    }
}

bool guest_register_fit(duckdb_connection connection) {
    const duckdb_type given[] = {DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR,
                                 DUCKDB_TYPE_ANY};
    duckdb_aggregate_function fit = duckdb_create_aggregate_function();
    duckdb_aggregate_function_set_name(fit, "dpa_fit");
    for (size_t k = 0; k < sizeof given / sizeof *given; ++k) {
        duckdb_logical_type type = duckdb_create_logical_type(given[k]);
        duckdb_aggregate_function_add_parameter(fit, type);
        duckdb_destroy_logical_type(&type);
    }
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type parts[] = {blob, text, text};
    const char *names[] = {"model", "report", "findings"};
    duckdb_logical_type all = duckdb_create_struct_type(parts, names, kLabels);
    duckdb_aggregate_function_set_return_type(fit, all);
    duckdb_aggregate_function_set_functions(fit, state_size, state_init, update, combine, finalize);
    duckdb_aggregate_function_set_destructor(fit, state_destroy);
    duckdb_aggregate_function_set_special_handling(fit); /* a row with NULL is a record, too */
    const bool done = duckdb_register_aggregate_function(connection, fit) == DuckDBSuccess;
    duckdb_destroy_logical_type(&all);
    duckdb_destroy_logical_type(&text);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_aggregate_function(&fit);
    return done;
}
