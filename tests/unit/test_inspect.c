/* inspect.h: right counts for the custodian, and a note of it in every later report. */
#include <dpadapt/inspect.h>

#include "unit/private.h"

enum { M = 40, N = 30, D = 2 };

/* Source features and labels are within 1; the target has three bad records, four long ones and
 * five with a label beyond the bound, one of which is long as well. */
static instance counted(void) {
    instance a = instance_allocate(M, N, D);
    uint64_t seed = 1;
    for (size_t i = 0; i < (M + N) * D; ++i) a.xs[i] = uniform(&seed) - 0.5;
    for (size_t i = 0; i < M + N; ++i) a.ys[i] = uniform(&seed) - 0.5;
    a.xt[0 * D] = NAN;
    a.xt[1 * D + 1] = -INFINITY;
    a.yt[2] = NAN;
    for (size_t i = 3; i < 7; ++i) a.xt[i * D] = i % 2 ? 1.5 : -1e30;
    for (size_t i = 6; i < 11; ++i) a.yt[i] = i % 2 ? 2.5 : -1e300;
    return a;
}

static char *inspected(dpa_problem *problem, const dpa_options *options) {
    size_t needed = 0;
    assert_status(dpa_inspect_private(problem, options, NULL, 0, &needed), DPA_E_BUFFER);
    char *text = malloc(needed);
    assert_non_null(text);
    assert_ok(dpa_inspect_private(problem, options, text, needed, NULL));
    return text;
}

static dpa_options *bounded(const char *domain) {
    dpa_options *options =
        private_options("private_domain", domain, "preprocess", "none", "feature_radius", "1",
                        "label_bound", "2", "radius", "2", "kappa_1", "1", "clip_bound", "1", NULL);
    return options;
}

static void records_are_counted(void **state) {
    (void)state;
    instance a = counted();
    dpa_problem *problem = instance_problem(&a);
    static const char *const domains[] = {"target", "both"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = bounded(domains[k]);
        char *found = inspected(problem, options);
        assert_non_null(strstr(found, "Target: 3 of 30 records count as zeros"));
        assert_non_null(strstr(found, "Target: 4 of 30 records have features beyond"));
        assert_non_null(strstr(found, "Target: 5 of 30 records have a label beyond"));
        assert_null(strstr(found, "Source"));
        free(found);
        size_t needed = 0;
        char little[4] = "abc";
        assert_error(dpa_inspect_private(problem, options, little, sizeof little, &needed),
                     DPA_E_BUFFER, "");
        assert_string_equal(little, "abc");
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void only_the_private_sample_is_counted(void **state) {
    (void)state;
    instance a = instance_random(1, M, N, D);
    for (size_t i = 0; i < 6; ++i) a.xs[i * D] = NAN; /* in the source */
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("private_domain", "source", NULL);
    dpa_options *target = private_options(NULL);
    char *found = inspected(problem, options), text[] = "as before";
    assert_non_null(strstr(found, "Source: 6 of 40 records count as zeros"));
    free(found);
    assert_error(dpa_inspect_private(problem, target, text, sizeof text, NULL), DPA_E_NONFINITE,
                 "source", "0");
    assert_string_equal(text, "as before");
    dpa_options_destroy(target);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* It is noted, but it is no release: the whole budget is still there. */
static void later_reports_tell(void **state) {
    (void)state;
    instance a = instance_random(1, M, N, D);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("epsilon", "2", NULL);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.5"));
    dpa_solution *before = solve(problem, options);
    free(inspected(problem, options));
    dpa_solution *after = solve(problem, options);
    char *one = solution_report(before, DPA_REPORT_JSON);
    char *two = solution_report(after, DPA_REPORT_JSON);
    char *text = solution_report(after, DPA_REPORT_TEXT);
    char *whole = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(one, "inspected", "true")); /* earlier fits are spoilt as well */
    assert_true(json_is(one, "private", "false"));
    assert_true(json_is(two, "inspected", "true"));
    assert_true(json_is(whole, "inspected", "true"));
    assert_int_equal(json_count(two, "releases"), 2 * json_count(one, "releases"));
    text[strcspn(text, "\n")] = '\0'; /* the opening paragraph */
    assert_non_null(strstr(text, "inspected"));
    free(whole);
    free(text);
    free(two);
    free(one);
    dpa_solution_destroy(after);
    dpa_solution_destroy(before);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void arguments_are_checked(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D), *empty = NULL;
    dpa_options *options = private_options(NULL), *none = public_options(NULL);
    char text[] = "as before";
    assert_ok(dpa_problem_create(&empty));
    assert_error(dpa_inspect_private(NULL, options, text, sizeof text, NULL), DPA_E_HANDLE,
                 "dpa_inspect_private", "problem");
    assert_error(dpa_inspect_private(empty, options, text, sizeof text, NULL), DPA_E_STATE,
                 "source");
    dpa_options *both = private_options("private_domain", "both", NULL);
    assert_error(dpa_inspect_private(problem, both, text, sizeof text, NULL), DPA_E_OPTION,
                 "preprocess");
    dpa_options_destroy(both);
    assert_string_equal(text, "as before");
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "inspected", "false")); /* none of these looked at private rows */
    free(json);
    free(inspected(problem, none)); /* which is noted, as a fit without privacy is */
    json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "inspected", "true"));
    free(json);
    dpa_options_destroy(none);
    dpa_options_destroy(options);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(problem);
}

enum { ROWS = 400 };

/* Rows of one law: a length, a mass, a code of two values, and a label that follows them. */
static instance two_alike(void) {
    instance a = instance_allocate(ROWS, ROWS, 3);
    uint64_t seed = 5;
    for (size_t i = 0; i < 2 * ROWS; ++i) {
        double *x = a.xs + 3 * i; /* both samples, one after the other */
        x[0] = 170 + 20 * (uniform(&seed) - 0.5);
        x[1] = 70 + 30 * (uniform(&seed) - 0.5);
        x[2] = uniform(&seed) < 0.4;
        a.ys[i] = (x[0] - 170) / 10 - (x[1] - 70) / 10 + x[2] + uniform(&seed);
    }
    return a;
}

/* What is found, or "" where nothing is. */
static char *slips_of(const instance *a, int is_private) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = is_private ? private_options(NULL) : public_options(NULL);
    char *found = inspected(problem, options);
    if (strstr(found, " are scaled down.")) { /* clips, which are no slips */
        char *rest = strstr(found, " are scaled down.\n") + strlen(" are scaled down.\n");
        memmove(found, rest, strlen(rest) + 1);
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return found;
}

static void two_samples_of_one_law_have_no_slip(void **state) {
    (void)state;
    instance a = two_alike();
    char *open = slips_of(&a, 0), *found = slips_of(&a, 1);
    assert_string_equal(open, "");
    assert_null(strstr(found, "column"));
    assert_null(strstr(found, "label:"));
    free(found);
    free(open);
    instance_free(a);
}

static void pounds(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->xt[3 * i + 1] *= 2.2046;
}
static void kelvin(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->xt[3 * i + 1] += 273.15;
}
static void one_and_two(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->xt[3 * i + 2] += 1;
}
static void zero_for_one(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->xt[3 * i] = 340 - a->xt[3 * i];
}
static void code(instance *a) {
    for (size_t i = 0; i < ROWS; i += 50) a->xt[3 * i] = 99999;
}
static void turned_labels(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->yt[i] = -a->yt[i];
}
static void thousands(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->yt[i] *= 1000;
}
static void same_rows(instance *a) {
    memcpy(a->xt, a->xs, ROWS / 4 * 3 * sizeof(double));
    memcpy(a->yt, a->ys, ROWS / 4 * sizeof(double));
}
static void doubled(instance *a) {
    memcpy(a->xt, a->xt + 3 * (ROWS / 2), ROWS / 2 * 3 * sizeof(double));
    memcpy(a->yt, a->yt + ROWS / 2, ROWS / 2 * sizeof(double));
}
static void constant(instance *a) {
    for (size_t i = 0; i < ROWS; ++i) a->xt[3 * i] = 170;
}

static void each_slip_is_told(void **state) {
    (void)state;
    static const struct {
        void (*make)(instance *);
        const char *told;
    } cases[] = {
        {pounds, "Target, column 1: median and spread are 2.2"},
        {kelvin, "Target, column 1: the median is "},
        {one_and_two, "Target, column 2: "},
        {zero_for_one, "Target, column 0: its correlation with the label is -0."},
        {code, "Target, column 0: 8 of 400 are 99999; a code for missing?"},
        {turned_labels, "Target, label: in almost all columns its correlation"},
        {thousands, "Target, label: the spread is "},
        {same_rows, "Target: 100 of 400 rows are in the source as well."},
        {doubled, "Target: 200 of 400 rows repeat another row"},
        {constant, "Target, column 0: every row is 170."},
    };
    for (size_t k = 0; k < LENGTH(cases); ++k)
        for (int is_private = 0; is_private < 2; ++is_private) {
            instance a = two_alike();
            cases[k].make(&a);
            char *found = slips_of(&a, is_private);
            if (strstr(found, cases[k].told) == NULL)
                fail_msg("no \"%s\" in \"%s\"", cases[k].told, found);
            free(found);
            instance_free(a);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_counted),
        cmocka_unit_test(only_the_private_sample_is_counted),
        cmocka_unit_test(later_reports_tell),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(two_samples_of_one_law_have_no_slip),
        cmocka_unit_test(each_slip_is_told),
    };
    return cmocka_run_group_tests_name("inspect", tests, NULL, NULL);
}
