/* Rows by Arrow: every type, offset, chunk and null gives the bits of rows in memory; what was
 * taken is released once, what was refused is left alone. */
#include <errno.h>

#include "unit/arrow.h"
#include "unit/private.h"

enum { kSource = 90, kTarget = 41, kCols = 3, kMostBytes = 65536 };

typedef struct {
    uint8_t bytes[kMostBytes];
    size_t size;
} saved;

static saved fit_and_save(dpa_problem *problem, const dpa_options *options) {
    static saved out;
    dpa_solution *solution = solve(problem, options);
    assert_ok(dpa_solution_serialize(solution, 1, out.bytes, sizeof out.bytes, &out.size));
    dpa_solution_destroy(solution);
    return out;
}

static void assert_same_fit(saved a, saved b) {
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

/* Column j of row-major rows by itself, with the labels behind the features. */
static void split(const double *x, const double *y, size_t rows, size_t cols, double *columns) {
    for (size_t j = 0; j < cols; ++j)
        for (size_t i = 0; i < rows; ++i) columns[j * rows + i] = x[i * cols + j];
    memcpy(columns + cols * rows, y, rows * sizeof *y);
}

static const char *const column_names[] = {"a", "b", "c", "y"};

/* The rows begin <= i < end of split columns: their first half by the offset of each column, the
 * rest by that of the batch. */
static void part_of(arrow_batch *batch, arrow_column columns[kCols + 1], const double *split_rows,
                    size_t rows, size_t begin, size_t end) {
    for (size_t j = 0; j <= kCols; ++j)
        arrow_values(&columns[j], column_names[j], "g", end - begin / 2, begin / 2, NULL,
                     split_rows + j * rows);
    arrow_make_batch(batch, columns, kCols + 1, end - begin);
    batch->array.offset = (int64_t)(begin - begin / 2);
}

/* Sets the target in so many chunks, with an empty one in front. */
static void set_target(dpa_problem *problem, const double *split_rows, size_t chunks) {
    arrow_column columns[8][kCols + 1];
    arrow_batch batches[8];
    assert_true(chunks < 8);
    part_of(&batches[0], columns[0], split_rows, kTarget, 0, 0);
    for (size_t k = 0; k < chunks; ++k)
        part_of(&batches[k + 1], columns[k + 1], split_rows, kTarget, kTarget * k / chunks,
                kTarget * (k + 1) / chunks);
    arrow_source source = {batches, chunks + 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, NULL, 0, "y"));
    assert_null(stream.release);
    assert_int_equal(arrow_released.streams, 1);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, chunks + 1);
}

static void chunks_and_offsets_give_the_bits_of_rows_in_memory(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    double columns[(kCols + 1) * kTarget];
    split(a.xt, a.yt, kTarget, kCols, columns);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("alpha", "0.4", NULL);
    const saved wanted = fit_and_save(problem, options);
    for (size_t chunks = 1; chunks < 8; chunks += 2) {
        set_target(problem, columns, chunks);
        assert_same_fit(fit_and_save(problem, options), wanted);
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* A column of each type of numbers, and what its values are. */
static const double kDoubles[] = {9, 0.5, -1.25, 3, 1e-3};
static const float kFloats[] = {9, 0.5F, -1.25F, 3, 1e-3F};
static const int8_t kInt8[] = {9, -128, 127, 0, 5};
static const uint8_t kUint8[] = {9, 255, 1, 0, 5};
static const int16_t kInt16[] = {9, -32768, 32767, 0, 5};
static const uint16_t kUint16[] = {9, 65535, 1, 0, 5};
static const int32_t kInt32[] = {9, INT32_MIN, INT32_MAX, 0, 5};
static const uint32_t kUint32[] = {9, UINT32_MAX, 1, 0, 5};
static const int64_t kInt64[] = {9, INT64_MIN, (INT64_C(1) << 53) + 1, 0, 5};
static const uint64_t kUint64[] = {9, UINT64_MAX, 1, 0, 5};
static const uint8_t kBits[] = {0x0b}; /* 1 1 0 1 0 */

enum { kTyped = 4, kTypes = 11 };

static void typed_columns(arrow_column columns[kTypes], double wanted[kTyped][kTypes]) {
    const char *const formats[kTypes] = {"g", "f", "c", "C", "s", "S", "i", "I", "l", "L", "b"};
    const void *const values[kTypes] = {kDoubles, kFloats, kInt8,  kUint8,  kInt16, kUint16,
                                        kInt32,   kUint32, kInt64, kUint64, kBits};
    for (size_t j = 0; j < kTypes; ++j)
        arrow_values(&columns[j], formats[j], formats[j], kTyped, 1, NULL, values[j]);
    for (size_t i = 0; i < kTyped; ++i) {
        const double row[kTypes] = {
            kDoubles[i + 1],       (double)kFloats[i + 1], kInt8[i + 1],           kUint8[i + 1],
            kInt16[i + 1],         kUint16[i + 1],         kInt32[i + 1],          kUint32[i + 1],
            (double)kInt64[i + 1], (double)kUint64[i + 1], kBits[0] >> (i + 1) & 1};
        memcpy(wanted[i], row, sizeof row);
    }
}

/* A predictor of so many features. */
static dpa_solution *any_fit(size_t cols) {
    dpa_problem *problem = random_problem(5, 60, 20, cols);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

static void every_type_of_numbers_is_read(void **state) {
    (void)state;
    arrow_column columns[kTypes];
    arrow_batch batch;
    double rows[kTyped][kTypes], wanted[kTyped], got[kTyped];
    dpa_solution *fit = any_fit(kTypes);
    typed_columns(columns, rows);
    arrow_make_batch(&batch, columns, kTypes, kTyped);
    assert_ok(dpa_solution_predict(fit, DPA_PREDICT_LABELS,
                                   (dpa_matrix){rows[0], kTyped, kTypes, kTypes, DPA_ROW_MAJOR},
                                   wanted, kTyped));
    assert_ok(dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, NULL, 0, got, kTyped));
    assert_same_bits(got, wanted, kTyped);
    /* The same after a null in each column in turn, and in the row itself. */
    const uint8_t missing[] = {0x1b}, no_row[] = {0x0d}; /* the second of four, one by an offset */
    for (size_t j = 0; j <= kTypes; ++j) {
        if (j < kTypes) columns[j].buffers[0] = missing;
        if (j == kTypes) batch.buffers[0] = no_row;
        assert_ok(
            dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, NULL, 0, got, kTyped));
        for (size_t i = 0; i < kTyped; ++i) assert_true((i == 1) == isnan(got[i]));
        got[1] = wanted[1];
        assert_same_bits(got, wanted, kTyped);
        if (j < kTypes) columns[j].buffers[0] = NULL;
    }
    dpa_solution_destroy(fit);
}

/* Several columns of one type are read together: each keeps its own offset and its own nulls. */
static void columns_of_one_type_are_read_as_each_alone(void **state) {
    (void)state;
    enum { kAlike = 6 };
    arrow_column types[kTypes], columns[kAlike];
    arrow_batch batch;
    double values[kTyped][kTypes], rows[kTyped][kAlike], wanted[kTyped], got[kTyped];
    dpa_solution *fit = any_fit(kAlike);
    typed_columns(types, values);
    for (size_t j = 0; j < kTypes; ++j) {
        const char *format = types[j].schema.format;
        for (size_t k = 0; k < kAlike; ++k) {
            arrow_values(&columns[k], NULL, format, kTyped, k % 2, NULL, types[j].buffers[1]);
            for (size_t i = 0; i < kTyped; ++i) {
                const double first = format[0] == 'b' ? 1 : 9; /* of the array */
                const size_t place = i + k % 2;
                rows[i][k] = place ? values[place - 1][j] : first;
            }
        }
        arrow_make_batch(&batch, columns, kAlike, kTyped);
        assert_ok(dpa_solution_predict(fit, DPA_PREDICT_LABELS,
                                       (dpa_matrix){rows[0], kTyped, kAlike, kAlike, DPA_ROW_MAJOR},
                                       wanted, kTyped));
        const uint8_t missing[] = {0x1b}; /* the third place of the array */
        for (size_t k = 0; k <= kAlike; ++k) {
            if (k < kAlike) columns[k].buffers[0] = missing;
            assert_ok(
                dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, NULL, 0, got, kTyped));
            for (size_t i = 0; i < kTyped; ++i) {
                assert_true(isnan(got[i]) == (k < kAlike && i + k % 2 == 2));
                if (isnan(got[i])) got[i] = wanted[i];
            }
            assert_same_bits(got, wanted, kTyped);
            if (k < kAlike) columns[k].buffers[0] = NULL;
        }
    }
    dpa_solution_destroy(fit);
}

static void features_are_found_by_their_names(void **state) {
    (void)state;
    arrow_column columns[kTypes];
    arrow_batch batch;
    const char *const names[] = {"f", "S", "g"}, *const odd[] = {"f", "S", "h"};
    double rows[kTyped][kTypes], chosen[kTyped][3], wanted[kTyped], got[kTyped];
    dpa_solution *fit = any_fit(3);
    typed_columns(columns, rows);
    columns[10].schema.format = "tdD"; /* a date that nobody looks at */
    arrow_make_batch(&batch, columns, kTypes, kTyped);
    for (size_t i = 0; i < kTyped; ++i)
        chosen[i][0] = rows[i][1], chosen[i][1] = rows[i][5], chosen[i][2] = rows[i][0];
    assert_ok(dpa_solution_predict(fit, DPA_PREDICT_LABELS,
                                   (dpa_matrix){chosen[0], kTyped, 3, 3, DPA_ROW_MAJOR}, wanted,
                                   kTyped));
    assert_ok(dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, names, 3, got, kTyped));
    assert_same_bits(got, wanted, kTyped);
    assert_error(dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, odd, 3, got, kTyped),
                 DPA_E_INVALID_ARGUMENT, "no column \"h\"");
    columns[2].schema.name = "f";
    assert_error(
        dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, names, 3, got, kTyped),
        DPA_E_INVALID_ARGUMENT, "several columns \"f\"");
    assert_error(dpa_solution_predict_arrow(fit, &batch.schema, &batch.array, NULL, 0, got, kTyped),
                 DPA_E_UNSUPPORTED, "\"b\"", "\"tdD\"");
    dpa_solution_destroy(fit);
}

static void lists_of_doubles_are_kept_without_a_copy(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    arrow_list_batch b;
    const uint8_t valid[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    dpa_options *options = public_options("alpha", "0.4", NULL);
    dpa_problem *problem = instance_problem(&a);
    const saved wanted = fit_and_save(problem, options);
    for (int bitmaps = 0; bitmaps < 2; ++bitmaps) {
        arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
        if (bitmaps) b.columns[0].buffers[0] = b.columns[1].buffers[0] = b.batch.buffers[0] = valid;
        arrow_source source = {&b.batch, 1, 0, 0, 0};
        struct ArrowArrayStream stream = arrow_stream_of(&source);
        assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, NULL, 0, "y"));
        assert_int_equal(arrow_released.streams, 1);
        assert_int_equal(arrow_released.arrays, 0);
        assert_same_fit(fit_and_save(problem, options), wanted);
        a.xt[5] += 1; /* it is the same memory */
        assert_memory_not_equal(fit_and_save(problem, options).bytes, wanted.bytes, wanted.size);
        a.xt[5] -= 1;
        assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                         (dpa_matrix){a.xt, kTarget, kCols, kCols, DPA_ROW_MAJOR},
                                         a.yt, kTarget));
        assert_int_equal(arrow_released.arrays, 1);
    }
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    float labels[kTarget];
    for (size_t i = 0; i < kTarget; ++i) a.yt[i] = labels[i] = (float)a.yt[i];
    arrow_values(&b.columns[1], "y", "f", kTarget, 0, NULL, labels);
    arrow_source source = {&b.batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, NULL, 0, "y"));
    const saved rounded = fit_and_save(problem, options);
    assert_int_equal(arrow_released.arrays, 0);
    dpa_problem_destroy(problem);
    assert_int_equal(arrow_released.arrays, 1);
    problem = instance_problem(&a);
    assert_same_fit(fit_and_save(problem, options), rounded);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

static dpa_problem *asked;

/* A producer that looks at the problem when its memory is given back. */
static void ask_and_release(struct ArrowArray *array) {
    size_t rows = 0;
    assert_ok(dpa_problem_shape(asked, NULL, &rows, NULL));
    assert_int_equal(rows, 1);
    arrow_release_array(array);
}

static void a_release_may_use_the_library(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    arrow_list_batch b;
    asked = instance_problem(&a);
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    b.batch.array.release = ask_and_release;
    arrow_source source = {&b.batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    assert_ok(dpa_problem_set_arrow(asked, DPA_TARGET, &stream, NULL, 0, "y"));
    assert_ok(dpa_problem_set_sample(asked, DPA_TARGET,
                                     (dpa_matrix){a.xt, 1, kCols, kCols, DPA_ROW_MAJOR}, a.yt, 1));
    assert_int_equal(arrow_released.arrays, 1);
    dpa_problem_destroy(asked);
    instance_free(a);
}

static void lists_have_offsets_nulls_and_neighbours(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    arrow_list_batch b;
    double got[kTarget], wanted[kTarget], wide[kTarget][kCols + 1];
    dpa_solution *fit = any_fit(kCols), *wider = any_fit(kCols + 1);
    const char *const names[] = {"x"};
    const uint8_t valid[] = {0xff, 0xfe, 0xff, 0xff, 0xff, 0x01}; /* row 8 */
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 3);
    assert_ok(dpa_solution_predict(
        fit, DPA_PREDICT_LABELS,
        (dpa_matrix){a.xt + 3 * kCols, kTarget - 3, kCols, kCols, DPA_ROW_MAJOR}, wanted,
        kTarget - 3));
    assert_ok(dpa_solution_predict_arrow(fit, &b.batch.schema, &b.batch.array, names, 1, got,
                                         kTarget - 3));
    assert_same_bits(got, wanted, kTarget - 3);
    b.columns[0].buffers[0] = valid;
    assert_ok(dpa_solution_predict_arrow(fit, &b.batch.schema, &b.batch.array, names, 1, got,
                                         kTarget - 3));
    assert_true(isnan(got[8 - 3]));
    got[8 - 3] = wanted[8 - 3];
    assert_same_bits(got, wanted, kTarget - 3);
    for (size_t i = 0; i < kTarget; ++i) {
        memcpy(wide[i], a.xt + i * kCols, kCols * sizeof(double));
        wide[i][kCols] = a.yt[i];
    }
    b.columns[0].buffers[0] = NULL;
    assert_ok(dpa_solution_predict(
        wider, DPA_PREDICT_LABELS,
        (dpa_matrix){wide[3], kTarget - 3, kCols + 1, kCols + 1, DPA_ROW_MAJOR}, wanted,
        kTarget - 3));
    assert_ok(dpa_solution_predict_arrow(wider, &b.batch.schema, &b.batch.array, NULL, 0, got,
                                         kTarget - 3));
    assert_same_bits(got, wanted, kTarget - 3);
    dpa_solution_destroy(fit);
    dpa_solution_destroy(wider);
    instance_free(a);
}

/* Nulls in two features and a label, in a row as a whole, and NaN in their places. */
static void nulls_are_what_nan_is(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    double columns[(kCols + 1) * kTarget];
    arrow_column parts[kCols + 1];
    arrow_batch batch;
    const uint8_t no_7[] = {0x7f, 0xff, 0xff, 0xff, 0xff, 0xff},
                  no_9[] = {0xff, 0xfd, 0xff, 0xff, 0xff, 0xff},
                  no_40[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xfe},
                  no_20[] = {0xff, 0xff, 0xef, 0xff, 0xff, 0xff};
    split(a.xt, a.yt, kTarget, kCols, columns);
    part_of(&batch, parts, columns, kTarget, 0, kTarget);
    parts[0].buffers[0] = no_7;
    parts[2].buffers[0] = no_9;
    parts[kCols].buffers[0] = no_40;
    batch.buffers[0] = no_20;
    arrow_source source = {&batch, 1, 0, 0, 0};
    for (int is_private = 0; is_private < 2; ++is_private) {
        dpa_options *options = is_private ? private_options("unsafe_seed", "3", NULL)
                                          : public_options("alpha", "0.4", NULL);
        dpa_problem *problem = instance_problem(&a);
        struct ArrowArrayStream stream = arrow_stream_of(&source);
        assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, NULL, 0, "y"));
        if (is_private) {
            const saved got = fit_and_save(problem, options);
            dpa_problem_destroy(problem);
            a.xt[7 * kCols] = a.xt[9 * kCols + 2] = a.xt[20 * kCols] = a.yt[40] = NAN;
            problem = instance_problem(&a);
            assert_same_fit(fit_and_save(problem, options), got);
        } else {
            dpa_solution *none = NULL;
            assert_error(dpa_solve(problem, NULL, options, &none), DPA_E_NONFINITE, "row 7",
                         "column 0");
        }
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

static void a_stream_without_labels_is_a_sample_without_labels(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    double columns[(kCols + 1) * kTarget];
    arrow_column parts[kCols + 1];
    arrow_list_batch b;
    arrow_batch batch;
    dpa_options *options = public_options(NULL);
    split(a.xt, a.yt, kTarget, kCols, columns);
    part_of(&batch, parts, columns, kTarget, 0, kTarget);
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    const char *const names[] = {"a", "b", "c"}, *const lists[] = {"x"};
    for (int as_lists = 0; as_lists < 2; ++as_lists) {
        dpa_problem *problem = instance_problem(&a);
        dpa_solution *none = NULL;
        arrow_source source = {as_lists ? &b.batch : &batch, 1, 0, 0, 0};
        struct ArrowArrayStream stream = arrow_stream_of(&source);
        assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, as_lists ? lists : names,
                                        as_lists ? 1 : 3, NULL));
        assert_status(dpa_solve(problem, NULL, options, &none), DPA_E_LABEL);
        dpa_problem_destroy(problem);
    }
    dpa_options_destroy(options);
    instance_free(a);
}

/* Passes: the records as batches of Arrow, a few rows each. */
static int32_t pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    dpa_partial *part = NULL;
    uint8_t bytes[8192];
    size_t size = 0;
    (void)total;
    assert_ok(dpa_partial_create(request, request_len, &part));
    for (size_t k = 0; k < 4; ++k) {
        arrow_column columns[kCols + 1];
        arrow_batch batch;
        part_of(&batch, columns, user, kTarget, kTarget * k / 3, kTarget * (k + (k < 3)) / 3);
        assert_ok(dpa_partial_add_arrow(part, &batch.schema, &batch.array, NULL, 0, "y"));
    }
    assert_ok(dpa_partial_serialize(part, bytes, sizeof bytes, &size));
    dpa_partial_destroy(part);
    return dpa_partial_merge(total, bytes, size) != DPA_OK;
}

static void passes_over_batches_have_the_bits_of_rows_in_memory(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    double columns[(kCols + 1) * kTarget];
    dpa_options *options = private_options("unsafe_seed", "3", NULL);
    dpa_problem *problem = instance_problem(&a);
    const saved wanted = fit_and_save(problem, options);
    dpa_problem_destroy(problem);
    problem = instance_problem(&a);
    split(a.xt, a.yt, kTarget, kCols, columns);
    memset(&arrow_released, 0, sizeof arrow_released);
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, kTarget, kCols, pass, columns));
    assert_same_fit(fit_and_save(problem, options), wanted);
    assert_int_equal(arrow_released.arrays + arrow_released.schemas, 0); /* borrowed */
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

static void a_batch_becomes_a_stream(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    arrow_list_batch b;
    struct ArrowArrayStream stream;
    dpa_problem *problem = instance_problem(&a);
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    memset(&arrow_released, 0, sizeof arrow_released);
    assert_ok(dpa_arrow_stream(&b.batch.schema, &b.batch.array, &stream));
    assert_null(b.batch.schema.release);
    assert_null(b.batch.array.release);
    assert_ok(dpa_problem_set_arrow(problem, DPA_TARGET, &stream, NULL, 0, "y"));
    assert_null(stream.release);
    assert_int_equal(arrow_released.schemas, 0); /* it is kept with the rows */
    dpa_problem_destroy(problem);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, 1);
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    assert_ok(dpa_arrow_stream(&b.batch.schema, &b.batch.array, &stream));
    stream.release(&stream); /* unused */
    assert_int_equal(arrow_released.schemas, 2);
    assert_int_equal(arrow_released.arrays, 2);
    assert_error(dpa_arrow_stream(&b.batch.schema, &b.batch.array, &stream), DPA_E_FORMAT,
                 "the Arrow schema was released");
    assert_null(stream.release);
    arrow_make_lists(&b, a.xt, a.yt, kTarget, kCols, 0);
    b.batch.array.release = NULL;
    assert_error(dpa_arrow_stream(&b.batch.schema, &b.batch.array, &stream), DPA_E_FORMAT,
                 "the Arrow array was released");
    assert_null(stream.release);
    assert_non_null(b.batch.schema.release); /* still the caller's */
    instance_free(a);
}

/* Its parts are given away once: another reader is told so, and gets nothing. */
static void a_stream_of_one_batch_is_read_once(void **state) {
    (void)state;
    const double x[2] = {1, 2}, y[2] = {3, 4};
    arrow_list_batch b;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    arrow_make_lists(&b, x, y, 2, 1, 0);
    memset(&arrow_released, 0, sizeof arrow_released);
    assert_ok(dpa_arrow_stream(&b.batch.schema, &b.batch.array, &stream));
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    schema.release(&schema);
    assert_int_equal(stream.get_schema(&stream, &schema), EINVAL);
    assert_null(schema.release);
    assert_string_equal(stream.get_last_error(&stream), "the schema can be asked for once");
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    batch.release(&batch);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_null(batch.release); /* the end */
    stream.release(&stream);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, 1);
}

/* A refused stream is left to the caller; what it gave so far is released. */
static void a_failing_stream_is_left_alone(void **state) {
    (void)state;
    instance a = instance_random(3, kSource, kTarget, kCols);
    double columns[(kCols + 1) * kTarget];
    arrow_column parts[kCols + 1];
    arrow_batch batch;
    dpa_problem *problem = NULL;
    dpa_table *table = NULL;
    assert_ok(dpa_problem_create(&problem));
    split(a.xt, a.yt, kTarget, kCols, columns);
    part_of(&batch, parts, columns, kTarget, 0, kTarget);
    for (int fails = 1; fails <= 2; ++fails) {
        arrow_source source = {&batch, 1, 0, fails, 0};
        for (int of_table = 0; of_table < 2; ++of_table) {
            struct ArrowArrayStream stream = arrow_stream_of(&source);
            assert_error(of_table
                             ? dpa_table_create_arrow(&stream, &table)
                             : dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, NULL, 0, "y"),
                         DPA_E_CALLBACK, "get_last_error");
            assert_null(strstr(dpa_last_error(), "patient"));
            assert_non_null(stream.release);
            assert_int_equal(arrow_released.streams, 0);
            assert_int_equal(arrow_released.schemas, fails - 1);
            assert_int_equal(arrow_released.arrays, fails - 1);
            stream.release(&stream);
        }
    }
    size_t rows = 7;
    assert_ok(dpa_problem_shape(problem, &rows, NULL, NULL));
    assert_int_equal(rows, 0);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_and_offsets_give_the_bits_of_rows_in_memory),
        cmocka_unit_test(every_type_of_numbers_is_read),
        cmocka_unit_test(columns_of_one_type_are_read_as_each_alone),
        cmocka_unit_test(features_are_found_by_their_names),
        cmocka_unit_test(lists_of_doubles_are_kept_without_a_copy),
        cmocka_unit_test(a_release_may_use_the_library),
        cmocka_unit_test(lists_have_offsets_nulls_and_neighbours),
        cmocka_unit_test(nulls_are_what_nan_is),
        cmocka_unit_test(a_stream_without_labels_is_a_sample_without_labels),
        cmocka_unit_test(passes_over_batches_have_the_bits_of_rows_in_memory),
        cmocka_unit_test(a_batch_becomes_a_stream),
        cmocka_unit_test(a_stream_of_one_batch_is_read_once),
        cmocka_unit_test(a_failing_stream_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
