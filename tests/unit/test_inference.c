/* solution.h: what is known of coefficients, and what its intervals cover. */
#include "unit/private.h"

enum { D = 2, P = D + 1 };

/* Linear labels with normal noise; the target's slopes differ by `shift`. */
static instance draw(uint64_t *state, size_t m, size_t n, double shift) {
    instance a = instance_allocate(m, n, D);
    for (size_t i = 0; i < m + n; ++i) {
        double *x = i < m ? a.xs + i * D : a.xt + (i - m) * D;
        double *y = i < m ? a.ys + i : a.yt + (i - m);
        for (size_t k = 0; k < D; ++k) x[k] = normal(state);
        const double moved = i < m ? 0.0 : shift;
        *y = (1.0 + moved) * x[0] - x[1] + 0.5 + normal(state);
    }
    return a;
}

typedef struct {
    double covered; /* share of all intervals */
    double below;   /* share of the p-values below 1/2 */
} coverage;

/* Private fits with the noise of fixed seeds: the same intervals in every run of the test. */
static coverage cover(int runs, size_t n, double shift, dpa_options *options, int is_private) {
    uint64_t state = 17;
    coverage found = {0, 0};
    const double truth[P] = {1.0 + shift, -1.0, 0.5};
    for (int run = 0; run < runs; ++run) {
        instance a = draw(&state, 1500, n, shift);
        dpa_problem *problem = instance_problem(&a);
        if (is_private) assert_ok(dpa_options_set(options, "unsafe_seed", run));
        dpa_solution *fit = solve(problem, options);
        double ends[2 * P];
        assert_ok(dpa_solution_intervals(fit, 0.95, ends, 2 * P));
        const double p_value = solution_number(fit, "domain_p_value");
        for (size_t k = 0; k < P; ++k)
            found.covered += ends[k] <= truth[k] && truth[k] <= ends[P + k] ? 1.0 / P / runs : 0.0;
        found.below += p_value < 0.5 ? 1.0 / runs : 0.0;
        dpa_solution_destroy(fit);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
    return found;
}

/* 600 intervals: three deviations are 0.027. Noise is half and more of what they are made of. */
static void private_intervals_cover(void **state) {
    (void)state;
    dpa_options *options =
        private_options("epsilon", "1", "delta", "1e-5", "inference", "yes", NULL);
    for (int shifted = 0; shifted < 2; ++shifted) {
        const coverage found = cover(200, 500, shifted ? 0.3 : 0.0, options, 1);
        assert_true(found.covered >= 0.92 && found.covered <= 0.985);
        if (!shifted) assert_true(found.below >= 0.38 && found.below <= 0.62);
        if (shifted) assert_true(found.below > 0.9);
    }
    dpa_options_destroy(options);
}

static void intervals_without_privacy_cover(void **state) {
    (void)state;
    dpa_options *options = public_options(NULL);
    for (int shifted = 0; shifted < 2; ++shifted) {
        const coverage found = cover(200, 60, shifted ? 1.0 : 0.0, options, 0);
        assert_true(found.covered >= 0.92 && found.covered <= 0.985);
        if (!shifted) assert_true(found.below >= 0.38 && found.below <= 0.65);
        if (shifted) assert_true(found.below > 0.99);
    }
    dpa_options_destroy(options);
}

/* Least squares of the target alone; one feature, so that the sums are short. */
static void without_privacy_it_is_the_sandwich(void **state) {
    (void)state;
    const size_t n = 12;
    instance a = instance_random(5, 40, n, 1);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("intercept", "false", NULL);
    dpa_solution *fit = solve(problem, options);
    double estimate = 0, covariance = 0, ends[2], xx = 0, xy = 0, meat = 0;
    for (size_t i = 0; i < n; ++i) {
        xx += a.xt[i] * a.xt[i];
        xy += a.xt[i] * a.yt[i];
    }
    for (size_t i = 0; i < n; ++i) {
        const double residual = a.yt[i] - xy / xx * a.xt[i];
        const double leverage = a.xt[i] * a.xt[i] / xx;
        meat += pow(a.xt[i] * residual / (1 - leverage), 2);
    }
    assert_ok(dpa_solution_array(fit, "target_estimate", &estimate, 1));
    assert_ok(dpa_solution_array(fit, "covariance", &covariance, 1));
    assert_close(estimate, xy / xx, 1e-9, 1e-12);
    assert_close(covariance, meat / (xx * xx), 1e-9, 0);
    assert_ok(dpa_solution_intervals(fit, 0.95, ends, 2));
    assert_close((ends[1] - ends[0]) / 2, 2.2009851601 * sqrt(covariance), 1e-7, 0); /* t of 11 */
    assert_close((ends[1] + ends[0]) / 2, estimate, 1e-12, 1e-12);
    dpa_solution_destroy(fit);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void check_none(dpa_problem *problem, const dpa_options *options, dpa_status status,
                       const char *reason) {
    dpa_solution *fit = solve(problem, options);
    double out[2 * P];
    assert_error(dpa_solution_array(fit, "target_estimate", out, P), status, reason);
    assert_error(dpa_solution_array(fit, "covariance", out, P * P), status, reason);
    assert_error(dpa_solution_intervals(fit, 0.9, out, 2 * P), status, reason);
    assert_error(dpa_solution_value(fit, "domain_p_value", out), status, reason);
    dpa_solution_destroy(fit);
}

static void reasons_are_told(void **state) {
    (void)state;
    uint64_t seed = 3;
    instance a = draw(&seed, 200, 80, 0.0);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *plain = private_options(NULL), *no = public_options("inference", "no", NULL);
    check_none(problem, plain, DPA_E_NOT_RELEASABLE, "option inference = yes makes that release");
    dpa_problem_destroy(problem);
    problem = instance_problem(&a);
    check_none(problem, no, DPA_E_UNSUPPORTED, "it had inference = no");
    dpa_problem_destroy(problem);
    for (size_t i = 0; i < 80; ++i) a.xt[i * D + 1] = 2.0 * a.xt[i * D] + 1.0;
    problem = instance_problem(&a);
    dpa_options *yes = public_options("inference", "yes", NULL);
    check_none(problem, yes, DPA_E_UNSUPPORTED, "do not determine all coefficients");
    dpa_problem_destroy(problem);
    instance few = a;
    few.n = P;
    problem = instance_problem(&few);
    check_none(problem, yes, DPA_E_UNSUPPORTED, "no more rows than coefficients");
    dpa_problem_destroy(problem);
    int64_t persons[80];
    for (size_t i = 0; i < 80; ++i) persons[i] = (int64_t)(i / 2);
    problem = instance_problem(&a);
    assert_ok(dpa_problem_set_groups(problem, DPA_TARGET, persons, 80));
    dpa_options *automatic = public_options(NULL);
    check_none(problem, automatic, DPA_E_UNSUPPORTED, "the target's rows belong to persons");
    dpa_options_destroy(automatic);
    dpa_options_destroy(plain);
    dpa_options_destroy(no);
    dpa_options_destroy(yes);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void what_cannot_be_is_refused_before_it_is_paid(void **state) {
    (void)state;
    uint64_t seed = 3;
    instance a = draw(&seed, 200, 80, 0.0);
    const struct {
        const char *option, *value, *reason;
    } cases[] = {{"alpha", "0.5", "need method = profile, alpha = auto"},
                 {"loss", "softmax", "one linear score"},
                 {"loss", "pinball", "need a loss that is not pinball"},
                 {"private_domain", "both", ""}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options =
            private_options("inference", "yes", cases[k].option, cases[k].value, NULL);
        dpa_solution *fit = NULL;
        const dpa_status status = dpa_solve(problem, NULL, options, &fit);
        assert_true(status == DPA_E_UNSUPPORTED || (k == 3 && status == DPA_E_OPTION));
        assert_non_null(strstr(dpa_last_error(), cases[k].reason));
        char *report = problem_report(problem, DPA_REPORT_JSON);
        assert_null(strstr(report, "gradient"));
        free(report);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

/* A private source: the target's rows alone tell, at no cost. */
static void a_public_target_needs_no_release(void **state) {
    (void)state;
    uint64_t seed = 3;
    instance a = draw(&seed, 200, 80, 0.0);
    dpa_problem *problem = instance_problem(&a), *other = instance_problem(&a);
    dpa_options *source = private_options("private_domain", "source", NULL);
    dpa_options *none = public_options(NULL);
    dpa_solution *fits[] = {solve(problem, source), solve(other, none)};
    double one[P], two[P], value = 0;
    assert_ok(dpa_solution_array(fits[0], "target_estimate", one, P));
    assert_ok(dpa_solution_array(fits[1], "target_estimate", two, P));
    for (size_t k = 0; k < P; ++k) assert_close(one[k], two[k], 1e-8, 1e-10);
    assert_status(dpa_solution_value(fits[0], "domain_distance", &value), DPA_E_UNSUPPORTED);
    for (size_t k = 0; k < 2; ++k) dpa_solution_destroy(fits[k]);
    dpa_options_destroy(source);
    dpa_options_destroy(none);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(other);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_intervals_cover),
        cmocka_unit_test(intervals_without_privacy_cover),
        cmocka_unit_test(without_privacy_it_is_the_sandwich),
        cmocka_unit_test(reasons_are_told),
        cmocka_unit_test(what_cannot_be_is_refused_before_it_is_paid),
        cmocka_unit_test(a_public_target_needs_no_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
