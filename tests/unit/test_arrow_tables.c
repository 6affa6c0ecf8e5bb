/* Tables by Arrow's C stream interface: texts of each encoding and dictionaries become the features
 * that dpa_table_add_* would give; what is no text is a missing value. */
#include "unit/arrow.h"

enum { kRows = 12, kHalf = 6, kMostFeatures = 8 };

static const double ages[kRows] = {31, 42, 27, 65, 58, 39, 44, 70, 23, 51, 36, 48};
static const char *const colours[kRows] = {"red",  "blue", "red",   NULL,   "blue", "red",
                                           "blue", "red",  "green", "blue", "red",  "green"};
static const char *const wards[kRows] = {"a ward with a long name",
                                         "b",
                                         "a ward with a long name",
                                         "b",
                                         "b",
                                         "a ward with a long name",
                                         "b",
                                         "b",
                                         "a ward with a long name",
                                         "b",
                                         "b",
                                         "a ward with a long name"};
static const char *const levels[] = {"7", "8", "9"};
static const int32_t codes[kRows] = {0, 1, 2, 0, -1, 1, 2, 0, 1, 2, 0, 1};
static const char *const answers[kRows] = {"yes", "no", "yes", "no",  "no", "yes",
                                           "no",  "no", "yes", "yes", "no", "yes"};

static dpa_table *table_of_arrays(void) {
    dpa_table *table = NULL;
    assert_ok(dpa_table_create(kRows, &table));
    assert_ok(dpa_table_add_numbers(table, "age", ages, kRows));
    assert_ok(dpa_table_add_texts(table, "colour", colours, kRows));
    assert_ok(dpa_table_add_texts(table, "ward", wards, kRows));
    assert_ok(dpa_table_add_levels(table, "level", codes, kRows, levels, 3));
    assert_ok(dpa_table_add_texts(table, "answer", answers, kRows));
    return table;
}

/* Texts one after the other, with their offsets of 32 or 64 bits. */
typedef struct {
    char letters[512];
    int32_t offsets[kRows + 1];
    int64_t long_offsets[kRows + 1];
    uint8_t valid[2];
} letters;

static void join(letters *to, const char *const *texts, size_t count) {
    memset(to, 0, sizeof *to);
    for (size_t i = 0; i < count; ++i) {
        const size_t size = texts[i] ? strlen(texts[i]) : 0, at = (size_t)to->offsets[i];
        if (texts[i]) {
            memcpy(to->letters + at, texts[i], size);
            to->valid[i / 8] |= (uint8_t)(1U << i % 8);
        }
        to->offsets[i + 1] = (int32_t)(at + size);
        to->long_offsets[i + 1] = (int64_t)(at + size);
    }
}

/* Views of texts: of long ones the beginning, and where they lie in the second buffer. */
static void make_views(int32_t views[][4], const char *const *texts, size_t count,
                       const letters *of) {
    for (size_t i = 0; i < count; ++i) {
        const size_t size = strlen(texts[i]);
        memset(views[i], 0, sizeof views[i]);
        views[i][0] = (int32_t)size;
        memcpy(&views[i][1], texts[i], size <= 12 ? size : 4);
        if (size > 12) views[i][2] = 1, views[i][3] = of->offsets[i];
    }
}

/* Half of the table: ages, texts, views, a dictionary of its own, long texts. */
typedef struct {
    letters colours, wards, levels, answers;
    int32_t views[kHalf][4];
    int64_t sizes[2];
    int8_t codes[kHalf];
    arrow_column columns[5], dictionary;
    arrow_batch batch;
} half;

static void make_half(half *h, size_t begin) {
    const char *const turned[] = {"9", "8", "7"}; /* the second half has another dictionary */
    join(&h->colours, colours + begin, kHalf);
    join(&h->wards, wards + begin, kHalf);
    join(&h->levels, begin ? turned : levels, 3);
    join(&h->answers, answers + begin, kHalf);
    make_views(h->views, wards + begin, kHalf, &h->wards);
    for (size_t i = 0; i < kHalf; ++i) {
        const int32_t code = codes[begin + i];
        h->codes[i] = (int8_t)(code < 0 ? 5 : begin ? 2 - code : code);
    }
    arrow_values(&h->columns[0], "age", "g", kHalf, begin, NULL, ages);
    arrow_texts(&h->columns[1], "colour", "u", kHalf, h->colours.valid, h->colours.offsets,
                h->colours.letters);
    arrow_values(&h->columns[2], "ward", "vu", kHalf, 0, NULL, h->views);
    h->columns[2].buffers[2] = "unused";
    h->columns[2].buffers[3] = h->wards.letters;
    h->columns[2].buffers[4] = h->sizes;
    h->columns[2].array.n_buffers = 5;
    h->sizes[0] = 6;
    h->sizes[1] = h->wards.offsets[kHalf];
    arrow_values(&h->columns[3], "level", "c", kHalf, 0, NULL, h->codes);
    arrow_texts(&h->dictionary, NULL, "u", 3, NULL, h->levels.offsets, h->levels.letters);
    h->columns[3].schema.dictionary = &h->dictionary.schema;
    h->columns[3].array.dictionary = &h->dictionary.array;
    arrow_texts(&h->columns[4], "answer", "U", kHalf, h->answers.valid, h->answers.long_offsets,
                h->answers.letters);
    arrow_make_batch(&h->batch, h->columns, 5, kHalf);
}

static half halves[2];

static dpa_table *table_of_stream(void) {
    arrow_batch batches[2];
    arrow_source source = {batches, 2, 0, 0, 0};
    struct ArrowArrayStream stream;
    dpa_table *table = NULL;
    for (size_t k = 0; k < 2; ++k) batches[k] = halves[k].batch;
    stream = arrow_stream_of(&source);
    assert_ok(dpa_table_create_arrow(&stream, &table));
    assert_null(stream.release);
    assert_int_equal(arrow_released.streams, 1);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, 2);
    return table;
}

typedef struct {
    double x[kRows * kMostFeatures], y[kRows];
    char words[1024];
} applied;

/* What a schema that is learnt from one table makes of another. */
static applied apply(const dpa_table *public_rows, const dpa_table *rows) {
    applied out;
    dpa_options *options = NULL;
    dpa_schema *schema = NULL;
    size_t features = 0;
    memset(&out, 0, sizeof out);
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "loss", "logistic"));
    assert_ok(dpa_schema_learn(public_rows, "answer", options, &schema));
    assert_ok(dpa_schema_feature_count(schema, &features));
    assert_in_range(features, 4, kMostFeatures);
    assert_ok(dpa_schema_apply(schema, rows, out.x, kRows * features, out.y, kRows));
    assert_ok(dpa_schema_text(schema, "description", 0, out.words, sizeof out.words, NULL));
    dpa_schema_destroy(schema);
    dpa_options_destroy(options);
    return out;
}

static void a_stream_is_the_table_of_its_columns(void **state) {
    (void)state;
    for (size_t k = 0; k < 2; ++k) make_half(&halves[k], k * kHalf);
    dpa_table *arrays = table_of_arrays(), *stream = table_of_stream();
    const applied wanted = apply(arrays, arrays), got = apply(stream, stream);
    assert_string_equal(got.words, wanted.words);
    assert_memory_equal(&got, &wanted, sizeof got);
    dpa_table_destroy(arrays);
    dpa_table_destroy(stream);
}

/* Offsets that shrink or end behind the last, views of no buffer, a null row: missing values. */
static void what_is_no_text_is_missing(void **state) {
    (void)state;
    dpa_table *arrays = table_of_arrays(), *odd;
    for (size_t k = 0; k < 2; ++k) make_half(&halves[k], k * kHalf);
    halves[0].colours.offsets[3] = -1;           /* rows 2 and 3 */
    halves[0].answers.long_offsets[2] = 1 << 30; /* rows 1 and 2 */
    halves[0].views[0][2] = 2;
    halves[0].views[2][3] = 1000;
    halves[0].views[5][0] = -3;
    halves[1].batch.buffers[0] = &(const uint8_t){0x3e}; /* row 6 */
    odd = table_of_stream();
    const applied wanted = apply(arrays, arrays), got = apply(arrays, odd);
    static const int missing_answer[kRows] = {0, 1, 1, 0, 0, 0, 1};
    for (size_t i = 0; i < kRows; ++i) {
        if (missing_answer[i])
            assert_true(isnan(got.y[i]));
        else
            assert_true(got.y[i] == wanted.y[i]);
    }
    assert_memory_not_equal(got.x, wanted.x, sizeof got.x);
    dpa_table_destroy(arrays);
    dpa_table_destroy(odd);
}

/* What cannot be a table. */
static void refused(dpa_status status, const char *word) {
    arrow_source source = {&halves[0].batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    dpa_table *table = (dpa_table *)&source;
    assert_error(dpa_table_create_arrow(&stream, &table), status, word);
    assert_null(table);
    assert_int_equal(arrow_released.streams, 0);
    assert_int_equal(arrow_released.schemas, 1);
    assert_int_equal(arrow_released.arrays, source.next); /* as many as were read */
    make_half(&halves[0], 0);
}

static void other_columns_are_refused(void **state) {
    (void)state;
    make_half(&halves[0], 0);
    halves[0].columns[1].schema.format = "z";
    refused(DPA_E_UNSUPPORTED, "\"colour\"");
    halves[0].columns[1].schema.name = "age";
    refused(DPA_E_INVALID_ARGUMENT, "several");
    halves[0].columns[0].schema.dictionary = &halves[0].dictionary.schema;
    refused(DPA_E_FORMAT, "\"age\"");
    halves[0].columns[3].array.dictionary = NULL;
    refused(DPA_E_FORMAT, "\"level\"");
    halves[0].dictionary.schema.format = "g";
    refused(DPA_E_UNSUPPORTED, "\"level\"");
    halves[0].dictionary.schema.dictionary = &halves[0].dictionary.schema;
    refused(DPA_E_UNSUPPORTED, "\"level\"");
    halves[0].columns[1].array.n_buffers = 2;
    refused(DPA_E_FORMAT, "\"colour\"");
    halves[0].columns[2].array.n_buffers = 2;
    refused(DPA_E_FORMAT, "\"ward\"");
    halves[0].columns[2].buffers[4] = NULL;
    refused(DPA_E_FORMAT, "\"ward\"");
    halves[0].columns[0].schema.format = "+w:1";
    refused(DPA_E_FORMAT, "\"age\"");
    halves[0].batch.array.length = 0;
    refused(DPA_E_EMPTY, "no rows");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_the_table_of_its_columns),
        cmocka_unit_test(what_is_no_text_is_missing),
        cmocka_unit_test(other_columns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
