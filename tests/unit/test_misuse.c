/* Ways to get more out of a private problem than it has promised: each is refused, and costs
 * nothing. */
#include "unit/private.h"

enum { M = 60, N = 40, D = 2 };

static void spent_nothing(const dpa_problem *problem) {
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_int_equal(json_count(json, "releases"), 0);
    free(json);
}

/* The sample that one call protects is public for the other. */
static void another_private_domain(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *budget = private_options("epsilon", "4", NULL);
    dpa_options *target = private_options("alpha", "0.5", "discrepancy", "0", NULL);
    dpa_options *source =
        private_options("alpha", "0.5", "discrepancy", "0", "private_domain", "source", NULL);
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_set_budget(problem, budget));
    assert_ok(dpa_solve(problem, NULL, target, &solution));
    dpa_solution_destroy(solution);
    assert_status(dpa_solve(problem, NULL, source, &solution), DPA_E_STATE);
    dpa_options_destroy(source);
    dpa_options_destroy(target);
    dpa_options_destroy(budget);
    dpa_problem_destroy(problem);
}

static dpa_problem *running;
static dpa_status answers[2];

static int32_t meddle(const dpa_progress *progress, void *user) {
    const double x[D] = {1, 2};
    const double y[1] = {3};
    dpa_solution *solution = NULL;
    (void)progress;
    answers[0] =
        dpa_problem_set_sample(running, DPA_TARGET, (dpa_matrix){x, 1, D, D, DPA_ROW_MAJOR}, y, 1);
    answers[1] = dpa_solve(running, NULL, user, &solution);
    return 0;
}

static void meddling_callbacks(void **state) {
    (void)state;
    running = random_problem(1, M, N, D);
    dpa_options *options = private_options(NULL);
    dpa_options *other = private_options(NULL);
    dpa_solution *solution = NULL;
    assert_ok(dpa_options_set_progress(options, meddle, other));
    assert_ok(dpa_solve(running, NULL, options, &solution));
    assert_int_equal(answers[0], DPA_E_STATE);
    assert_int_equal(answers[1], DPA_E_STATE);
    dpa_solution_destroy(solution);
    dpa_options_destroy(other);
    dpa_options_destroy(options);
    dpa_problem_destroy(running);
}

static void discrepancies_of_other_problems(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_problem *other = random_problem(1, M, N, D);
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_discrepancy *discrepancy = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_discrepancy_estimate(other, options, &discrepancy));
    assert_status(dpa_solve(problem, discrepancy, options, &solution), DPA_E_OPTION);
    spent_nothing(problem);
    assert_ok(dpa_solve(other, discrepancy, options, &solution));
    dpa_solution_destroy(solution);
    dpa_discrepancy_destroy(discrepancy);
    dpa_options_destroy(options);
    dpa_problem_destroy(other);
    dpa_problem_destroy(problem);
}

/* Where the certificate of a discrepancy could overflow for some records and not for others. */
static void extreme_bounds(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    const char *const sizes[] = {"1e100", "1e-100"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options =
            private_options("preprocess", "none", "intercept", "false", "feature_radius", sizes[k],
                            "label_bound", sizes[k], "radius", "1", NULL);
        dpa_discrepancy *discrepancy = NULL;
        assert_status(dpa_discrepancy_estimate(problem, options, &discrepancy), DPA_E_OPTION);
        spent_nothing(problem);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
}

static void nothing_to_fit(void **state) {
    (void)state;
    const double zeros[6] = {0};
    const double labels[3] = {1, 2, 3};
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){zeros, 3, 2, 2, DPA_ROW_MAJOR}, labels, 3));
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                     (dpa_matrix){zeros, 3, 2, 2, DPA_ROW_MAJOR}, labels, 3));
    dpa_options *options = private_options("intercept", "false", "method", "paper", "alpha", "0.5",
                                           "discrepancy", "0", NULL);
    assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_OPTION);
    spent_nothing(problem);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* What is no misuse: the budget's own options, and a fit without privacy, which the report
 * mentions. */
static void budgets_and_plain_fits(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options(NULL);
    dpa_options *plain = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    dpa_solution_destroy(solution);
    char *before = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(before, "unprotected_results", "false"));
    assert_ok(dpa_options_create(&plain));
    assert_ok(dpa_options_parse(plain, "private_domain", "none"));
    assert_ok(dpa_solve(problem, NULL, plain, &solution));
    dpa_solution_destroy(solution);
    char *after = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(after, "unprotected_results", "true"));
    free(after);
    free(before);
    dpa_options_destroy(plain);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void very_many_records(void **state) {
    (void)state;
    const char *const epsilons[] = {"1", "100"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = private_options("epsilon", epsilons[k], "delta", "1e-3", NULL);
        dpa_plan *plan = NULL;
        assert_ok(dpa_plan_create(1000000000, 1000000000, k ? 100 : 1, options, &plan));
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_private_domain),
        cmocka_unit_test(meddling_callbacks),
        cmocka_unit_test(discrepancies_of_other_problems),
        cmocka_unit_test(extreme_bounds),
        cmocka_unit_test(nothing_to_fit),
        cmocka_unit_test(budgets_and_plain_fits),
        cmocka_unit_test(very_many_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
