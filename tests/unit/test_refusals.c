/* Calls that cannot mean anything are refused by name, rule and value, and leave no result. */
#include "unit/private.h"

enum { M = 12, N = 9, D = 2 };

static void prices_of_sampled_steps(void **state) {
    (void)state;
    double mu = 7;
    assert_error(dpa_privacy_sampled_mu(1, 0.1, 10, 9, 1e-9, &mu), DPA_E_INVALID_ARGUMENT,
                 "DPA_NEIGHBOURS_");
    assert_error(dpa_privacy_sampled_mu(0.01, 0.1, 10, DPA_NEIGHBOURS_REPLACE, 1e-9, &mu),
                 DPA_E_INVALID_ARGUMENT, "noise_multiplier must be in [0.1, 1e6]");
    assert_error(dpa_privacy_sampled_mu(0.1, 0.5, 1000000, DPA_NEIGHBOURS_REPLACE, 1e-9, &mu),
                 DPA_E_INVALID_ARGUMENT, "no mu up to 50");
    assert_true(mu == 7);
}

static void what_is_told_of_rows_is_as_long_as_they_are(void **state) {
    (void)state;
    const int64_t ids[M] = {0};
    const double numbers[M] = {0};
    dpa_problem *problem = random_problem(1, M, N, D);
    assert_error(dpa_problem_set_groups(problem, DPA_SOURCE, ids, M - 1), DPA_E_DIMENSION,
                 "n must equal the source's rows, 12, but is 11");
    assert_error(dpa_problem_set_groups(problem, DPA_TARGET, ids, M), DPA_E_DIMENSION,
                 "n must equal the target's rows, 9, but is 12");
    assert_error(dpa_problem_set_scores(problem, DPA_SOURCE, numbers, N), DPA_E_DIMENSION, "12");
    assert_error(dpa_problem_set_weights(problem, DPA_TARGET, numbers, M), DPA_E_DIMENSION, "9");
    dpa_problem_destroy(problem);
}

static void budgets(void **state) {
    (void)state;
    double value = 7;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *nothing = public_options(NULL), *options = private_options(NULL);
    dpa_ledger *ledger = NULL;
    assert_error(dpa_problem_lock(problem, nothing), DPA_E_OPTION, "nothing is to be locked");
    assert_error(dpa_ledger_create(NULL, options, 2, &ledger), DPA_E_INVALID_ARGUMENT,
                 "locks must be 0 or 1, but is 2");
    assert_null(ledger);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_error(dpa_problem_budget(problem, "temper", &value), DPA_E_OPTION_NAME, "temper");
    assert_true(value == 7);
    dpa_options_destroy(nothing);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void private_records_of_a_locked_problem_stay_unseen(void **state) {
    (void)state;
    instance a = instance_random(1, M, N, D);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *nothing = public_options(NULL), *options = private_options(NULL);
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_problem_lock(problem, options));
    assert_error(dpa_solve(problem, NULL, nothing, &solution), DPA_E_STATE, "locked");
    assert_null(solution);
    assert_error(dpa_problem_set_sample(problem, DPA_TARGET,
                                        (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR}, a.yt, N),
                 DPA_E_STATE, "the problem is locked: its samples");
    dpa_options_destroy(nothing);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* A given noise is no budget, and many fits together need one. */
static void searches_of_private_records_need_a_budget(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D), *validation = random_problem(2, M, N, D);
    dpa_options *options = NULL;
    dpa_search *search = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_options_create(&options));
    static const char *const pairs[][2] = {{"noise_multiplier", "3"},
                                           {"laplace_epsilon", "1"},
                                           {"selection_epsilon", "1"},
                                           {"selection_bound", "1"}};
    for (size_t k = 0; k < LENGTH(pairs); ++k)
        assert_ok(dpa_options_parse(options, pairs[k][0], pairs[k][1]));
    assert_ok(dpa_search_create(&search));
    assert_ok(dpa_search_add(search, "alpha", "0.2,0.5"));
    assert_error(dpa_search_run(search, problem, validation, NULL, options, &solution),
                 DPA_E_OPTION, "private records need a budget");
    assert_null(solution);
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    dpa_problem_destroy(validation);
    dpa_problem_destroy(problem);
}

static void lists_of_solutions_have_an_end(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *nothing = public_options(NULL);
    const dpa_solution *none[1] = {NULL};
    size_t chosen = 7;
    assert_error(dpa_select(problem, none, (size_t)INT32_MAX + 1, nothing, &chosen), DPA_E_OVERFLOW,
                 "count must be at most 2147483647, but is 2147483648");
    assert_int_equal(chosen, 7);
    dpa_options_destroy(nothing);
    dpa_problem_destroy(problem);
}

static void confidence_is_a_probability(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, 60, 50, D);
    dpa_options *options = public_options("inference", "yes", NULL);
    dpa_solution *solution = solve(problem, options);
    double ends[2 * (D + 1)];
    assert_ok(dpa_solution_intervals(solution, 0.9, ends, LENGTH(ends)));
    assert_error(dpa_solution_intervals(solution, 1, ends, LENGTH(ends)), DPA_E_INVALID_ARGUMENT,
                 "confidence must be in (0, 1), but is 1");
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_of_sampled_steps),
        cmocka_unit_test(what_is_told_of_rows_is_as_long_as_they_are),
        cmocka_unit_test(budgets),
        cmocka_unit_test(private_records_of_a_locked_problem_stay_unseen),
        cmocka_unit_test(searches_of_private_records_need_a_budget),
        cmocka_unit_test(lists_of_solutions_have_an_end),
        cmocka_unit_test(confidence_is_a_probability),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
