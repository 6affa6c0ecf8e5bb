/* Rows of schema.h. */
#include <dpadapt/inspect.h>
#include <dpadapt/schema.h>

#include "fault.h"

enum { kRecords = 40, kFeatures = 3 };

static const char *const kLevels[] = {"red", "green", "blue"};
static double ages[kRecords];
static const char *colours[kRecords];
static int32_t codes[kRecords];

static void fill(void) {
    for (size_t k = 0; k < kRecords; ++k) {
        ages[k] = 20 + (double)(k * 7 % 13);
        codes[k] = (int32_t)(k % 3);
        colours[k] = kLevels[k % 3];
    }
}

static dpa_table *new_table(void) {
    dpa_table *table = NULL;
    fill();
    assert_ok(dpa_table_create(kRecords, &table));
    assert_ok(dpa_table_add_numbers(table, "age", ages, kRecords));
    assert_ok(dpa_table_add_texts(table, "colour", colours, kRecords));
    assert_ok(dpa_table_add_numbers(table, "y", ages, kRecords));
    return table;
}

static dpa_schema *new_schema(void) {
    dpa_table *table = new_table();
    dpa_schema *schema = NULL;
    assert_ok(dpa_schema_learn(table, "y", NULL, &schema));
    dpa_table_destroy(table);
    return schema;
}

static dpa_status take_schema(outcome *out, dpa_status status, dpa_schema *schema) {
    assert_true((schema == NULL) == (status != DPA_OK));
    if (!status) {
        uint8_t bytes[4096];
        size_t size = 0;
        assert_ok(dpa_schema_serialize(schema, bytes, sizeof bytes, &size));
        record(out, bytes, size);
    }
    dpa_schema_destroy(schema);
    return status;
}

static void misuse_table_create(fixture *f) {
    dpa_table *out = (dpa_table *)f->token;
    assert_status(dpa_table_create(3, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_create(0, &out), DPA_E_EMPTY);
    assert_null(out);
    assert_status(dpa_table_create((size_t)1 << 31, &out), DPA_E_OVERFLOW);
    assert_status(dpa_table_create(SIZE_MAX, &out), DPA_E_OVERFLOW);
}

/* What a call without results leaves to compare. */
static dpa_status take_done(outcome *out, dpa_status status) {
    if (!status) RECORD(out, status);
    return status;
}

static dpa_status use_table_create(fixture *f, outcome *out) {
    dpa_table *table = NULL;
    dpa_status status;
    INJECT(f, status = dpa_table_create(kRecords, &table));
    assert_true((table == NULL) == (status != DPA_OK));
    dpa_table_destroy(table);
    return take_done(out, status);
}

static void misuse_add_numbers(fixture *f) {
    CHECK_HANDLES(f, dpa_table, dpa_table_add_numbers(h, "z", ages, kRecords));
    dpa_table *table = new_table();
    assert_status(dpa_table_add_numbers(table, NULL, ages, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_numbers(table, "age", ages, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_numbers(table, "z", NULL, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_numbers(table, "z", ages, kRecords - 1), DPA_E_DIMENSION);
    assert_status(dpa_table_add_numbers(table, "z", ages, SIZE_MAX), DPA_E_DIMENSION);
    dpa_table_destroy(table);
}

static void misuse_add_texts(fixture *f) {
    CHECK_HANDLES(f, dpa_table, dpa_table_add_texts(h, "z", colours, kRecords));
    dpa_table *table = new_table();
    assert_status(dpa_table_add_texts(table, NULL, colours, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_texts(table, "age", colours, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_texts(table, "z", NULL, kRecords), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_texts(table, "z", colours, 0), DPA_E_DIMENSION);
    dpa_table_destroy(table);
}

static void misuse_add_levels(fixture *f) {
    static const char *const gap[] = {"red", NULL};
    CHECK_HANDLES(f, dpa_table, dpa_table_add_levels(h, "z", codes, kRecords, kLevels, 3));
    dpa_table *table = new_table();
    assert_status(dpa_table_add_levels(table, NULL, codes, kRecords, kLevels, 3),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_levels(table, "z", NULL, kRecords, kLevels, 3),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_levels(table, "z", codes, kRecords, NULL, 3),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_levels(table, "z", codes, kRecords, gap, 2),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_add_levels(table, "z", codes, kRecords, kLevels, SIZE_MAX),
                  DPA_E_OVERFLOW);
    assert_status(dpa_table_add_levels(table, "z", codes, 1, kLevels, 3), DPA_E_DIMENSION);
    dpa_table_destroy(table);
}

/* A refused column is not there: it can be added again. */
static dpa_status use_add(fixture *f, int kind) {
    dpa_table *table = new_table();
    dpa_status status;
    INJECT(f, status = kind == 0   ? dpa_table_add_numbers(table, "z", ages, kRecords)
                       : kind == 1 ? dpa_table_add_texts(table, "z", colours, kRecords)
                                   : dpa_table_add_levels(table, "z", codes, kRecords, kLevels, 3));
    assert_status(dpa_table_add_numbers(table, "z", ages, kRecords),
                  status ? DPA_OK : DPA_E_INVALID_ARGUMENT);
    dpa_table_destroy(table);
    return status;
}

static dpa_status use_add_numbers(fixture *f, outcome *out) {
    return take_done(out, use_add(f, 0));
}
static dpa_status use_add_texts(fixture *f, outcome *out) { return take_done(out, use_add(f, 1)); }
static dpa_status use_add_levels(fixture *f, outcome *out) { return take_done(out, use_add(f, 2)); }

static void misuse_row_count(fixture *f) {
    size_t count = 0;
    CHECK_HANDLES(f, dpa_table, dpa_table_row_count(h, &count));
    dpa_table *table = new_table();
    assert_status(dpa_table_row_count(table, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_table_destroy(table);
}

static dpa_status use_row_count(fixture *f, outcome *out) {
    dpa_table *table = new_table();
    size_t count = 0;
    dpa_status status;
    INJECT(f, status = dpa_table_row_count(table, &count));
    assert_true(count == (status ? 0 : kRecords));
    dpa_table_destroy(table);
    return take_done(out, status);
}

static void misuse_table_destroy(fixture *f) {
    dpa_table_destroy(NULL);
    dpa_table_destroy((dpa_table *)f->token);
}

static dpa_status use_table_destroy(fixture *f, outcome *out) {
    dpa_table *table = new_table();
    INJECT(f, dpa_table_destroy(table));
    return take_done(out, DPA_OK);
}

static void misuse_learn(fixture *f) {
    dpa_schema *out = (dpa_schema *)f->token;
    dpa_table *table = new_table();
    CHECK_HANDLES(f, dpa_table, dpa_schema_learn(h, "y", NULL, &out));
    assert_null(out);
    assert_status(dpa_schema_learn(table, "y", (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_status(dpa_schema_learn(table, "y", NULL, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_learn(table, NULL, NULL, &out), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_learn(table, "none", NULL, &out), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_learn(table, "colour", NULL, &out), DPA_E_LABEL);
    dpa_table_destroy(table);
}

static dpa_status use_learn(fixture *f, outcome *out) {
    dpa_table *table = new_table();
    dpa_schema *schema = NULL;
    dpa_status status;
    INJECT(f, status = dpa_schema_learn(table, "y", NULL, &schema));
    dpa_table_destroy(table);
    return take_schema(out, status, schema);
}

static void misuse_schema_destroy(fixture *f) {
    dpa_schema_destroy(NULL);
    dpa_schema_destroy((dpa_schema *)f->token);
}

static dpa_status use_schema_destroy(fixture *f, outcome *out) {
    dpa_schema *schema = new_schema();
    INJECT(f, dpa_schema_destroy(schema));
    return take_done(out, DPA_OK);
}

static void misuse_feature_count(fixture *f) {
    size_t count = 0;
    CHECK_HANDLES(f, dpa_schema, dpa_schema_feature_count(h, &count));
    dpa_schema *schema = new_schema();
    assert_status(dpa_schema_feature_count(schema, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_schema_destroy(schema);
}

static dpa_status use_feature_count(fixture *f, outcome *out) {
    dpa_schema *schema = new_schema();
    size_t count = 0;
    dpa_status status;
    INJECT(f, status = dpa_schema_feature_count(schema, &count));
    dpa_schema_destroy(schema);
    if (!status) RECORD(out, count);
    return status;
}

typedef dpa_status (*text_getter)(const dpa_schema *, char *, size_t, size_t *);

static dpa_status first_name(const dpa_schema *s, char *out, size_t size, size_t *needed) {
    return dpa_schema_text(s, "feature", 0, out, size, needed);
}

static dpa_status labels(const dpa_schema *s, char *out, size_t size, size_t *needed) {
    return dpa_schema_text(s, "labels", 0, out, size, needed);
}

static dpa_status description(const dpa_schema *s, char *out, size_t size, size_t *needed) {
    return dpa_schema_text(s, "description", 0, out, size, needed);
}

static dpa_status label_text(const dpa_schema *s, char *out, size_t size, size_t *needed) {
    return dpa_schema_label_text(s, 2.5, out, size, needed);
}

static dpa_status bytes_text(const dpa_schema *s, char *out, size_t size, size_t *needed) {
    return dpa_schema_serialize(s, (uint8_t *)out, size, needed);
}

static void misuse_text(fixture *f, text_getter get) {
    char text[4096] = "x";
    size_t needed = 0;
    CHECK_HANDLES(f, dpa_schema, get(h, text, sizeof text, &needed));
    dpa_schema *schema = new_schema();
    assert_status(get(schema, NULL, 0, &needed), DPA_E_BUFFER);
    assert_status(get(schema, text, needed - 1, NULL), DPA_E_BUFFER);
    assert_string_equal(text, "x");
    assert_status(get(schema, NULL, needed, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_schema_destroy(schema);
}

static dpa_status use_text(fixture *f, outcome *out, text_getter get) {
    char text[4096];
    size_t needed = 0;
    dpa_schema *schema = new_schema();
    dpa_status status;
    INJECT(f, status = get(schema, text, sizeof text, &needed));
    dpa_schema_destroy(schema);
    if (!status) record(out, text, needed);
    return status;
}

static void misuse_texts(fixture *f) {
    char text[64];
    misuse_text(f, first_name);
    misuse_text(f, labels);
    misuse_text(f, description);
    dpa_schema *schema = new_schema();
    assert_status(dpa_schema_text(schema, "feature", kFeatures, text, sizeof text, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_text(schema, NULL, 0, text, sizeof text, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_text(schema, "words", 0, text, sizeof text, NULL), DPA_E_OPTION_NAME);
    dpa_schema_destroy(schema);
}

static dpa_status use_texts(fixture *f, outcome *out) {
    dpa_status status = use_text(f, out, first_name);
    if (!status) status = use_text(f, out, labels);
    if (!status) status = use_text(f, out, description);
    if (status) out->size = 0;
    return status;
}

static void misuse_label_text(fixture *f) { misuse_text(f, label_text); }
static void misuse_serialize(fixture *f) { misuse_text(f, bytes_text); }
static dpa_status use_label_text(fixture *f, outcome *o) { return use_text(f, o, label_text); }
static dpa_status use_serialize(fixture *f, outcome *o) { return use_text(f, o, bytes_text); }

static void misuse_apply(fixture *f) {
    double x[kRecords * kFeatures], y[kRecords];
    dpa_schema *schema = new_schema();
    dpa_table *table = new_table(), *other = NULL;
    CHECK_HANDLES(f, dpa_schema, dpa_schema_apply(h, table, x, LENGTH(x), y, kRecords));
    CHECK_HANDLES(f, dpa_table, dpa_schema_apply(schema, h, x, LENGTH(x), y, kRecords));
    assert_status(dpa_schema_apply(schema, table, NULL, LENGTH(x), y, kRecords),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_apply(schema, table, x, LENGTH(x) - 1, y, kRecords), DPA_E_DIMENSION);
    assert_status(dpa_schema_apply(schema, table, x, LENGTH(x), y, kRecords + 1), DPA_E_DIMENSION);
    assert_status(dpa_schema_apply(schema, table, x, LENGTH(x), NULL, kRecords), DPA_E_DIMENSION);
    assert_ok(dpa_table_create(kRecords, &other));
    assert_ok(dpa_table_add_numbers(other, "age", ages, kRecords));
    assert_status(dpa_schema_apply(schema, other, x, LENGTH(x), NULL, 0), DPA_E_INVALID_ARGUMENT);
    assert_ok(dpa_table_add_texts(other, "colour", colours, kRecords));
    assert_ok(dpa_schema_apply(schema, other, x, LENGTH(x), NULL, 0));
    assert_status(dpa_schema_apply(schema, other, x, LENGTH(x), y, kRecords),
                  DPA_E_INVALID_ARGUMENT);
    dpa_table_destroy(table);
    dpa_table_destroy(other);
    dpa_schema_destroy(schema);
}

static dpa_status use_apply(fixture *f, outcome *out) {
    double x[kRecords * kFeatures], y[kRecords];
    dpa_schema *schema = new_schema();
    dpa_table *table = new_table();
    dpa_status status;
    INJECT(f, status = dpa_schema_apply(schema, table, x, LENGTH(x), y, kRecords));
    dpa_table_destroy(table);
    dpa_schema_destroy(schema);
    if (status) return status;
    RECORD(out, x);
    RECORD(out, y);
    return status;
}

static size_t saved_schema(uint8_t *bytes, size_t most) {
    dpa_schema *schema = new_schema();
    size_t size = 0;
    assert_ok(dpa_schema_serialize(schema, bytes, most, &size));
    dpa_schema_destroy(schema);
    return size;
}

static void misuse_deserialize(fixture *f) {
    uint8_t bytes[4096];
    const size_t size = saved_schema(bytes, sizeof bytes);
    dpa_schema *out = (dpa_schema *)f->token;
    assert_status(dpa_schema_deserialize(bytes, size, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_deserialize(NULL, size, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    for (size_t part = 0; part < size; ++part)
        assert_status(dpa_schema_deserialize(bytes, part, &out), DPA_E_FORMAT);
    assert_status(dpa_schema_deserialize(f->bytes, f->size, &out), DPA_E_FORMAT);
}

static dpa_status use_deserialize(fixture *f, outcome *out) {
    uint8_t bytes[4096];
    const size_t size = saved_schema(bytes, sizeof bytes);
    dpa_schema *schema = NULL;
    dpa_status status;
    INJECT(f, status = dpa_schema_deserialize(bytes, size, &schema));
    return take_schema(out, status, schema);
}

static dpa_solution *fit_of(const dpa_schema *schema) {
    double x[kRecords * kFeatures], y[kRecords];
    size_t count = 0;
    dpa_table *table = new_table();
    assert_ok(dpa_schema_feature_count(schema, &count));
    assert_ok(dpa_schema_apply(schema, table, x, kRecords * count, y, kRecords));
    dpa_table_destroy(table);
    dpa_options *options = NULL;
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "private_domain", "none"));
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){x, kRecords, count, count, DPA_ROW_MAJOR}, y, kRecords));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){x, kRecords, count, count, DPA_ROW_MAJOR}, y, kRecords));
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return solution;
}

static void misuse_model(fixture *f) {
    char text[16384] = "", again[16384];
    size_t needed = 0;
    dpa_schema *schema = new_schema();
    dpa_solution *solution = fit_of(schema);
    CHECK_HANDLES(f, const dpa_schema,
                  dpa_schema_model(h, solution, 0, text, sizeof text, &needed));
    CHECK_HANDLES(f, const dpa_solution,
                  dpa_schema_model(schema, h, 0, text, sizeof text, &needed));
    assert_status(dpa_schema_model(schema, f->solution, 0, text, sizeof text, &needed),
                  DPA_E_DIMENSION);
    assert_status(dpa_schema_model(schema, solution, 0, NULL, 0, &needed), DPA_E_BUFFER);
    assert_status(dpa_schema_model(schema, solution, 0, NULL, needed, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_schema_model(schema, solution, 0, text, needed - 1, NULL), DPA_E_BUFFER);
    assert_int_equal(text[0], 0);
    assert_ok(dpa_schema_model(schema, solution, 0, again, sizeof again, NULL));
    assert_int_equal(strlen(again) + 1, needed);
    dpa_schema_destroy(schema);
    dpa_solution_destroy(solution);
}

static dpa_status use_model(fixture *f, outcome *out) {
    char text[16384] = "";
    dpa_schema *schema = new_schema();
    dpa_solution *solution = fit_of(schema);
    dpa_status status;
    INJECT(f, status = dpa_schema_model(schema, solution, 0, text, sizeof text, NULL));
    dpa_schema_destroy(schema);
    dpa_solution_destroy(solution);
    if (!status) RECORD(out, text);
    return status;
}

static void misuse_hint(fixture *f) {
    CHECK_HANDLES(f, dpa_table, dpa_table_hint(h, "missing", "nk"));
    dpa_table *table = new_table();
    assert_status(dpa_table_hint(table, NULL, "nk"), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_hint(table, "missing", NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_hint(table, "lost", "nk"), DPA_E_INVALID_ARGUMENT);
    dpa_table_destroy(table);
}

static dpa_status use_hint(fixture *f, outcome *out) {
    dpa_table *table = new_table();
    dpa_status status;
    INJECT(f, status = dpa_table_hint(table, "missing", "a word that needs memory of its own"));
    dpa_table_destroy(table);
    return take_done(out, status);
}

static void misuse_set_loss(fixture *f) {
    dpa_schema *schema = new_schema();
    CHECK_HANDLES(f, dpa_schema, dpa_schema_set_loss(h, f->options));
    CHECK_HANDLES(f, dpa_options, dpa_schema_set_loss(schema, h));
    dpa_schema_destroy(schema);
}

static dpa_status use_set_loss(fixture *f, outcome *out) {
    dpa_schema *schema = new_schema();
    dpa_status status;
    INJECT(f, status = dpa_schema_set_loss(schema, f->options));
    dpa_schema_destroy(schema);
    return take_done(out, status);
}

static void misuse_inspect_table(fixture *f) {
    char text[4] = "ab";
    size_t needed = 7;
    dpa_schema *schema = new_schema();
    dpa_table *table = new_table(), *other = NULL;
    CHECK_HANDLES(f, dpa_schema, dpa_inspect_table(h, table, text, sizeof text, &needed));
    CHECK_HANDLES(f, dpa_table, dpa_inspect_table(schema, h, text, sizeof text, &needed));
    assert_ok(dpa_table_create(kRecords, &other));
    assert_status(dpa_inspect_table(schema, other, text, sizeof text, &needed),
                  DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 7);
    assert_status(dpa_inspect_table(schema, table, NULL, 0, &needed), DPA_E_BUFFER);
    assert_string_equal(text, "ab");
    dpa_table_destroy(other);
    dpa_table_destroy(table);
    dpa_schema_destroy(schema);
}

static dpa_status use_inspect_table(fixture *f, outcome *out) {
    char text[1024] = "";
    dpa_schema *schema = new_schema();
    dpa_table *table = new_table();
    dpa_status status;
    INJECT(f, status = dpa_inspect_table(schema, table, text, sizeof text, NULL));
    dpa_table_destroy(table);
    dpa_schema_destroy(schema);
    if (!status) RECORD(out, text);
    return status;
}

static row rows[] = {{"dpa_table_create", misuse_table_create, use_table_create},
                     {"dpa_table_add_numbers", misuse_add_numbers, use_add_numbers},
                     {"dpa_table_add_texts", misuse_add_texts, use_add_texts},
                     {"dpa_table_add_levels", misuse_add_levels, use_add_levels},
                     {"dpa_table_hint", misuse_hint, use_hint},
                     {"dpa_table_row_count", misuse_row_count, use_row_count},
                     {"dpa_table_destroy", misuse_table_destroy, use_table_destroy},
                     {"dpa_schema_learn", misuse_learn, use_learn},
                     {"dpa_schema_destroy", misuse_schema_destroy, use_schema_destroy},
                     {"dpa_schema_feature_count", misuse_feature_count, use_feature_count},
                     {"dpa_schema_text", misuse_texts, use_texts},
                     {"dpa_schema_label_text", misuse_label_text, use_label_text},
                     {"dpa_schema_set_loss", misuse_set_loss, use_set_loss},
                     {"dpa_inspect_table", misuse_inspect_table, use_inspect_table},
                     {"dpa_schema_apply", misuse_apply, use_apply},
                     {"dpa_schema_serialize", misuse_serialize, use_serialize},
                     {"dpa_schema_deserialize", misuse_deserialize, use_deserialize},
                     {"dpa_schema_model", misuse_model, use_model},
                     {NULL, NULL, NULL}};

row *const schema_rows = rows;
