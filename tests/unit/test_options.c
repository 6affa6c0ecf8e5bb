/* options.h: the table of options against what the setters accept, handles and texts. */
#include <float.h>
#include <inttypes.h>
#include <stdio.h>

#include "check.h"

/* What the values of an option say: words, then an interval with open or closed ends. */
typedef struct {
    size_t words;
    char word[10][32];
    int interval, low_open, high_open;
    double low, high;
} allowed;

static allowed parse_values(const char *text) {
    allowed a = {0};
    while (*text && *text != '[' && *text != '(') {
        size_t length = strcspn(text, ",");
        assert_true(a.words < LENGTH(a.word) && length < sizeof a.word[0]);
        memcpy(a.word[a.words++], text, length);
        text += length + strspn(text + length, ", ");
    }
    if (!*text) return a;
    char *rest;
    a.interval = 1;
    a.low_open = *text == '(';
    a.low = strtod(text + 1, &rest);
    assert_int_equal(*rest, ',');
    a.high = strtod(rest + 1, &rest);
    a.high_open = *rest == ')';
    assert_true(a.high_open || *rest == ']');
    return a;
}

static int is(size_t option, const char *type) {
    return !strcmp(dpa_option_text(option, "type"), type);
}

static int create(void **state) { return dpa_options_create((dpa_options **)state) != DPA_OK; }

static int destroy(void **state) {
    dpa_options_destroy(*state);
    return 0;
}

/* Text of an option; room for the longest value that these tests set. */
typedef struct {
    char chars[128];
} text;

static text get(const dpa_options *options, const char *name) {
    text t;
    size_t needed = 0;
    assert_ok(dpa_options_get(options, name, t.chars, sizeof t.chars, &needed));
    assert_int_equal(needed, strlen(t.chars) + 1);
    return t;
}

static double get_number(const dpa_options *options, const char *name) {
    return strtod(get(options, name).chars, NULL);
}

static void table_is_complete(void **state) {
    (void)state;
    static const char *const types[] = {"real", "integer", "boolean", "choice", "vector"};
    size_t count = option_count();
    assert_true(count > 0);
    for (size_t i = 0; i < count; ++i) {
        size_t known = 0;
        for (size_t k = 0; k < LENGTH(types); ++k) known += is(i, types[k]);
        assert_int_equal(known, 1);
        assert_true(strlen(dpa_option_text(i, "name")) > 0 &&
                    strlen(dpa_option_text(i, "meaning")) > 0);
        const char *tier = dpa_option_text(i, "tier");
        assert_true(!strcmp(tier, "basic") || !strcmp(tier, "advanced") ||
                    !strcmp(tier, "research"));
        assert_true(strlen(dpa_option_text(i, "default")) > 0 &&
                    strlen(dpa_option_text(i, "values")) > 0);
        for (size_t k = 0; k < i; ++k)
            assert_string_not_equal(dpa_option_text(i, "name"), dpa_option_text(k, "name"));
    }
    const size_t outside[] = {count, SIZE_MAX};
    for (size_t k = 0; k < LENGTH(outside); ++k) {
        assert_null(dpa_option_text(outside[k], "name"));
        assert_null(dpa_option_text(outside[k], "type"));
        assert_null(dpa_option_text(outside[k], "default"));
        assert_null(dpa_option_text(outside[k], "values"));
        assert_null(dpa_option_text(outside[k], "meaning"));
    }
}

static void defaults_parse_back(void **state) {
    for (size_t i = 0; i < option_count(); ++i) {
        const char *name = dpa_option_text(i, "name");
        text fresh = get(*state, name);
        assert_ok(dpa_options_parse(*state, name, dpa_option_text(i, "default")));
        assert_string_equal(get(*state, name).chars, fresh.chars);
        assert_ok(dpa_options_parse(*state, name, fresh.chars));
        assert_string_equal(get(*state, name).chars, fresh.chars);
        if (!is(i, "real")) assert_string_equal(fresh.chars, dpa_option_text(i, "default"));
    }
}

static void listed_words_are_accepted_and_others_not(void **state) {
    for (size_t i = 0; i < option_count(); ++i) {
        const char *name = dpa_option_text(i, "name");
        if (is(i, "vector")) continue;
        allowed a = parse_values(dpa_option_text(i, "values"));
        for (size_t k = 0; k < a.words; ++k) {
            if (is(i, "boolean"))
                assert_ok(dpa_options_parse(*state, name, a.word[k]));
            else
                assert_ok(dpa_options_parse(*state, name, a.word[k]));
            assert_string_equal(get(*state, name).chars, a.word[k]);
        }
        text before = get(*state, name);
        static const char *const bad[] = {"", "no_such_word", "AUTO", "0.5x", "1e", "0x10"};
        for (size_t k = 0; k < LENGTH(bad); ++k) {
            dpa_status status = dpa_options_parse(*state, name, bad[k]);
            if (is(i, "choice"))
                assert_error(status, DPA_E_OPTION, "dpa_options_parse", name, bad[k]);
            else
                assert_error(status, DPA_E_OPTION_TYPE, "dpa_options_parse", name, bad[k]);
        }
        assert_string_equal(get(*state, name).chars, before.chars);
    }
}

static void accepts(dpa_options *options, const char *name, double value) {
    assert_ok(dpa_options_set(options, name, value));
    assert_true(get_number(options, name) == value);
}

static void rejects(dpa_options *options, const char *name, double value) {
    text before = get(options, name);
    assert_error(dpa_options_set(options, name, value), DPA_E_OPTION, "dpa_options_set", name);
    assert_string_equal(get(options, name).chars, before.chars);
}

static void bounds_of_reals_are_enforced(void **state) {
    for (size_t i = 0; i < option_count(); ++i) {
        if (!is(i, "real")) continue;
        const char *name = dpa_option_text(i, "name");
        allowed a = parse_values(dpa_option_text(i, "values"));
        assert_true(a.interval);
        (a.low_open ? rejects : accepts)(*state, name, a.low);
        (a.high_open ? rejects : accepts)(*state, name, a.high);
        accepts(*state, name, nextafter(a.low, INFINITY));
        accepts(*state, name, nextafter(a.high, 0));
        rejects(*state, name, nextafter(a.low, -INFINITY));
        if (isfinite(a.high)) rejects(*state, name, nextafter(a.high, INFINITY));
        rejects(*state, name, NAN);
        rejects(*state, name, INFINITY);
        rejects(*state, name, -INFINITY);
        rejects(*state, name, -DBL_MAX);
        const char *interval = strpbrk(dpa_option_text(i, "values"), "[(");
        assert_error(dpa_options_set(*state, name, -17.5), DPA_E_OPTION, name, "-17.5", interval);
        assert_error(dpa_options_set(*state, name, -17), DPA_E_OPTION, name, "-17", interval);
        assert_error(dpa_options_parse(*state, name, "-17.5"), DPA_E_OPTION, name, "-17.5",
                     interval);
    }
}

static void bounds_of_integers_are_enforced(void **state) {
    for (size_t i = 0; i < option_count(); ++i) {
        if (!is(i, "integer")) continue;
        const char *name = dpa_option_text(i, "name");
        allowed a = parse_values(dpa_option_text(i, "values"));
        assert_true(a.interval && !a.low_open && !a.high_open);
        assert_ok(dpa_options_set(*state, name, a.low));
        assert_true(get_number(*state, name) == a.low);
        assert_ok(dpa_options_set(*state, name, a.high));
        assert_true(get_number(*state, name) == a.high);
        const double outside[] = {a.low - 1, a.high + 1, -0x1p63, 0x1p63};
        for (size_t k = 0; k < LENGTH(outside); ++k) {
            char number[32];
            snprintf(number, sizeof number, "%.0f", outside[k]);
            assert_error(dpa_options_set(*state, name, outside[k]), DPA_E_OPTION, "dpa_options_set",
                         name);
            assert_error(dpa_options_parse(*state, name, number), DPA_E_OPTION, name, number);
        }
        assert_error(dpa_options_parse(*state, name, "2.5"), DPA_E_OPTION_TYPE, name, "2.5");
        assert_true(get_number(*state, name) == a.high);
    }
}

static void booleans_are_zero_or_one(void **state) {
    assert_ok(dpa_options_set(*state, "intercept", 0));
    assert_string_equal(get(*state, "intercept").chars, "false");
    assert_ok(dpa_options_set(*state, "intercept", 1));
    assert_string_equal(get(*state, "intercept").chars, "true");
    assert_error(dpa_options_set(*state, "intercept", 2), DPA_E_OPTION, "intercept", "2");
    assert_error(dpa_options_set(*state, "intercept", -1), DPA_E_OPTION, "intercept", "-1");
    assert_string_equal(get(*state, "intercept").chars, "true");
}

static void vectors_are_words_or_numbers(void **state) {
    const char *name = "discrepancy_center";
    static const char *const good[] = {"zero", "source", "1", "1,-2,3e-7", "1 2 3", "1, 2"};
    for (size_t i = 0; i < LENGTH(good); ++i) {
        assert_ok(dpa_options_parse(*state, name, good[i]));
        text stored = get(*state, name);
        assert_ok(dpa_options_parse(*state, name, stored.chars));
        assert_string_equal(get(*state, name).chars, stored.chars);
    }
    text before = get(*state, name);
    static const char *const bad[] = {"", ",", "one", "1,x", "source,1", "numbers", "1,nan", "inf"};
    for (size_t i = 0; i < LENGTH(bad); ++i)
        assert_error(dpa_options_parse(*state, name, bad[i]), DPA_E_OPTION_TYPE, name, bad[i]);
    assert_string_equal(get(*state, name).chars, before.chars);
}

/* Numbers are for options that have them. */
static void setters_check_the_type(void **state) {
    for (size_t i = 0; i < option_count(); ++i) {
        const char *name = dpa_option_text(i, "name");
        text before = get(*state, name);
        if (is(i, "choice") || is(i, "vector"))
            assert_error(dpa_options_set(*state, name, 1), DPA_E_OPTION_TYPE, name);
        if (!is(i, "real")) {
            assert_error(dpa_options_set(*state, name, 0.5), DPA_E_OPTION_TYPE, name);
            assert_error(dpa_options_set(*state, name, NAN), DPA_E_OPTION_TYPE, name);
        }
        if (is(i, "boolean")) {
            assert_error(dpa_options_set(*state, name, 2), DPA_E_OPTION, name);
            assert_error(dpa_options_set(*state, name, -1), DPA_E_OPTION, name);
        }
        assert_string_equal(get(*state, name).chars, before.chars);
    }
    assert_ok(dpa_options_set(*state, "alpha", 1));
    assert_true(get_number(*state, "alpha") == 1);
}

static void text_of_a_number_reads_back_exactly(void **state) {
    static const double values[] = {0.1, 1.0 / 3, 1e-300, 5e-324, DBL_MAX, 123456789.123456789};
    for (size_t i = 0; i < LENGTH(values); ++i) {
        accepts(*state, "kappa_2", values[i]);
        text stored = get(*state, "kappa_2");
        assert_ok(dpa_options_set(*state, "kappa_2", 0));
        assert_ok(dpa_options_parse(*state, "kappa_2", stored.chars));
        assert_true(get_number(*state, "kappa_2") == values[i]);
    }
}

static void get_reports_the_size_and_never_overruns(void **state) {
    size_t needed = 0;
    assert_status(dpa_options_get(*state, "preprocess", NULL, 0, &needed), DPA_E_BUFFER);
    assert_int_equal(needed, sizeof "standardize");
    char out[sizeof "standardize" + 1];
    for (size_t length = 0; length <= sizeof out; ++length) {
        memset(out, '#', sizeof out);
        dpa_status status = dpa_options_get(*state, "preprocess", out, length, NULL);
        assert_status(status, length < needed ? DPA_E_BUFFER : DPA_OK);
        for (size_t k = status ? 0 : needed; k < sizeof out; ++k) assert_int_equal(out[k], '#');
        if (!status) assert_string_equal(out, "standardize");
    }
    assert_error(dpa_options_get(*state, "preprocess", NULL, 50, NULL), DPA_E_INVALID_ARGUMENT,
                 "dpa_options_get", "out");
    assert_error(dpa_options_get(*state, NULL, out, 5, &needed), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_options_get(*state, "prepro", out, 5, &needed), DPA_E_OPTION_NAME, "prepro");
    assert_error(dpa_options_set(*state, "epslion", 1), DPA_E_OPTION_NAME,
                 "did you mean \"epsilon\"?");
    assert_error(dpa_options_set(*state, "detla", 1), DPA_E_OPTION_NAME, "did you mean \"delta\"?");
    assert_error(dpa_options_set(*state, "family", 1), DPA_E_OPTION_NAME, "\"family\"");
    assert_null(strstr(dpa_last_error(), "did you mean"));
    assert_error(dpa_options_get(NULL, "preprocess", out, 5, &needed), DPA_E_HANDLE, "options");
}

static void names_are_checked(void **state) {
    static const char *const unknown[] = {"", "Alpha", "alpha ", "alphabet", "kappa"};
    for (size_t i = 0; i < LENGTH(unknown); ++i) {
        const char *name = unknown[i];
        assert_error(dpa_options_set(*state, name, 1), DPA_E_OPTION_NAME, name);
        assert_error(dpa_options_set(*state, name, 1), DPA_E_OPTION_NAME, name);
        assert_error(dpa_options_parse(*state, name, "1"), DPA_E_OPTION_NAME, name);
    }
    assert_error(dpa_options_set(*state, NULL, 1), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_options_parse(*state, "alpha", NULL), DPA_E_INVALID_ARGUMENT, "text");
    assert_error(dpa_options_parse(*state, NULL, "1"), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_options_parse(*state, "alpha", NULL), DPA_E_INVALID_ARGUMENT, "text");
    assert_ok(dpa_options_set(*state, "alpha", 0.5));
}

static void handles_are_checked(void **state) {
    dpa_problem *problem = NULL;
    dpa_options *none = NULL;
    assert_ok(dpa_problem_create(&problem));
    dpa_options *const wrong[] = {NULL, (dpa_options *)problem};
    for (size_t i = 0; i < LENGTH(wrong); ++i) {
        assert_error(dpa_options_set(wrong[i], "alpha", 1), DPA_E_HANDLE, "options");
        assert_error(dpa_options_set(wrong[i], "intercept", 1), DPA_E_HANDLE, "options");
        assert_error(dpa_options_parse(wrong[i], "loss", "squared"), DPA_E_HANDLE, "options");
        assert_error(dpa_options_parse(wrong[i], "alpha", "1"), DPA_E_HANDLE, "options");
        assert_error(dpa_options_set_progress(wrong[i], NULL, NULL), DPA_E_HANDLE, "options");
        assert_error(dpa_options_set_cancel(wrong[i], NULL), DPA_E_HANDLE, "options");
        assert_error(dpa_options_get(wrong[i], "alpha", NULL, 0, NULL), DPA_E_HANDLE, "options");
    }
    dpa_cancel *const not_a_token[] = {NULL, (dpa_cancel *)problem};
    for (size_t i = 0; i < LENGTH(not_a_token); ++i)
        assert_error(dpa_cancel_request(not_a_token[i]), DPA_E_HANDLE, "dpa_cancel_request");
    assert_error(dpa_options_set_cancel(*state, not_a_token[1]), DPA_E_HANDLE, "cancel");
    assert_error(dpa_options_create(NULL), DPA_E_INVALID_ARGUMENT, "dpa_options_create", "out");
    assert_error(dpa_cancel_create(NULL), DPA_E_INVALID_ARGUMENT, "dpa_cancel_create", "out");
    dpa_options_destroy(none);
    dpa_cancel_destroy(NULL);
    size_t rows = 1;
    assert_ok(dpa_problem_shape(problem, &rows, NULL, NULL));
    assert_int_equal(rows, 0);
    dpa_problem_destroy(problem);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(table_is_complete),
        TEST(defaults_parse_back),
        TEST(listed_words_are_accepted_and_others_not),
        TEST(bounds_of_reals_are_enforced),
        TEST(bounds_of_integers_are_enforced),
        TEST(booleans_are_zero_or_one),
        TEST(vectors_are_words_or_numbers),
        TEST(setters_check_the_type),
        TEST(text_of_a_number_reads_back_exactly),
        TEST(get_reports_the_size_and_never_overruns),
        TEST(names_are_checked),
        TEST(handles_are_checked),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
