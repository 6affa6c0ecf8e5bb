#include <dpadapt/arrow.h>

#include "fault.h"
#include "unit/arrow.h"

/* Source rows as two batches of lists, which are copied, or as one, which is kept. */
typedef struct {
    arrow_list_batch lists[2];
    arrow_batch batches[2];
    arrow_source source;
    float labels[kRows];
    struct ArrowArrayStream stream;
} rows_of_source;

static rows_of_source given;

static struct ArrowArrayStream *give(const fixture *f, size_t parts) {
    const instance *a = &f->data;
    memset(&given, 0, sizeof given);
    for (size_t k = 0; k < parts; ++k) {
        const size_t begin = a->m * k / parts, end = a->m * (k + 1) / parts;
        arrow_make_lists(&given.lists[k], a->xs + begin * kCols, a->ys + begin, end - begin, kCols,
                         0);
        if (parts == 1) { /* labels are copied all the same */
            for (size_t i = 0; i < a->m; ++i) given.labels[i] = (float)a->ys[i];
            arrow_values(&given.lists[k].columns[1], "y", "f", a->m, 0, NULL, given.labels);
        }
        given.batches[k] = given.lists[k].batch;
    }
    given.source = (arrow_source){given.batches, parts, 0, 0, 0};
    given.stream = arrow_stream_of(&given.source);
    return &given.stream;
}

/* Ends a stream that was refused; all else is released by the library. */
static void check_released(dpa_status status) {
    assert_int_equal(arrow_released.streams, status == DPA_OK);
    if (status != DPA_OK) given.stream.release(&given.stream);
    assert_null(given.stream.release);
}

static dpa_status record_shape(outcome *out, dpa_status status, dpa_problem *problem) {
    size_t shape[3];
    check_released(status);
    assert_ok(dpa_problem_shape(problem, &shape[0], &shape[1], &shape[2]));
    if (status == DPA_OK) RECORD(out, shape);
    dpa_problem_destroy(problem);
    assert_int_equal(arrow_released.schemas, given.source.schemas);
    assert_int_equal(arrow_released.arrays, given.source.next);
    return status;
}

typedef dpa_status (*setter)(dpa_problem *problem, struct ArrowArrayStream *rows,
                             const char *const *features, size_t feature_count, const char *label);

static void misuse_set(fixture *f, setter set) {
    const char *const names[] = {"x", "z"};
    CHECK_HANDLES(f, dpa_problem, set(h, give(f, 1), NULL, 0, "y"));
    assert_status(set(f->problem, NULL, NULL, 0, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set(f->problem, give(f, 1), names, 0, "y"), DPA_E_EMPTY);
    assert_status(set(f->problem, give(f, 1), names, 2, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set(f->problem, give(f, 1), NULL, 1, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set(f->problem, give(f, 1), names, 1, "z"), DPA_E_INVALID_ARGUMENT);
    assert_status(set(f->problem, give(f, 1), NULL, 0, NULL), DPA_E_DIMENSION); /* y as well */
    give(f, 1)->get_next = NULL;
    assert_status(set(f->problem, &given.stream, NULL, 0, "y"), DPA_E_FORMAT);
    give(f, 1);
    given.source.fails = 2;
    assert_status(set(f->problem, &given.stream, NULL, 0, "y"), DPA_E_CALLBACK);
    give(f, 2);
    given.batches[1].array.n_children = 1;
    assert_status(set(f->problem, &given.stream, NULL, 0, "y"), DPA_E_FORMAT);
}

static dpa_status use_set(fixture *f, outcome *out, setter set, size_t parts) {
    dpa_problem *problem = NULL;
    dpa_status status;
    assert_ok(dpa_problem_create(&problem));
    give(f, parts);
    INJECT(f, status = set(problem, &given.stream, NULL, 0, "y"));
    return record_shape(out, status, problem);
}

static dpa_status set_source(dpa_problem *problem, struct ArrowArrayStream *rows,
                             const char *const *features, size_t count, const char *label) {
    return dpa_problem_set_arrow(problem, DPA_SOURCE, rows, features, count, label);
}

static dpa_status set_target(dpa_problem *problem, struct ArrowArrayStream *rows,
                             const char *const *features, size_t count, const char *label) {
    return dpa_problem_set_arrow(problem, DPA_TARGET, rows, features, count, label);
}

static void misuse_source(fixture *f) { misuse_set(f, set_source); }
static void misuse_target(fixture *f) { misuse_set(f, set_target); }
static dpa_status use_source(fixture *f, outcome *out) { return use_set(f, out, set_source, 2); }
static dpa_status use_target(fixture *f, outcome *out) { return use_set(f, out, set_target, 1); }

static void misuse_stream(fixture *f) {
    struct ArrowArrayStream stream;
    give(f, 1);
    struct ArrowSchema *schema = &given.batches[0].schema;
    struct ArrowArray *batch = &given.batches[0].array;
    assert_status(dpa_arrow_stream(NULL, batch, &stream), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_arrow_stream(schema, NULL, &stream), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_arrow_stream(schema, batch, NULL), DPA_E_INVALID_ARGUMENT);
    schema->release = NULL;
    assert_status(dpa_arrow_stream(schema, batch, &stream), DPA_E_FORMAT);
    assert_null(stream.release);
    assert_non_null(batch->release);
}

static dpa_status use_stream(fixture *f, outcome *out) {
    struct ArrowArrayStream stream;
    struct ArrowSchema *schema = &given.batches[0].schema;
    dpa_status status;
    give(f, 1);
    INJECT(f, status = dpa_arrow_stream(schema, &given.batches[0].array, &stream));
    assert_true((stream.release == NULL) == (status != DPA_OK));
    assert_true((schema->release == NULL) == (status == DPA_OK));
    if (status) return status;
    stream.release(&stream);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, 1);
    RECORD(out, status);
    return status;
}

static void misuse_predict(fixture *f) {
    double out[kRows];
    const char *const names[] = {"x", "y"};
    give(f, 1);
    const struct ArrowSchema *schema = &given.batches[0].schema;
    struct ArrowArray *batch = &given.batches[0].array;
    CHECK_HANDLES(f, dpa_solution,
                  dpa_solution_predict_arrow(h, schema, batch, names, 1, out, kRows));
    assert_status(dpa_solution_predict_arrow(f->solution, NULL, batch, names, 1, out, kRows),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_arrow(f->solution, schema, NULL, names, 1, out, kRows),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_arrow(f->solution, schema, batch, names, 1, NULL, kRows),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_arrow(f->solution, schema, batch, names, 1, out, kRows - 1),
                  DPA_E_DIMENSION);
    assert_status(dpa_solution_predict_arrow(f->solution, schema, batch, names, 2, out, kRows),
                  DPA_E_DIMENSION);
    assert_status(dpa_solution_predict_arrow(f->solution, schema, batch, NULL, 2, out, kRows),
                  DPA_E_INVALID_ARGUMENT);
    batch->children = NULL;
    assert_status(dpa_solution_predict_arrow(f->solution, schema, batch, names, 1, out, kRows),
                  DPA_E_FORMAT);
    give(f, 1);
    batch->length = 0;
    assert_ok(dpa_solution_predict_arrow(f->solution, schema, batch, names, 1, NULL, 0));
}

static dpa_status use_predict(fixture *f, outcome *out) {
    double labels[kRows] = {7};
    const char *const names[] = {"x"};
    dpa_status status;
    give(f, 1);
    given.batches[0].array.offset = 1;
    given.batches[0].array.length = kRows - 21;
    given.lists[0].columns[0].buffers[0] = given.labels; /* some bits */
    INJECT(f, status = dpa_solution_predict_arrow(f->solution, &given.batches[0].schema,
                                                  &given.batches[0].array, names, 1, labels,
                                                  kRows - 21));
    if (status)
        assert_true(labels[0] == 7);
    else
        RECORD(out, labels);
    return status;
}

static void misuse_table(fixture *f) {
    dpa_table *out = (dpa_table *)f->token;
    assert_status(dpa_table_create_arrow(NULL, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    assert_status(dpa_table_create_arrow(give(f, 1), NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_table_create_arrow(&given.stream, &out), DPA_E_UNSUPPORTED); /* lists */
    give(f, 1)->get_schema = NULL;
    assert_status(dpa_table_create_arrow(&given.stream, &out), DPA_E_FORMAT);
}

/* Numbers, texts, and what a schema makes of them. */
static dpa_status use_table(fixture *f, outcome *out) {
    static const double numbers[] = {1, 2, 3, 4}, labels[] = {1, 3, 2, 5};
    static const int32_t offsets[] = {0, 3, 6, 9, 12};
    static const int8_t codes[] = {0, 1, 1, 0};
    arrow_column columns[4], levels;
    dpa_table *table = NULL;
    dpa_status status;
    give(f, 1);
    arrow_values(&columns[0], "number", "g", 4, 0, NULL, numbers);
    arrow_texts(&columns[1], "text", "u", 4, NULL, offsets, "onetwoonetwo");
    arrow_values(&columns[2], "level", "c", 4, 0, NULL, codes);
    arrow_texts(&levels, NULL, "u", 2, NULL, offsets, "redblu");
    columns[2].schema.dictionary = &levels.schema;
    columns[2].array.dictionary = &levels.array;
    arrow_values(&columns[3], "label", "g", 4, 0, NULL, labels);
    arrow_make_batch(&given.batches[0], columns, 4, 4);
    INJECT(f, status = dpa_table_create_arrow(&given.stream, &table));
    check_released(status);
    assert_true((table == NULL) == (status != DPA_OK));
    if (status) return status;
    dpa_schema *schema = NULL;
    double x[12], y[4];
    assert_ok(dpa_schema_learn(table, "label", NULL, &schema));
    assert_ok(dpa_schema_apply(schema, table, x, LENGTH(x), y, 4));
    RECORD(out, x);
    RECORD(out, y);
    dpa_schema_destroy(schema);
    dpa_table_destroy(table);
    return status;
}

static row rows[] = {{"dpa_arrow_stream", misuse_stream, use_stream},
                     {"dpa_problem_set_arrow", misuse_source, use_source},
                     {"dpa_problem_set_arrow", misuse_target, use_target},
                     {"dpa_solution_predict_arrow", misuse_predict, use_predict},
                     {"dpa_table_create_arrow", misuse_table, use_table},
                     {NULL, NULL, NULL}};

row *const arrow_rows = rows;
