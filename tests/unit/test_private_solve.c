/* solution.h: private fits return what is released and nothing else. */
#include "unit/private.h"

enum { M = 200, N = 90, D = 3 };

/* Fits a fresh problem of these data. */
static dpa_solution *fit_of(const instance *a, const dpa_options *options) {
    dpa_problem *problem = instance_problem(a);
    dpa_solution *solution = solve(problem, options);
    dpa_problem_destroy(problem); /* the solution does not need it */
    return solution;
}

static void check_not_released(const dpa_solution *s) {
    double value = 7;
    assert_error(dpa_solution_value(s, "objective", &value), DPA_E_NOT_RELEASABLE, "objective");
    assert_error(dpa_solution_value(s, "duality_gap", &value), DPA_E_NOT_RELEASABLE, "gap");
    assert_true(value == 7);
}

static void check_steps(const dpa_solution *s, int64_t steps) {
    int32_t termination = -1;
    int64_t iterations = -1;
    termination = (int32_t)solution_number(s, "termination");
    iterations = (int64_t)solution_number(s, "iterations");
    assert_int_equal(termination, DPA_TERMINATION_STEPS);
    assert_string_equal(solution_text(s, "termination"), "steps");
    assert_int_equal(iterations, steps);
}

/* All equal to the first, or at least one different. */
static void check_weights(const double *q, size_t rows, int equal) {
    int different = 0;
    for (size_t i = 0; i < rows; ++i) {
        assert_true(isfinite(q[i]) && q[i] >= 0);
        different += q[i] != q[0];
    }
    assert_true((different == 0) == equal);
}

static void defaults_release_a_predictor(void **state) {
    (void)state;
    dpa_options *options = private_options(NULL);
    dpa_solution *s = random_fit(7, M, N, D, options);
    double w[D + 1], q[M], value = 7;
    size_t shape[4];
    copy_predictor(s, D, w);
    check_not_released(s);
    check_steps(s, 20);
    assert_error(dpa_solution_array(s, "target_weights", q, N), DPA_E_NOT_RELEASABLE, "weights");
    assert_ok(dpa_solution_array(s, "source_weights", q, M));
    check_weights(q, M, 1);
    assert_close(q[0], solution_number(s, "alpha") / M, 1e-12, 0);
    assert_ok(dpa_solution_shape(s, &shape[0], &shape[1], &shape[2], &shape[3]));
    assert_true(shape[0] == D && shape[1] == 1 && shape[2] == M && shape[3] == N);
    assert_true(solution_number(s, "alpha") >= 0 && solution_number(s, "alpha") <= 1);
    assert_true(solution_number(s, "kappa_1") > 0 && solution_number(s, "radius") > 0);
    assert_true(solution_number(s, "feature_radius") == INFINITY &&
                solution_number(s, "label_bound") == INFINITY);
    assert_error(dpa_solution_value(s, "discrepancy", &value), DPA_E_NOT_RELEASABLE, "discrepancy");
    assert_true(value == 7);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

/* With much budget the private fit is near the one that knows everything. */
static void little_noise_learns_the_target(void **state) {
    (void)state;
    instance a = instance_allocate(2000, 2000, 2);
    uint64_t seed = 3;
    for (size_t i = 0; i < 4000; ++i) {
        for (size_t j = 0; j < 2; ++j) a.xs[2 * i + j] = normal(&seed);
        a.ys[i] = (i < 2000 ? 1 : 2) * a.xs[2 * i] - a.xs[2 * i + 1] + normal(&seed);
    }
    static const char *const domains[] = {"target", "source"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = private_options("private_domain", domains[k], "epsilon", "50", NULL);
        if (k) assert_ok(dpa_options_parse(options, "alpha", "1"));
        if (k) assert_ok(dpa_options_parse(options, "discrepancy", "0"));
        dpa_solution *s = fit_of(&a, options);
        double w[3];
        copy_predictor(s, 2, w);
        assert_close(w[0], k ? 1 : 2, 0, 0.2);
        assert_close(w[1], -1, 0, 0.2);
        if (!k) assert_at_most(solution_number(s, "alpha"), 0.5); /* the domains differ */
        dpa_solution_destroy(s);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

static double first_coefficient(dpa_problem *problem, dpa_options *options) {
    double w[3];
    dpa_solution *s = solve(problem, options);
    assert_ok(dpa_solution_array(s, "coefficients", w, 3));
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    return w[0];
}

/* The sums that couple weights come back whole, with the public middle that was taken from them. */
static void little_noise_couples_weights_as_none_does(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(5, 3000, 3000, 3);
    double free_weights = first_coefficient(
        problem, public_options("alpha", "0.5", "discrepancy", "0.5", "kappa_1", "2", NULL));
    double exact =
        first_coefficient(problem, public_options("alpha", "0.5", "discrepancy", "0.5", "kappa_1",
                                                  "2", "kappa_2", "3000", NULL));
    double noisy = first_coefficient(
        problem, private_options("alpha", "0.5", "discrepancy", "0.5", "kappa_1", "2", "kappa_2",
                                 "3000", "epsilon", "590", "delta", "0.001", "iterations", "200",
                                 "clip_bound", "100", "shrinkage", "0", "unsafe_seed", "1", NULL));
    assert_true(fabs(exact - free_weights) > 0.005);
    assert_true(fabs(noisy - exact) < 0.25 * fabs(exact - free_weights));
    dpa_problem_destroy(problem);
}

static void fixed_alpha_releases_a_discrepancy(void **state) {
    (void)state;
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_solution *s = random_fit(7, M, N, D, options);
    double w[D + 1], q[M];
    copy_predictor(s, D, w);
    check_not_released(s);
    assert_true(solution_number(s, "alpha") == 0.5 && solution_number(s, "discrepancy") >= 0);
    assert_true(isfinite(solution_number(s, "feature_radius")) &&
                isfinite(solution_number(s, "label_bound")));
    assert_ok(dpa_solution_array(s, "source_weights", q, M));
    check_weights(q, M, 0);
    for (size_t i = 0; i < M; ++i) assert_at_most(q[i], 0.5 / M);
    assert_error(dpa_solution_array(s, "target_weights", q, N), DPA_E_NOT_RELEASABLE, "weights");
    dpa_solution_destroy(s);
    assert_ok(dpa_options_parse(options, "discrepancy", "0.125"));
    s = random_fit(7, M, N, D, options);
    assert_true(solution_number(s, "discrepancy") == 0.125);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

/* alpha = 0 reads no source record's cost; alpha = 1 no gradient of a private record. */
static void alpha_at_its_ends(void **state) {
    (void)state;
    double w[D + 1], q[M], value;
    dpa_options *options = private_options("alpha", "0", NULL);
    dpa_solution *s = random_fit(7, M, N, D, options);
    copy_predictor(s, D, w);
    check_steps(s, 20);
    assert_error(dpa_solution_value(s, "discrepancy", &value), DPA_E_NOT_RELEASABLE, "discrepancy");
    assert_ok(dpa_solution_array(s, "source_weights", q, M));
    for (size_t i = 0; i < M; ++i) assert_true(q[i] == 0);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);

    options = private_options("alpha", "1", "delta", "0", NULL); /* pure: only the discrepancy */
    s = random_fit(7, M, N, D, options);
    copy_predictor(s, D, w);
    assert_true(solution_number(s, "discrepancy") >= 0);
    assert_error(dpa_solution_array(s, "target_weights", q, N), DPA_E_NOT_RELEASABLE, "weights");
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

static void paper_method_releases_its_weights(void **state) {
    (void)state;
    static const char *const sizes[] = {"paper", "scaled"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options =
            private_options("method", "paper", "iterations", "30", "kappa_2", "0.1", "kappa_inf",
                            "0.1", "step_sizes", sizes[k], NULL);
        dpa_solution *s = random_fit(7, M, N, D, options);
        double w[D + 1], source[M], target[N];
        copy_predictor(s, D, w);
        check_not_released(s);
        check_steps(s, 30);
        assert_true(solution_number(s, "discrepancy") >= 0);
        assert_ok(dpa_solution_array(s, "source_weights", source, M));
        assert_ok(dpa_solution_array(s, "target_weights", target, N));
        for (size_t i = 0; i < M; ++i)
            assert_true(source[i] > 0 &&
                        source[i] <= solution_number(s, "alpha") / M * (1 + 1e-12));
        check_weights(target, N, 0);
        dpa_solution_destroy(s);
        dpa_options_destroy(options);
    }
}

static void source_private_and_both(void **state) {
    (void)state;
    static const char *const methods[][2] = {
        {"alpha", "auto"}, {"alpha", "0.5"}, {"method", "paper"}};
    double w[D + 1], q[M];
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        const int paper = k == 2;
        dpa_options *options = private_options("private_domain", "source", methods[k][0],
                                               methods[k][1], "iterations", "20", NULL);
        dpa_solution *s = random_fit(7, M, N, D, options);
        copy_predictor(s, D, w);
        assert_ok(dpa_solution_array(s, "target_weights", q, N));
        check_weights(q, N, k == 0);
        assert_status(dpa_solution_array(s, "source_weights", q, M),
                      paper ? DPA_OK : DPA_E_NOT_RELEASABLE);
        dpa_solution_destroy(s);
        dpa_options_destroy(options);

        options = both_private(methods[k][0], methods[k][1]);
        assert_ok(dpa_options_parse(options, "iterations", "20"));
        s = random_fit(7, M, N, D, options);
        copy_predictor(s, D, w);
        assert_at_most(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]),
                       2 * (1 + 1e-12));
        assert_status(dpa_solution_array(s, "source_weights", q, M),
                      paper ? DPA_OK : DPA_E_NOT_RELEASABLE);
        assert_status(dpa_solution_array(s, "target_weights", q, N),
                      paper ? DPA_OK : DPA_E_NOT_RELEASABLE);
        dpa_solution_destroy(s);
        dpa_options_destroy(options);
    }
}

/* Nobody can choose them from data: each missing one is named, before anything is charged. */
static void both_private_needs_numbers(void **state) {
    (void)state;
    static const char *const missing[][2] = {{"preprocess", "standardize"},
                                             {"feature_radius", "auto"},
                                             {"feature_radius", "quantile"},
                                             {"label_bound", "auto"},
                                             {"label_bound", "quantile"},
                                             {"radius", "auto"},
                                             {"kappa_1", "auto"},
                                             {"clip_bound", "auto"},
                                             {"discrepancy_center", "source"}};
    dpa_problem *problem = random_problem(7, M, N, D);
    for (size_t k = 0; k < LENGTH(missing); ++k) {
        dpa_options *options = both_private(missing[k][0], missing[k][1]);
        /* these only a discrepancy needs, which alpha = auto does without */
        if (strcmp(missing[k][0], "label_bound") == 0 || k == LENGTH(missing) - 1)
            assert_ok(dpa_options_parse(options, "alpha", "0.5"));
        dpa_solution *s = (dpa_solution *)options;
        assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_OPTION, missing[k][0]);
        assert_null(s);
        dpa_options_destroy(options);
    }
    dpa_options *complete = both_private(NULL, NULL);
    dpa_solution_destroy(solve(problem, complete)); /* nothing was charged */
    dpa_options_destroy(complete);
    dpa_problem_destroy(problem);
}

static void what_contradicts_is_refused(void **state) {
    (void)state;
    static const char *const unset[] = {"epsilon", "delta"};
    dpa_problem *problem = random_problem(7, M, N, D);
    dpa_solution *s = NULL;
    assert_error(dpa_solve(problem, NULL, NULL, &s), DPA_E_OPTION, "epsilon", "delta");
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = private_options(unset[k], "unset", NULL);
        assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_OPTION, unset[k]);
        dpa_options_destroy(options);
    }
    static const struct {
        const char *name, *text;
        dpa_status status;
    } refused[] = {{"delta", "0", DPA_E_OPTION},
                   {"private_domain", "none", DPA_E_OPTION},
                   {"discrepancy_method", "dca", DPA_E_OPTION},
                   {"noise_multiplier", "1", DPA_E_OPTION},
                   {"lambda_1", "1", DPA_E_OPTION},
                   {"grid_bits", "24", DPA_OK}};
    for (size_t k = 0; k < LENGTH(refused); ++k) {
        dpa_options *options = private_options(refused[k].name, refused[k].text, NULL);
        assert_status(dpa_solve(problem, NULL, options, &s), refused[k].status);
        dpa_options_destroy(options);
    }
    dpa_solution_destroy(s); /* of the last, which nothing before had spent anything of */
    dpa_problem_destroy(problem);
}

/* A given discrepancy must have been released privately, for the same domain. */
static void given_discrepancies_are_checked(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(7, M, N, D);
    dpa_options *plain = public_options(NULL);
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_options *source = private_options("alpha", "0.5", "private_domain", "source", NULL);
    dpa_discrepancy *open = NULL, *released = NULL;
    dpa_solution *s = (dpa_solution *)problem;
    double value, other = 7, w[D];
    assert_ok(dpa_discrepancy_estimate(problem, plain, &open));
    assert_error(dpa_solve(problem, open, options, &s), DPA_E_OPTION, "discrepancy", "privately");
    assert_null(s);
    assert_ok(dpa_discrepancy_estimate(problem, options, &released));
    assert_ok(dpa_discrepancy_value(released, "value", &value));
    assert_true(value >= 0);
    assert_error(dpa_discrepancy_value(released, "lower", &other), DPA_E_NOT_RELEASABLE, "value");
    assert_error(dpa_discrepancy_value(released, "upper", &other), DPA_E_NOT_RELEASABLE, "value");
    assert_error(dpa_discrepancy_maximizer(released, w, D), DPA_E_NOT_RELEASABLE, "value");
    assert_error(dpa_discrepancy_value(released, "intercept", &other), DPA_E_NOT_RELEASABLE,
                 "value");
    assert_true(other == 7);
    assert_error(dpa_solve(problem, released, source, &s), DPA_E_OPTION, "private_domain");
    assert_ok(dpa_solve(problem, released, options, &s)); /* from the same budget */
    assert_true(solution_number(s, "discrepancy") == value);
    dpa_solution_destroy(s);
    dpa_discrepancy_destroy(released);
    dpa_discrepancy_destroy(open);
    dpa_options_destroy(source);
    dpa_options_destroy(options);
    dpa_options_destroy(plain);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_release_a_predictor),
        cmocka_unit_test(little_noise_learns_the_target),
        cmocka_unit_test(little_noise_couples_weights_as_none_does),
        cmocka_unit_test(fixed_alpha_releases_a_discrepancy),
        cmocka_unit_test(alpha_at_its_ends),
        cmocka_unit_test(paper_method_releases_its_weights),
        cmocka_unit_test(source_private_and_both),
        cmocka_unit_test(both_private_needs_numbers),
        cmocka_unit_test(what_contradicts_is_refused),
        cmocka_unit_test(given_discrepancies_are_checked),
    };
    return cmocka_run_group_tests_name("private_solve", tests, NULL, NULL);
}
