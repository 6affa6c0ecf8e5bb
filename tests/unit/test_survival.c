/* Fits by loss = survival: the baseline by hand, curves, what is saved, what is refused. */
#include "unit/private.h"

enum { kPairs = 4, M = 2 * kPairs, N = 300, D = 2 };

/* Times 1 to 4, each with an event at x = -1 and at x = 1: x tells nothing, and Nelson's and
 * Aalen's estimate is a sum of fractions. */
static void balanced(instance *a) {
    for (size_t i = 0; i < M; ++i) {
        a->xs[i] = i % 2 ? 1 : -1;
        a->ys[i] = 1 + (double)(i / 2);
    }
    for (size_t i = 0; i < a->n; ++i) {
        a->xt[i] = i % 2 ? 1 : -1;
        a->yt[i] = i % 3 ? 2.5 : -1.5;
    }
}

static dpa_solution *source_only(const instance *a) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = public_options("loss", "survival", NULL);
    dpa_solution *fit = NULL;
    assert_ok(dpa_baseline_solve(problem, "source_only", options, &fit));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return fit;
}

static void curves_are_those_of_the_baseline(void **state) {
    (void)state;
    static const double times[] = {0, 0.5, 1, 2, 3, 4, 4.5};
    const double hazards[] = {
        0, 0.125, 0.25, 0.25 + 2 / 6., 0.25 + 2 / 6. + 0.5, 0.25 + 2 / 6. + 0.5 + 1, NAN};
    instance a = instance_allocate(M, 4, 1);
    balanced(&a);
    dpa_solution *fit = source_only(&a);
    double x[] = {1, NAN}, found[2 * LENGTH(times)];
    const dpa_matrix rows = {x, 2, 1, 1, DPA_ROW_MAJOR};
    const dpa_matrix none = {x, 0, 1, 1, DPA_ROW_MAJOR};
    assert_ok(dpa_solution_survival(fit, 0, none, times, LENGTH(times), found, 0));
    assert_ok(dpa_solution_survival(fit, 0, rows, times, LENGTH(times), found, LENGTH(found)));
    for (size_t k = 0; k < LENGTH(times); ++k) {
        if (isnan(hazards[k]))
            assert_true(isnan(found[2 * k]));
        else
            assert_close(found[2 * k], exp(-hazards[k]), 1e-6, 0);
        assert_true(isnan(found[2 * k + 1]));
    }
    dpa_solution_destroy(fit);
    instance_free(a);
}

/* In other units of time nothing changes, and times have these units. */
static instance timed(double unit) {
    instance a = instance_random(21, N, N, D);
    for (size_t i = 0; i < 2 * N; ++i) {
        const double chance = 0.2 + (double)(i * 37 % 101) / 50;
        const double time = unit * exp(-0.3 * a.ys[i]) * chance;
        a.ys[i] = time > 2 * unit ? -2 * unit : i % 5 ? time : -time;
    }
    return a;
}

static dpa_solution *private_fit(double unit, const char *inference) {
    instance a = timed(unit);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options =
        private_options("loss", "survival", "inference", inference, "unsafe_seed", "3", NULL);
    dpa_solution *fit = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return fit;
}

static void private_curves_have_intervals_and_are_saved(void **state) {
    (void)state;
    enum { kTimes = 3, kRows = 5, kAll = kTimes * kRows };
    static const double times[] = {0.2, 0.9, 1.7};
    instance a = timed(1);
    const dpa_matrix x = {a.xt, kRows, D, D, DPA_ROW_MAJOR};
    dpa_solution *fit = private_fit(1, "yes"), *again = NULL;
    double curve[kAll], ends[2 * kAll], narrow[2 * kAll], same[2 * kAll];
    assert_ok(dpa_solution_survival(fit, 0, x, times, kTimes, curve, kAll));
    assert_ok(dpa_solution_survival(fit, 0.9, x, times, kTimes, ends, 2 * kAll));
    assert_ok(dpa_solution_survival(fit, 0.5, x, times, kTimes, narrow, 2 * kAll));
    for (size_t i = 0; i < kAll; ++i) {
        if (!(0 < curve[i] && curve[i] < 1)) fail_msg("survival %zu is %g", i, curve[i]);
        assert_true(0 < ends[i] && ends[i] < narrow[i] && narrow[i] < narrow[kAll + i] &&
                    narrow[kAll + i] < ends[kAll + i] && ends[kAll + i] < 1);
        if (i >= kRows) assert_true(curve[i] < curve[i - kRows]);
    }
    size_t size = 0;
    assert_int_equal(dpa_solution_serialize(fit, 0, NULL, 0, &size), DPA_E_BUFFER);
    uint8_t *bytes = malloc(size);
    assert_ok(dpa_solution_serialize(fit, 0, bytes, size, NULL));
    assert_ok(dpa_solution_deserialize(bytes, size, &again));
    assert_ok(dpa_solution_survival(again, 0.9, x, times, kTimes, same, 2 * kAll));
    assert_memory_equal(ends, same, sizeof ends);
    assert_string_equal(solution_text(again, "loss"), "survival");
    free(bytes);
    dpa_solution_destroy(again);
    dpa_solution_destroy(fit);
    dpa_solution *days = private_fit(365.25, "yes");
    double far[kTimes];
    for (size_t k = 0; k < kTimes; ++k) far[k] = 365.25 * times[k];
    assert_ok(dpa_solution_survival(days, 0.9, x, far, kTimes, same, 2 * kAll));
    for (size_t i = 0; i < 2 * kAll; ++i) assert_close(same[i], ends[i], 1e-9, 0);
    dpa_solution_destroy(days);
    instance_free(a);
}

static void what_is_missing_is_said(void **state) {
    (void)state;
    instance a = timed(1);
    const dpa_matrix x = {a.xt, 1, D, D, DPA_ROW_MAJOR};
    const double time = 1;
    double ends[2];
    dpa_solution *fit = private_fit(1, "no");
    assert_error(dpa_solution_survival(fit, 0.9, x, &time, 1, ends, 2), DPA_E_NOT_RELEASABLE,
                 "inference");
    dpa_solution_destroy(fit);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    fit = solve(problem, options);
    assert_error(dpa_solution_survival(fit, 0, x, &time, 1, ends, 1), DPA_E_UNSUPPORTED,
                 "loss = squared");
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    for (size_t i = 0; i < N; ++i) a.ys[i] = -fabs(a.ys[i]);
    problem = instance_problem(&a);
    options = public_options("loss", "survival", NULL);
    assert_error(dpa_solve(problem, NULL, options, &fit), DPA_E_LABEL,
                 "no public row has an event");
    dpa_options_destroy(options);
    options =
        private_options("private_domain", "both", "preprocess", "none", "feature_radius", "4",
                        "radius", "2", "clip_bound", "1", "alpha", "0.5", "loss", "survival", NULL);
    assert_error(dpa_solve(problem, NULL, options, &fit), DPA_E_OPTION, "needs a public sample");
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    a.ys[3] = 0;
    problem = instance_problem(&a);
    options = public_options("loss", "survival", NULL);
    a.ys[0] = 1;
    assert_error(dpa_solve(problem, NULL, options, &fit), DPA_E_LABEL, "event");
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_the_baseline),
        cmocka_unit_test(private_curves_have_intervals_and_are_saved),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
