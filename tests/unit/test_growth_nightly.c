/* Time grows as documented: by ratios of processor time, so that no machine is too slow. */
#include <time.h>

#include "unit/private.h"

enum { kTries = 3 };

/* Least processor time of a fit without privacy. */
static double time_of_fit(size_t m, size_t n, size_t d) {
    instance a = instance_random(8, m, n, d);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("alpha", "0.5", NULL);
    double least = INFINITY;
    for (int k = 0; k < kTries; ++k) {
        clock_t begin = clock();
        dpa_solution_destroy(solve(problem, options));
        least = fmin(least, (double)(clock() - begin));
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return least;
}

/* Linear would be 8; the cube, as before, 512. */
static void features_beyond_the_rows_are_linear(void **state) {
    (void)state;
    assert_at_most(time_of_fit(50, 40, 8000), 24 * time_of_fit(50, 40, 1000));
}

/* Linear would be 8. */
static void rows_are_linear(void **state) {
    (void)state;
    assert_at_most(time_of_fit(80000, 8000, 4), 24 * time_of_fit(10000, 1000, 4));
}

/* Processor time of that many private calls. */
static double time_of_calls(dpa_problem *problem, const dpa_options *options, int count) {
    clock_t begin = clock();
    for (int k = 0; k < count; ++k) dpa_solution_destroy(solve(problem, options));
    return (double)(clock() - begin);
}

/* A call lists the earlier ones in its report and does no other work for them. */
static void later_calls_on_a_ledger_are_not_much_dearer(void **state) {
    dpa_problem *problem = random_problem(9, 20, 10, 2);
    dpa_options *budget = private_options("epsilon", "20", "delta", "1e-6", NULL);
    dpa_options *options =
        private_options("epsilon", "20", "delta", "1e-6", "noise_multiplier", "10000", "iterations",
                        "2", "moments_share", "0", "anchor", "least_squares", NULL);
    dpa_ledger *ledger = NULL;
    (void)state;
    assert_ok(dpa_ledger_create(budget, 0, &ledger));
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    double first = time_of_calls(problem, options, 50);
    (void)time_of_calls(problem, options, 400);
    assert_at_most(time_of_calls(problem, options, 50), 8 * first);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_beyond_the_rows_are_linear),
        cmocka_unit_test(rows_are_linear),
        cmocka_unit_test(later_calls_on_a_ledger_are_not_much_dearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
