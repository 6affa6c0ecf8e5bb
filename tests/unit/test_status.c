/* status.h: versions, build facts, names of codes, the message of the last failure. */
#include <dpadapt/version.h>
#include <stdio.h>

#include "check.h"

static void no_failure_yet(void **state) {
    (void)state;
    assert_string_equal(dpa_last_error(), "");
}

static void version_is_that_of_the_header(void **state) {
    (void)state;
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d.%d.%d", DPA_VERSION_MAJOR, DPA_VERSION_MINOR,
             DPA_VERSION_PATCH);
    assert_string_equal(dpa_version(), wanted);
}

#if DPA_VERSION < 100 || DPA_VERSION >= 1000000
#error "the version as a number has two digits each for minor and patch"
#endif

static void version_as_a_number_is_that_of_the_library(void **state) {
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(dpa_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(DPA_VERSION, major * 10000 + minor * 100 + patch);
}

static void build_info_is_one_json_object(void **state) {
    (void)state;
    static const char *const keys[] = {"\"version\":",   "\"compiler\":", "\"flags\":",
                                       "\"armadillo\":", "\"blas\":",     "\"blas_threads\":"};
    const char *info = dpa_build_info();
    assert_non_null(info);
    assert_int_equal(info[0], '{');
    assert_int_equal(info[strlen(info) - 1], '}');
    for (size_t i = 0; i < LENGTH(keys); ++i)
        if (!strstr(info, keys[i])) fail_msg("no %s in %s", keys[i], info);
    assert_non_null(strstr(info, dpa_version()));
}

#define CODE(code) \
    { code, #code }

static const struct {
    dpa_status code;
    const char *name;
} codes[] = {CODE(DPA_OK),
             CODE(DPA_E_INVALID_ARGUMENT),
             CODE(DPA_E_DIMENSION),
             CODE(DPA_E_NONFINITE),
             CODE(DPA_E_OPTION),
             CODE(DPA_E_STATE),
             CODE(DPA_E_FORMAT),
             CODE(DPA_E_BUFFER),
             CODE(DPA_E_HANDLE),
             CODE(DPA_E_EMPTY),
             CODE(DPA_E_STRIDE),
             CODE(DPA_E_OVERFLOW),
             CODE(DPA_E_OPTION_NAME),
             CODE(DPA_E_OPTION_TYPE),
             CODE(DPA_E_LABEL),
             CODE(DPA_E_NUMERICAL),
             CODE(DPA_E_CANCELLED),
             CODE(DPA_E_CALLBACK),
             CODE(DPA_E_STORE),
             CODE(DPA_E_NO_MEMORY),
             CODE(DPA_E_ENTROPY),
             CODE(DPA_E_UNSUPPORTED),
             CODE(DPA_E_NOT_RELEASABLE),
             CODE(DPA_E_BUDGET),
             CODE(DPA_E_INTERNAL)};

static void every_code_has_its_name(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(codes); ++i)
        assert_string_equal(dpa_status_string(codes[i].code), codes[i].name);
    static const dpa_status unknown[] = {1, -15, -19, -91, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(unknown); ++i)
        assert_string_equal(dpa_status_string(unknown[i]), "unknown status");
}

static void message_stays_until_the_next_failure(void **state) {
    (void)state;
    dpa_options *options = NULL;
    assert_status(dpa_options_create(NULL), DPA_E_INVALID_ARGUMENT);
    char before[1024];
    strcpy(before, dpa_last_error());
    assert_non_null(strstr(before, "dpa_options_create"));
    assert_ok(dpa_options_create(&options));
    assert_string_equal(dpa_last_error(), before);
    assert_status(dpa_options_parse(options, "no_such_option", "1"), DPA_E_OPTION_NAME);
    assert_non_null(strstr(dpa_last_error(), "no_such_option"));
    assert_null(strstr(dpa_last_error(), "dpa_options_create"));
    dpa_options_destroy(options);
}

/* What is wrong with a long text is still said behind it. */
static void long_names_leave_room_for_the_message(void **state) {
    (void)state;
    dpa_options *options = NULL;
    char name[5000];
    assert_ok(dpa_options_create(&options));
    for (int cut = 0; cut < 3; ++cut) { /* letters of three bytes, cut at every byte */
        memset(name, 'x', (size_t)cut);
        for (size_t k = (size_t)cut; k + 3 < sizeof name; k += 3)
            memcpy(name + k, "\xe2\x82\xac", 4);
        assert_error(dpa_options_parse(options, "alpha", name), DPA_E_OPTION_TYPE,
                     "\xe2\x82\xac...\"", "alpha");
        assert_error(dpa_options_parse(options, "loss", name), DPA_E_OPTION, "...\"", "softmax");
        assert_error(dpa_options_parse(options, name, "1"), DPA_E_OPTION_NAME, "...\"");
        assert_in_range(strlen(dpa_last_error()), 1, 200);
    }
    dpa_options_destroy(options);
}

/* A name that is too long or has line breaks still gives one line of at most 1023 bytes. */
static void message_is_one_line_of_bounded_length(void **state) {
    (void)state;
    static char name[5000];
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    memset(name, 'x', sizeof name - 1);
    assert_status(dpa_options_parse(options, name, "1"), DPA_E_OPTION_NAME);
    assert_in_range(strlen(dpa_last_error()), 1, 1023);
    assert_status(dpa_options_parse(options, "two\nlines\r", "1"), DPA_E_OPTION_NAME);
    assert_null(strpbrk(dpa_last_error(), "\n\r"));
    assert_error(dpa_options_parse(options, "100%s%n", "1"), DPA_E_OPTION_NAME, "100%s%n");
    dpa_options_destroy(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_failure_yet), /* first: the thread has made no failing call */
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(version_as_a_number_is_that_of_the_library),
        cmocka_unit_test(build_info_is_one_json_object),
        cmocka_unit_test(every_code_has_its_name),
        cmocka_unit_test(message_stays_until_the_next_failure),
        cmocka_unit_test(long_names_leave_room_for_the_message),
        cmocka_unit_test(message_is_one_line_of_bounded_length),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
