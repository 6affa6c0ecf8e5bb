/* schema.h: columns of numbers and texts become features and labels, each record by itself. */
#include <dpadapt/inspect.h>
#include <math.h>
#include <stdio.h>

#include "unit/people.h"

static void assert_same(double found, double expected) { assert_true(found == expected); }

static void assert_feature(const dpa_schema *schema, size_t index, const char *name) {
    char text[64];
    assert_ok(dpa_schema_text(schema, "feature", index, text, sizeof text, NULL));
    assert_string_equal(text, name);
}

static void columns_become_features(void **state) {
    (void)state;
    people p;
    double x[kPublic][4], y[kPublic];
    size_t count = 0;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    assert_ok(dpa_schema_feature_count(schema, &count));
    assert_int_equal(count, 4);
    assert_feature(schema, 0, "age");
    assert_feature(schema, 1, "age=(missing)");
    assert_ok(dpa_schema_apply(schema, p.table, &x[0][0], kPublic * 4, y, kPublic));
    for (size_t k = 0; k < kPublic; ++k) {
        const double expected_age = isnan(p.ages[k]) ? x[9][0] : p.ages[k];
        assert_same(x[k][0], expected_age);
        assert_same(x[k][1], isnan(p.ages[k]) ? 1 : 0);
        assert_same(y[k], strcmp(p.answers[k], "yes") == 0 ? 1 : -1);
        /* levels in their order: blue is the reference, then green and red */
        assert_same(x[k][2], strcmp(p.colours[k], "green") == 0);
        assert_same(x[k][3], strcmp(p.colours[k], "red") == 0);
    }
    char text[64];
    assert_ok(dpa_schema_label_text(schema, 1, text, sizeof text, NULL));
    assert_string_equal(text, "yes");
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* Other levels, texts in numbers, labels that are none: no message, and no other record changes. */
static void one_odd_record_changes_only_its_own(void **state) {
    (void)state;
    people p;
    double clean[4][4], odd[4][4], y[4];
    static const char *const ages[][4] = {{"30", "31", "32", "33"}, {"30", "4\"5", "32", "33"}};
    static const char *const colours[][4] = {{"red", "green", "blue", "red"},
                                             {"red", "\xff\xfe", "blue", "red"}};
    static const char *const answers[][4] = {{"no", "yes", "no", "yes"},
                                             {"no", "maybe", "no", "yes"}};
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    for (size_t k = 0; k < 2; ++k) {
        dpa_table *table = NULL;
        assert_ok(dpa_table_create(4, &table));
        assert_ok(dpa_table_add_texts(table, "answer", answers[k], 4));
        assert_ok(dpa_table_add_texts(table, "colour", colours[k], 4));
        assert_ok(dpa_table_add_texts(table, "unused", colours[k], 4));
        assert_ok(dpa_table_add_texts(table, "age", ages[k], 4));
        assert_ok(dpa_schema_apply(schema, table, k ? &odd[0][0] : &clean[0][0], 16, y, 4));
        dpa_table_destroy(table);
    }
    assert_true(isnan(y[1]));
    assert_same(odd[1][1], 1); /* counts as a missing age */
    assert_same(odd[1][2] + odd[1][3], 0);
    for (size_t k = 0; k < 4; ++k)
        if (k != 1) assert_memory_equal(clean[k], odd[k], sizeof clean[k]);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

static void levels_are_the_texts_that_they_stand_for(void **state) {
    (void)state;
    people p;
    double by_text[kPublic * 4], by_code[kPublic * 4];
    dpa_table *coded = NULL;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    assert_ok(dpa_table_create(kPublic, &coded));
    assert_ok(dpa_table_add_numbers(coded, "age", p.ages, kPublic));
    assert_ok(dpa_table_add_levels(coded, "colour", p.codes, kPublic, kColours, 3));
    assert_ok(dpa_schema_apply(schema, p.table, by_text, LENGTH(by_text), NULL, 0));
    assert_ok(dpa_schema_apply(schema, coded, by_code, LENGTH(by_code), NULL, 0));
    assert_memory_equal(by_text, by_code, sizeof by_text);
    dpa_schema_destroy(schema);
    dpa_table_destroy(coded);
    dpa_table_destroy(p.table);
}

/* Levels that look like numbers are still levels; texts of numbers are numbers. */
static void numbers_as_levels(void **state) {
    (void)state;
    people p;
    static const char *const zones[] = {"1", "2", "10"};
    const char *numbers[kPublic];
    size_t count = 0;
    make(&p);
    for (size_t k = 0; k < kPublic; ++k) numbers[k] = zones[p.codes[k]];
    assert_ok(dpa_table_add_levels(p.table, "zone", p.codes, kPublic, zones, 3));
    assert_ok(dpa_table_add_texts(p.table, "number", numbers, kPublic));
    dpa_schema *schema = learn(p.table, "number", "squared");
    assert_ok(dpa_schema_feature_count(schema, &count));
    char text[512];
    assert_ok(dpa_schema_text(schema, "description", 0, text, sizeof text, NULL));
    assert_non_null(strstr(text, "zone: category"));
    assert_int_equal(count, 2 + 2 + 1 + 2);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

static void records_without_a_label_are_left_out(void **state) {
    (void)state;
    people p;
    const char *without[kPublic];
    double other[kPublic];
    dpa_schema *schema = NULL;
    make(&p);
    for (size_t k = 0; k < kPublic; ++k) {
        without[k] = NULL;
        other[k] = k == 3 ? NAN : p.ages[k];
    }
    assert_ok(dpa_table_add_texts(p.table, "nothing", without, kPublic));
    assert_status(dpa_schema_learn(p.table, "nothing", NULL, &schema), DPA_E_EMPTY);
    assert_ok(dpa_table_add_numbers(p.table, "other", other, kPublic));
    const char *texts[kPublic];
    for (size_t k = 0; k < kPublic; ++k) texts[k] = k == 3 || k == 5 ? "no number" : "1.5";
    assert_ok(dpa_table_add_texts(p.table, "mixed", texts, kPublic));
    assert_status(dpa_schema_learn(p.table, "other", NULL, &schema), DPA_E_NONFINITE);
    assert_non_null(strstr(dpa_last_error(), "row 5, column \"mixed\""));
    dpa_table_destroy(p.table);
}

/* A text in memory of its own that ends up in the caller's. */
static void describe(const dpa_schema *schema, char *text, size_t size) {
    size_t needed = 0;
    assert_status(dpa_schema_text(schema, "description", 0, NULL, 0, &needed), DPA_E_BUFFER);
    assert_true(needed <= size);
    assert_ok(dpa_schema_text(schema, "description", 0, text, size, NULL));
}

static void hints_are_followed(void **state) {
    (void)state;
    people p;
    const char *marks[kPublic];
    char text[1024];
    make(&p);
    for (size_t k = 0; k < kPublic; ++k) marks[k] = k % 4 == 3 ? "nk" : k % 2 ? "1.5" : "2";
    assert_ok(dpa_table_add_texts(p.table, "mark", marks, kPublic));
    assert_ok(dpa_table_add_levels(p.table, "zone", p.codes, kPublic, kColours, 3));
    assert_ok(dpa_table_hint(p.table, "missing", "nk"));
    assert_ok(dpa_table_hint(p.table, "positive", "no"));
    assert_ok(dpa_table_hint(p.table, "ignore", "colour"));
    assert_ok(dpa_table_hint(p.table, "ignore", "zone"));
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    describe(schema, text, sizeof text);
    assert_string_equal(text,
                        "age: number, 35 where it is missing; (missing) has a coefficient\n"
                        "mark: number, 2 where it is missing; (missing) has a coefficient\n"
                        "(label): yes is -1, no is +1; coefficients and probabilities are of no\n"
                        "(texts): a level or label is what the public rows write; else the only "
                        "one that differs from it in capitals (A to Z) alone; else, of no and yes, "
                        "one of their usual words; else unknown\n");
    dpa_schema_destroy(schema);
    assert_ok(dpa_table_hint(p.table, "category", "mark"));
    schema = learn(p.table, "answer", "logistic");
    assert_feature(schema, 2, "mark=1.5");
    dpa_schema_destroy(schema);
    assert_status(dpa_table_hint(p.table, "drop", "age"), DPA_E_INVALID_ARGUMENT);
    assert_ok(dpa_table_hint(p.table, "ignore", "aeg"));
    assert_status(dpa_schema_learn(p.table, "answer", NULL, &schema), DPA_E_INVALID_ARGUMENT);
    assert_non_null(strstr(dpa_last_error(), "\"aeg\""));
    dpa_table_destroy(p.table);
}

static void what_does_not_fit_is_counted(void **state) {
    (void)state;
    people p;
    const char *ages[kPublic], *colours[kPublic], *answers[kPublic];
    char text[1024] = "x";
    dpa_table *other = NULL;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    assert_ok(dpa_inspect_table(schema, p.table, text, sizeof text, NULL));
    assert_string_equal(text, "");
    for (size_t k = 0; k < kPublic; ++k) {
        ages[k] = k == 3 ? "old" : k == 4 ? NULL : "30";
        colours[k] = k < 2 ? "pink" : "red";
        answers[k] = k == 0 ? "2" : k == 1 ? "" : "1";
    }
    assert_ok(dpa_table_create(kPublic, &other));
    assert_ok(dpa_table_add_texts(other, "age", ages, kPublic));
    assert_ok(dpa_table_add_texts(other, "colour", colours, kPublic));
    assert_ok(dpa_inspect_table(schema, other, text, sizeof text, NULL));
    assert_string_equal(text,
                        "age: 1 of 60 rows has a value that is no number: \"old\"\n"
                        "colour: 2 of 60 rows have a level that the schema does not know: "
                        "\"pink\"\n");
    assert_ok(dpa_table_add_texts(other, "answer", answers, kPublic));
    assert_ok(dpa_inspect_table(schema, other, text, sizeof text, NULL));
    assert_non_null(strstr(text, "\n(label) answer: 1 of 60 rows has no label\n"));
    assert_non_null(
        strstr(text, "\n(label) answer: 1 of 60 rows has a label that is not no or yes (also"));
    dpa_table_destroy(other);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

static void loss_is_set_by(const dpa_schema *schema, const char *given, const char *expected) {
    char text[32];
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "loss", given));
    assert_ok(dpa_schema_set_loss(schema, options));
    assert_ok(dpa_options_get(options, "loss", text, sizeof text, NULL));
    assert_string_equal(text, expected);
    if (!strcmp(expected, "softmax")) {
        assert_ok(dpa_options_get(options, "classes", text, sizeof text, NULL));
        assert_string_equal(text, "3");
    }
    dpa_options_destroy(options);
}

static void labels_set_the_loss(void **state) {
    (void)state;
    people p;
    make(&p);
    dpa_schema *two = learn(p.table, "answer", "logistic");
    dpa_schema *several = learn(p.table, "colour", "softmax");
    dpa_schema *numbers = learn(p.table, "age", "squared");
    loss_is_set_by(two, "squared", "logistic");
    loss_is_set_by(two, "perceptron", "perceptron");
    loss_is_set_by(several, "huber", "softmax");
    loss_is_set_by(numbers, "huber", "huber");
    dpa_schema_destroy(numbers);
    dpa_schema_destroy(several);
    dpa_schema_destroy(two);
    dpa_table_destroy(p.table);
}

static void expect_option(const dpa_options *options, const char *name, const char *expected) {
    char text[32];
    assert_ok(dpa_options_get(options, name, text, sizeof text, NULL));
    assert_string_equal(text, expected);
}

/* Also read back, and where the call says nothing; what it says, be it the default, is kept. */
static void a_schema_gives_the_loss_that_it_was_learnt_for(void **state) {
    (void)state;
    people p;
    uint8_t bytes[4096];
    size_t size = 0;
    dpa_options *asked = NULL, *open = NULL, *own = NULL;
    dpa_schema *schema = NULL, *again = NULL;
    make(&p);
    assert_ok(dpa_options_create(&asked));
    assert_ok(dpa_options_parse(asked, "loss", "pinball"));
    assert_ok(dpa_options_parse(asked, "quantile_level", "0.9"));
    assert_ok(dpa_options_parse(asked, "alpha", "0.25"));
    assert_ok(dpa_schema_learn(p.table, "age", asked, &schema));
    assert_ok(dpa_schema_serialize(schema, bytes, sizeof bytes, &size));
    assert_ok(dpa_schema_deserialize(bytes, size, &again));
    for (int k = 0; k < 2; ++k) {
        assert_ok(dpa_options_create(&open));
        assert_ok(dpa_schema_set_loss(k == 0 ? schema : again, open));
        expect_option(open, "loss", "pinball");
        expect_option(open, "quantile_level", "0.9");
        expect_option(open, "alpha", "auto");
        dpa_options_destroy(open);
    }
    assert_ok(dpa_options_create(&own));
    assert_ok(dpa_options_parse(own, "quantile_level", "0.5"));
    assert_ok(dpa_schema_set_loss(schema, own));
    expect_option(own, "loss", "pinball");
    expect_option(own, "quantile_level", "0.5");
    assert_ok(dpa_options_parse(own, "loss", "squared"));
    assert_ok(dpa_schema_set_loss(schema, own));
    expect_option(own, "loss", "squared");
    dpa_options_destroy(own);
    dpa_options_destroy(asked);
    dpa_schema_destroy(again);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* A loss of one class would be none, and options that were refused stay as they were. */
static void one_class_sets_no_loss(void **state) {
    (void)state;
    people p;
    const char *words[kPublic];
    char text[32];
    dpa_options *options = NULL;
    make(&p);
    for (size_t k = 0; k < kPublic; ++k) words[k] = "alone";
    assert_ok(dpa_table_add_texts(p.table, "word", words, kPublic));
    dpa_schema *schema = learn(p.table, "word", "softmax");
    assert_ok(dpa_options_create(&options));
    assert_error(dpa_schema_set_loss(schema, options), DPA_E_OPTION, "classes", "but is 1");
    assert_ok(dpa_options_get(options, "loss", text, sizeof text, NULL));
    assert_string_equal(text, "squared");
    dpa_options_destroy(options);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* Public rows that teach nothing are counted. */
static void left_out_rows_are_told(void **state) {
    (void)state;
    people p;
    char text[1024];
    make(&p);
    dpa_schema *schema = learn(p.table, "age", "squared");
    describe(schema, text, sizeof text);
    assert_non_null(strstr(text, "\n12 public rows have no label and were left out.\n"));
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* Arrays are as long as the table, which has each column once and no more than 2^31 - 1 rows. */
static void sizes_of_tables_are_checked(void **state) {
    (void)state;
    people p;
    double x[kPublic * 4], y[kPublic];
    dpa_table *large = NULL;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic");
    assert_error(dpa_schema_apply(schema, p.table, x, kPublic * 4 - 1, y, kPublic), DPA_E_DIMENSION,
                 "x_len must be 240, but is 239");
    assert_error(dpa_schema_apply(schema, p.table, x, kPublic * 4, y, 1), DPA_E_DIMENSION,
                 "y_len must be 60, but is 1");
    assert_error(dpa_table_add_numbers(p.table, "more", y, kPublic - 1), DPA_E_DIMENSION,
                 "rows must be 60, but is 59");
    assert_error(dpa_table_add_numbers(p.table, "age", y, kPublic), DPA_E_INVALID_ARGUMENT,
                 "the table has a column \"age\"");
    assert_error(
        dpa_table_add_levels(p.table, "more", p.codes, kPublic, kColours, (size_t)INT32_MAX + 1),
        DPA_E_OVERFLOW, "level_count must be below 2^31");
    assert_error(dpa_table_create((size_t)INT32_MAX + 1, &large), DPA_E_OVERFLOW,
                 "rows must be below 2^31");
    assert_null(large);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* The label is no feature that could be left out, or be a category. */
static void hints_are_about_features(void **state) {
    (void)state;
    static const char *const hints[] = {"ignore", "category", "text"};
    for (size_t k = 0; k < LENGTH(hints); ++k) {
        people p;
        dpa_schema *schema = NULL;
        make(&p);
        assert_ok(dpa_table_hint(p.table, hints[k], "answer"));
        assert_error(dpa_schema_learn(p.table, "answer", NULL, &schema), DPA_E_INVALID_ARGUMENT,
                     "column \"answer\" is the label");
        assert_null(schema);
        dpa_table_destroy(p.table);
    }
}

static void public_mistakes_are_named(void **state) {
    (void)state;
    people p;
    dpa_schema *schema = NULL;
    make(&p);
    assert_status(dpa_schema_learn(p.table, "colour", NULL, &schema), DPA_E_LABEL);
    assert_non_null(strstr(dpa_last_error(), "row 0, column \"colour\": \"red\" is no number"));
    const char *mixed[kPublic];
    for (size_t k = 0; k < kPublic; ++k) mixed[k] = k == 17 ? "x17" : k % 2 ? "1.5" : "2";
    assert_ok(dpa_table_add_texts(p.table, "mixed", mixed, kPublic));
    assert_status(dpa_schema_learn(p.table, "age", NULL, &schema), DPA_E_NONFINITE);
    assert_non_null(strstr(dpa_last_error(), "row 17, column \"mixed\": \"x17\" is no number"));
    dpa_table_destroy(p.table);
}

/* What a model file could not hold is refused before anything is paid for a fit; private texts may
 * be anything. */
static void public_texts_are_utf8(void **state) {
    (void)state;
    static const char *const latin[] = {"M\xfcnchen", "Bonn", "K\xf6ln"};
    people p;
    int32_t codes[kPublic];
    dpa_schema *schema = NULL;
    make(&p);
    for (size_t k = 0; k < kPublic; ++k) codes[k] = (int32_t)(k % 3);
    assert_ok(dpa_table_add_levels(p.table, "city", codes, kPublic, latin, 3));
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "loss", "logistic"));
    assert_status(dpa_schema_learn(p.table, "answer", options, &schema), DPA_E_FORMAT);
    assert_non_null(strstr(dpa_last_error(), "each level of column \"city\" must be UTF-8"));
    dpa_options_destroy(options);
    dpa_table_destroy(p.table);
}

/* Of many rows; a progress function is asked again and again. */
static int32_t count_and_stop(const dpa_progress *progress, void *user) {
    (void)progress;
    int *left = user;
    return --*left == 0;
}

static void learning_can_be_stopped(void **state) {
    (void)state;
    enum { kRows = 200000, kAsked = 7 };
    static int32_t codes[kRows];
    const char *const levels[] = {"a", "b", "c"};
    dpa_table *table = NULL;
    dpa_options *options = NULL;
    dpa_schema *schema = NULL;
    for (int32_t k = 0; k < kRows; ++k) codes[k] = k % 3;
    assert_ok(dpa_table_create(kRows, &table));
    assert_ok(dpa_table_add_levels(table, "x", codes, kRows, levels, 3));
    assert_ok(dpa_table_add_levels(table, "y", codes, kRows, levels, 3));
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "loss", "softmax"));
    for (int asked = 1; asked <= kAsked; asked += 3) {
        int left = asked;
        assert_ok(dpa_options_set_progress(options, count_and_stop, &left));
        assert_status(dpa_schema_learn(table, "y", options, &schema), DPA_E_CANCELLED);
        assert_null(schema);
        assert_int_equal(left, 0);
    }
    dpa_options_destroy(options);
    dpa_table_destroy(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_become_features),
        cmocka_unit_test(one_odd_record_changes_only_its_own),
        cmocka_unit_test(levels_are_the_texts_that_they_stand_for),
        cmocka_unit_test(numbers_as_levels),
        cmocka_unit_test(records_without_a_label_are_left_out),
        cmocka_unit_test(hints_are_followed),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(labels_set_the_loss),
        cmocka_unit_test(a_schema_gives_the_loss_that_it_was_learnt_for),
        cmocka_unit_test(one_class_sets_no_loss),
        cmocka_unit_test(left_out_rows_are_told),
        cmocka_unit_test(sizes_of_tables_are_checked),
        cmocka_unit_test(hints_are_about_features),
        cmocka_unit_test(public_mistakes_are_named),
        cmocka_unit_test(public_texts_are_utf8),
        cmocka_unit_test(learning_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
