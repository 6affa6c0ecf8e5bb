/* solution.h: private records change nothing but the released numbers, and these only through sums
 * and noise. */
#include "unit/private.h"

enum { M = 200, N = 90, D = 3 };

/* The predictor of a fresh problem of these data. */
static void fit_of(const instance *a, const dpa_options *options, double *out) {
    dpa_problem *problem = instance_problem(a);
    dpa_solution *solution = solve(problem, options);
    copy_predictor(solution, D, out);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
}

/* What a fit and its callbacks let through: status, message, and the sequence of reports. */
typedef struct {
    dpa_status status;
    char message[200];
    double w[D + 1];
    size_t reports;
    double checksum;
    int shown;
} outward;

static int32_t watch(const dpa_progress *progress, void *user) {
    outward *seen = user;
    ++seen->reports;
    seen->checksum +=
        (double)(seen->reports *
                 (strlen(progress->phase) + (size_t)progress->iteration + (size_t)progress->limit));
    if (!strcmp(progress->phase, "private steps"))
        seen->shown += !isnan(progress->objective) || !isnan(progress->gap);
    return 0;
}

static outward fit_outward(const instance *a, dpa_options *options) {
    outward seen = {0};
    dpa_problem *problem = instance_problem(a);
    dpa_solution *s = NULL;
    assert_ok(dpa_options_set_progress(options, watch, &seen));
    seen.status = dpa_solve(problem, NULL, options, &s);
    if (seen.status) strncpy(seen.message, dpa_last_error(), sizeof seen.message - 1);
    if (s) copy_predictor(s, D, seen.w);
    dpa_solution_destroy(s);
    dpa_problem_destroy(problem);
    return seen;
}

/* Replaces private target records by what a careless fit would stumble over. */
static void spoil(instance *a, size_t way) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e160, 0};
    for (size_t i = 0; i < a->n; i += way < 8 ? 3 : 1) {
        if (way % 3 != 1) a->xt[i * D + i % D] = bad[way % 8];
        if (way % 3 != 2) a->yt[i] = bad[way % 8];
    }
}

static void private_records_change_no_status_and_no_text(void **state) {
    (void)state;
    static const char *const ways[][4] = {{"alpha", "auto", "preprocess", "standardize"},
                                          {"alpha", "auto", "preprocess", "whiten"},
                                          {"alpha", "0.5", "kappa_2", "0"},
                                          {"alpha", "0.5", "kappa_2", "0.1"},
                                          {"method", "paper", "kappa_inf", "0.1"},
                                          {"alpha", "auto", "delta", "0"}};
    for (size_t k = 0; k < LENGTH(ways); ++k) {
        dpa_options *options = private_options("iterations", "15", ways[k][0], ways[k][1],
                                               ways[k][2], ways[k][3], NULL);
        instance clean = instance_random(7, M, N, D);
        outward expected = fit_outward(&clean, options);
        assert_status(expected.status, k == 5 ? DPA_E_OPTION : DPA_OK);
        assert_int_equal(expected.shown, 0);
        assert_true(k == 5 || expected.reports > 15);
        for (size_t way = 0; way < 16; ++way) {
            instance a = instance_random(7, M, N, D);
            spoil(&a, way);
            outward found = fit_outward(&a, options);
            assert_int_equal(found.status, expected.status);
            assert_string_equal(found.message, expected.message);
            assert_int_equal(found.reports, expected.reports);
            assert_true(found.checksum == expected.checksum);
            instance_free(a);
        }
        instance_free(clean);
        dpa_options_destroy(options);
    }
}

/* A bad public row is an error that names the row, and costs nothing. */
static void bad_public_rows_are_named(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    a.xs[5 * D] = NAN;
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options(NULL);
    dpa_solution *s = NULL;
    assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_NONFINITE, "source", "5");
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "budget", "null"));
    free(json);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static const char *const methods[][2] = {{"alpha", "auto"}, {"alpha", "0.5"}, {"method", "paper"}};

/* With a budget that shows the difference of the domains: else alpha = auto returns the public fit,
 * whatever the noise. */
static void noise_differs_unless_seeded(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        double w[4][D + 1];
        dpa_options *options = private_options("iterations", "20", "epsilon", "20", methods[k][0],
                                               methods[k][1], NULL);
        for (size_t i = 0; i < 4; ++i) {
            if (i == 2) assert_ok(dpa_options_parse(options, "unsafe_seed", "12345"));
            fit_of(&a, options, w[i]);
        }
        assert_memory_not_equal(w[0], w[1], sizeof w[0]);
        assert_memory_not_equal(w[1], w[2], sizeof w[0]);
        assert_same_bits(w[2], w[3], D + 1);
        assert_ok(dpa_options_parse(options, "unsafe_seed", "12346"));
        fit_of(&a, options, w[0]);
        assert_memory_not_equal(w[0], w[2], sizeof w[0]);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

static void reverse(double *x, double *y, size_t n) {
    for (size_t i = 0, k = n - 1; i < k; ++i, --k) {
        const double label = y[i];
        y[i] = y[k];
        y[k] = label;
        for (size_t c = 0; c < D; ++c) {
            const double feature = x[i * D + c];
            x[i * D + c] = x[k * D + c];
            x[k * D + c] = feature;
        }
    }
}

static void threads_and_order_change_no_bit(void **state) {
    (void)state;
    static const char *const threads[] = {"1", "2", "7"};
    const size_t n = 9001; /* more than one chunk of rows */
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        double first[D + 1], w[D + 1];
        dpa_options *options = private_options("unsafe_seed", "99", "iterations", "10",
                                               methods[k][0], methods[k][1], NULL);
        instance a = instance_random(7, M, n, D);
        for (size_t i = 0; i < LENGTH(threads) + (k == 0); ++i) {
            if (i == 3) reverse(a.xt, a.yt, n); /* only the sums count */
            assert_ok(dpa_options_parse(options, "threads", threads[i % 3]));
            fit_of(&a, options, i ? w : first);
            if (i) assert_same_bits(w, first, D + 1);
        }
        instance_free(a);
        dpa_options_destroy(options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_records_change_no_status_and_no_text),
        cmocka_unit_test(bad_public_rows_are_named),
        cmocka_unit_test(noise_differs_unless_seeded),
        cmocka_unit_test(threads_and_order_change_no_bit),
    };
    return cmocka_run_group_tests_name("private_records", tests, NULL, NULL);
}
