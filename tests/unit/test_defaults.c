/* The defaults on data that tempt them: constant columns, wild labels, samples without noise. */
#include "check.h"

enum { M = 300, N = 20 };

/* y = a + 1 + small noise; column c is constant in both samples. */
static instance with_constant(double constant, size_t m) {
    uint64_t seed = 11;
    instance a = instance_allocate(m, N, 2);
    for (size_t i = 0; i < m + N; ++i) {
        a.xs[2 * i] = normal(&seed);
        a.xs[2 * i + 1] = constant;
        a.ys[i] = a.xs[2 * i] + 1 + 0.1 * normal(&seed);
    }
    return a;
}

/* Whatever the rounding error of its mean, a constant column changes nothing. */
static void constant_columns_are_without_effect(void **state) {
    (void)state;
    static const double constants[] = {0,   7,    1013.25, 0.01, 0.1,  0.2, 0.7,
                                       1.1, 2.54, 3.3,     9.81, -1e9, 1e-9};
    static const char *const preprocess[] = {"standardize", "whiten"};
    for (size_t m = 100; m <= 1000; m *= 10)
        for (size_t p = 0; p < LENGTH(preprocess); ++p)
            for (size_t k = 0; k < LENGTH(constants); ++k) {
                static double
                    expected[3]; /* of the first constant, 0, which leaves no rounding error */
                instance a = with_constant(constants[k], m);
                dpa_problem *problem = instance_problem(&a);
                dpa_options *options =
                    public_options("preprocess", preprocess[p], "alpha", "0.9", NULL);
                dpa_solution *solution = solve(problem, options);
                double w[2];
                assert_ok(dpa_solution_array(solution, "coefficients", w, 2));
                const double found[3] = {w[0], solution_number(solution, "radius"),
                                         solution_number(solution, "discrepancy")};
                if (k == 0) memcpy(expected, found, sizeof found);
                for (size_t i = 0; i < 3; ++i) assert_close(found[i], expected[i], 1e-7, 0);
                assert_close(w[0], 1, 0.1, 0);
                assert_close(w[1], 0, 0, 1e-12);
                dpa_solution_destroy(solution);
                dpa_options_destroy(options);
                dpa_problem_destroy(problem);
                instance_free(a);
            }
}

/* Spoilt labels, too many for codes, make the estimated discrepancy huge, and with it a constant of
 * the objective; the fit must be as exact as without it. */
static void a_huge_discrepancy_does_not_loosen_the_tolerance(void **state) {
    (void)state;
    instance a = instance_random(5, M, N, 3);
    double expected[3], w[3], objective, gap;
    for (size_t round = 0; round < 4; ++round) {
        a.yt[3] = pow(10, 6 + (double)round);
        a.yt[7] = a.yt[3] / 2;
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options =
            public_options("discrepancy", "1e12", "kappa_1", "1", "radius", "10", NULL);
        dpa_solution *loose = solve(problem, options);
        assert_ok(dpa_options_parse(options, "tolerance", "1e-12"));
        dpa_solution *tight = solve(problem, options);
        assert_ok(dpa_solution_array(loose, "coefficients", w, 3));
        assert_ok(dpa_solution_array(tight, "coefficients", expected, 3));
        /* What the discrepancy costs at least, alpha (2 sqrt(kappa_1 d) - kappa_1), does not
         * count. */
        const double constant = solution_number(loose, "alpha") * (2e6 - 1);
        assert_ok(dpa_solution_value(loose, "objective", &objective));
        assert_ok(dpa_solution_value(loose, "duality_gap", &gap));
        assert_true(gap <= 1e-8 * (1 + 1e-6) * (objective - constant));
        /* Labels of 10^9 are nearly all of the last objective. */
        for (size_t j = 0; j < 3 && round < 3; ++j) assert_close(w[j], expected[j], 0.02, 0.02);
        dpa_solution_destroy(tight);
        dpa_solution_destroy(loose);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

/* A source that can be fitted exactly tells nothing about the noise: kappa_1 is the label scale
 * then. */
static void exact_source_gives_a_price_on_the_scale_of_the_labels(void **state) {
    (void)state;
    instance a = instance_allocate(2, 2, 3);
    for (size_t i = 0; i < 12; ++i) a.xs[i] = (double)(i * i % 7);
    for (size_t i = 0; i < 4; ++i) a.ys[i] = 1 + (double)i;
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("preprocess", "none", "alpha", "0.5", NULL);
    dpa_solution *solution = solve(problem, options);
    assert_close(solution_number(solution, "kappa_1"), (1.0 + 4.0) / 2, 1e-12, 0);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* tolerance = 0 asks for more than double precision has. */
static void no_tolerance_ends_in_precision(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(3, 50, 20, 4);
    dpa_options *options = public_options("tolerance", "0", NULL);
    dpa_solution *solution = solve(problem, options);
    int32_t termination = -1;
    double gap = 0;
    termination = (int32_t)solution_number(solution, "termination");
    assert_ok(dpa_solution_value(solution, "duality_gap", &gap));
    assert_int_equal(termination, DPA_TERMINATION_PRECISION);
    assert_true(gap > 0);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_columns_are_without_effect),
        cmocka_unit_test(a_huge_discrepancy_does_not_loosen_the_tolerance),
        cmocka_unit_test(exact_source_gives_a_price_on_the_scale_of_the_labels),
        cmocka_unit_test(no_tolerance_ends_in_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
