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
        size_t nonfinite = 0, scaled = 0, clamped = 0;
        assert_ok(dpa_inspect_private(problem, options, &nonfinite, &scaled, &clamped));
        assert_int_equal(nonfinite, 3);
        assert_int_equal(scaled, 4);
        assert_int_equal(clamped, 5);
        assert_ok(dpa_inspect_private(problem, options, NULL, NULL, NULL));
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
    size_t nonfinite = 0, scaled = 7;
    assert_ok(dpa_inspect_private(problem, options, &nonfinite, NULL, NULL));
    assert_int_equal(nonfinite, 6);
    assert_error(dpa_inspect_private(problem, target, NULL, &scaled, NULL), DPA_E_NONFINITE,
                 "source", "0");
    assert_int_equal(scaled, 7);
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
    assert_ok(dpa_inspect_private(problem, options, NULL, NULL, NULL));
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
    size_t count = 7;
    assert_ok(dpa_problem_create(&empty));
    assert_error(dpa_inspect_private(NULL, options, &count, &count, &count), DPA_E_HANDLE,
                 "dpa_inspect_private", "problem");
    assert_error(dpa_inspect_private(empty, options, &count, &count, &count), DPA_E_STATE,
                 "source");
    assert_error(dpa_inspect_private(problem, none, &count, &count, &count), DPA_E_OPTION,
                 "private_domain");
    dpa_options *both = private_options("private_domain", "both", NULL);
    assert_error(dpa_inspect_private(problem, both, &count, &count, &count), DPA_E_OPTION,
                 "preprocess");
    dpa_options_destroy(both);
    assert_int_equal(count, 7);
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "inspected", "false")); /* none of these looked */
    free(json);
    dpa_options_destroy(none);
    dpa_options_destroy(options);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_counted),
        cmocka_unit_test(only_the_private_sample_is_counted),
        cmocka_unit_test(later_reports_tell),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("inspect", tests, NULL, NULL);
}
