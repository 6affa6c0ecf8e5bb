/* Damaged structures of Arrow's: each has its status, nothing is released that was not taken, and
 * the problem stays as it was. */
#include "unit/arrow.h"

enum { kRows = 10, kCols = 2 };

/* Two features, labels, and lists of two places. */
typedef struct {
    double values[3][kRows], list_values[2 * kRows];
    arrow_column elements, columns[4];
    arrow_batch batch;
} sample;

static sample s;

static void renew(void) {
    uint64_t seed = 1;
    for (size_t k = 0; k < 3 * kRows; ++k) s.values[k / kRows][k % kRows] = normal(&seed);
    static const char *const names[] = {"a", "b", "y"};
    for (size_t j = 0; j < 3; ++j)
        arrow_values(&s.columns[j], names[j], "g", kRows, 0, NULL, s.values[j]);
    arrow_values(&s.elements, "item", "g", 2 * kRows, 0, NULL, s.list_values);
    arrow_lists(&s.columns[3], "l", "+w:2", kRows, 0, NULL, &s.elements);
    arrow_make_batch(&s.batch, s.columns, 4, kRows);
}

static dpa_problem *problem;
static const char *const pair[] = {"a", "b"}, *const lists[] = {"l"};

static arrow_source source;

static dpa_status set_source(const char *const *features, size_t count, const char *label) {
    source = (arrow_source){&s.batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    const dpa_status status =
        dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, features, count, label);
    assert_true((status == DPA_OK) == (stream.release == NULL));
    assert_int_equal(arrow_released.streams, status == DPA_OK);
    return status;
}

/* Features a and b, or the lists. */
static void refused(const char *const *features, dpa_status wanted) {
    size_t rows = 0;
    assert_status(set_source(features, features == pair ? 2 : 1, "y"), wanted);
    assert_int_equal(arrow_released.schemas, s.batch.schema.release != NULL);
    assert_int_equal(arrow_released.arrays, source.next); /* as many as were read */
    assert_ok(dpa_problem_shape(problem, &rows, NULL, NULL));
    assert_int_equal(rows, kRows + 1);
    renew();
}

#define DAMAGE(features, member, value, status) \
    do {                                        \
        s.member = (value);                     \
        refused(features, status);              \
    } while (0)

static void damaged_schemas_are_refused(void **state) {
    (void)state;
    DAMAGE(pair, batch.schema.format, NULL, DPA_E_FORMAT);
    DAMAGE(pair, batch.schema.format, "g", DPA_E_FORMAT);
    DAMAGE(pair, batch.schema.release, NULL, DPA_E_FORMAT);
    DAMAGE(pair, batch.schema.n_children, -1, DPA_E_FORMAT);
    DAMAGE(pair, batch.schema.n_children, INT64_MAX, DPA_E_FORMAT);
    DAMAGE(pair, batch.schema.children, NULL, DPA_E_FORMAT);
    DAMAGE(pair, batch.schemas[3], NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[0].schema.format, NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[0].schema.n_children, 1, DPA_E_FORMAT);
    DAMAGE(pair, columns[0].schema.name, NULL, DPA_E_INVALID_ARGUMENT);
    DAMAGE(pair, columns[0].schema.format, "", DPA_E_UNSUPPORTED);
    DAMAGE(pair, columns[0].schema.format, "gg", DPA_E_UNSUPPORTED);
    DAMAGE(pair, columns[0].schema.format, "tsu:", DPA_E_UNSUPPORTED);
    DAMAGE(pair, columns[0].schema.format, "u", DPA_E_UNSUPPORTED);
    DAMAGE(pair, columns[2].schema.format, "tdD", DPA_E_UNSUPPORTED);
    static const char *const sizes[] = {"+w:", "+w:x", "+w:-2", "+w:2 ", "+w:99999999999"};
    for (size_t k = 0; k < LENGTH(sizes); ++k)
        DAMAGE(lists, columns[3].schema.format, sizes[k], DPA_E_FORMAT);
    DAMAGE(lists, columns[3].schema.format, "+l", DPA_E_UNSUPPORTED);
    DAMAGE(lists, columns[3].schema.format, "+w:2147483647", DPA_E_FORMAT);
    DAMAGE(lists, columns[3].schema.n_children, 0, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].schema.children, NULL, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].child_schema, NULL, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].child_schema, &s.columns[3].schema, DPA_E_UNSUPPORTED);
    DAMAGE(lists, elements.schema.format, NULL, DPA_E_FORMAT);
    DAMAGE(lists, elements.schema.format, "u", DPA_E_UNSUPPORTED);
    DAMAGE(lists, columns[3].schema.format, "+w:0", DPA_E_EMPTY);
    DAMAGE(pair, columns[1].schema.release, NULL, DPA_E_FORMAT);
    DAMAGE(lists, elements.schema.release, NULL, DPA_E_FORMAT);
    DAMAGE(lists, elements.schema.dictionary, &s.columns[0].schema, DPA_E_UNSUPPORTED);
}

/* Codes whose dictionary is lists of such codes: nobody follows that round. */
static void endless_schemas_are_refused(void **state) {
    (void)state;
    s.columns[0].schema.format = "i";
    s.columns[0].schema.dictionary = &s.columns[3].schema;
    s.columns[3].child_schema = &s.columns[0].schema;
    refused(pair, DPA_E_UNSUPPORTED);
}

/* A table asks what rows ask. */
static void damaged_tables_are_refused(void **state) {
    (void)state;
    dpa_table *table = NULL;
    source = (arrow_source){&s.batch, 1, 0, 0, 0};
    s.batch.schema.n_children = s.batch.array.n_children = 0;
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    assert_status(dpa_table_create_arrow(&stream, &table), DPA_E_EMPTY);
    s.batch.array.offset = -1;
    stream = arrow_stream_of(&source);
    assert_status(dpa_table_create_arrow(&stream, &table), DPA_E_FORMAT);
    assert_null(table);
    renew();
}

static void damaged_arrays_are_refused(void **state) {
    (void)state;
    DAMAGE(pair, batch.array.length, -1, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.length, kRows + 1, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.length, INT64_MAX, DPA_E_OVERFLOW);
    DAMAGE(pair, batch.array.offset, 1, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.offset, -1, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.offset, INT64_MAX, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.n_children, 3, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.n_children, -4, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.children, NULL, DPA_E_FORMAT);
    DAMAGE(pair, batch.arrays[3], NULL, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.n_buffers, 0, DPA_E_FORMAT);
    DAMAGE(pair, batch.array.buffers, NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.length, kRows - 1, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.length, -1, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.offset, -1, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.offset, INT64_MAX, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.n_buffers, 1, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.n_buffers, -1, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.buffers, NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].buffers[1], NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[1].array.release, NULL, DPA_E_FORMAT);
    DAMAGE(pair, columns[2].buffers[1], NULL, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].array.offset, 1, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].array.n_children, 0, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].array.children, NULL, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].child_array, NULL, DPA_E_FORMAT);
    DAMAGE(lists, columns[3].array.n_buffers, 2, DPA_E_FORMAT);
    DAMAGE(lists, elements.array.length, 2 * kRows - 1, DPA_E_FORMAT);
    DAMAGE(lists, elements.array.offset, INT64_MAX, DPA_E_FORMAT);
    DAMAGE(lists, elements.buffers[1], NULL, DPA_E_FORMAT);
    s.batch.array.length = 0;
    refused(pair, DPA_E_EMPTY);
    /* What nobody looks at may be anything, and so may the number of nulls. */
    s.columns[3].array.length = -5;
    s.columns[3].schema.format = NULL;
    s.columns[0].array.null_count = 77;
    assert_ok(set_source(pair, 2, "y"));
    renew();
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    const char *const holes[] = {"a", NULL}, *const twice[] = {"a", "y"};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    assert_status(set_source(NULL, 2, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set_source(pair, 0, "y"), DPA_E_EMPTY);
    assert_status(set_source(holes, 2, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set_source(twice, 2, "y"), DPA_E_INVALID_ARGUMENT);
    assert_status(set_source(pair, 2, "z"), DPA_E_INVALID_ARGUMENT);
    assert_status(set_source(pair, 2, "l"), DPA_E_UNSUPPORTED);
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, NULL, NULL, 0, "y"),
                  DPA_E_INVALID_ARGUMENT);
    stream.get_schema = NULL;
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, NULL, 0, "y"), DPA_E_FORMAT);
    stream = arrow_stream_of(&source);
    stream.get_next = NULL;
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, NULL, 0, "y"), DPA_E_FORMAT);
    stream.release = NULL;
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, NULL, 0, "y"), DPA_E_FORMAT);
}

/* 2^31 rows in batches that are never looked at. */
static void too_many_rows_are_refused(void **state) {
    (void)state;
    arrow_batch batches[2] = {s.batch, s.batch};
    source = (arrow_source){batches, 2, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    batches[0].array.length = batches[1].array.length = 1 << 30;
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, NULL, 0, "y"),
                  DPA_E_OVERFLOW);
    assert_int_equal(arrow_released.arrays, 2);
}

static int batches_without_rows;

/* One of no rows, for ever; it owns nothing. */
static int get_empty(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    const arrow_source *from = stream->private_data;
    *out = from->batches[0].array;
    out->length = 0;
    ++batches_without_rows;
    return 0;
}

static void endless_streams_are_refused(void **state) {
    (void)state;
    enum { kMost = 1 << 20 };
    source = (arrow_source){&s.batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    stream.get_next = get_empty;
    assert_status(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, pair, 2, "y"), DPA_E_FORMAT);
    assert_int_equal(batches_without_rows, kMost + 1);
    assert_int_equal(arrow_released.arrays, kMost + 1);
    dpa_table *table = NULL;
    stream = arrow_stream_of(&source);
    stream.get_next = get_empty;
    s.batch.schema.n_children = 3; /* a table has no lists */
    assert_status(dpa_table_create_arrow(&stream, &table), DPA_E_FORMAT);
    renew();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_schemas_are_refused),
        cmocka_unit_test(endless_schemas_are_refused),
        cmocka_unit_test(damaged_arrays_are_refused),
        cmocka_unit_test(damaged_tables_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(too_many_rows_are_refused),
        cmocka_unit_test(endless_streams_are_refused),
    };
    static const double x[kRows + 1][kCols], y[kRows + 1];
    renew();
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){x[0], kRows + 1, kCols, kCols, DPA_ROW_MAJOR}, y,
                                     kRows + 1));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dpa_problem_destroy(problem);
    return failed;
}
