/* Time grows as documented: by ratios of processor time, so that no machine is too slow. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "unit/private.h"

enum { kTries = 3 };

/* Least processor time of a fit; takes the options. */
static double time_of_fit(size_t m, size_t n, size_t d, dpa_options *options) {
    instance a = instance_random(8, m, n, d);
    double least = INFINITY;
    for (int k = 0; k < kTries; ++k) {
        dpa_problem *problem =
            instance_problem(&a); /* of its own: a private fit spends its budget */
        clock_t begin = clock();
        dpa_solution_destroy(solve(problem, options));
        least = fmin(least, (double)(clock() - begin));
        dpa_problem_destroy(problem);
    }
    dpa_options_destroy(options);
    instance_free(a);
    return least;
}

/* Linear would be 8; the cube, as before, 512. */
static void features_beyond_the_rows_are_linear(void **state) {
    (void)state;
    assert_at_most(time_of_fit(50, 40, 8000, public_options("alpha", "0.5", NULL)),
                   24 * time_of_fit(50, 40, 1000, public_options("alpha", "0.5", NULL)));
}

static dpa_options *budget(void) {
    return private_options("epsilon", "100", "delta", "1e-6", "noise_multiplier", "1000", NULL);
}

static void features_beyond_the_rows_are_linear_with_privacy(void **state) {
    (void)state;
    assert_at_most(time_of_fit(50, 40, 8000, budget()), 24 * time_of_fit(50, 40, 1000, budget()));
}

/* Linear would be 8. */
static void rows_are_linear(void **state) {
    (void)state;
    assert_at_most(time_of_fit(80000, 8000, 4, public_options("alpha", "0.5", NULL)),
                   24 * time_of_fit(10000, 1000, 4, public_options("alpha", "0.5", NULL)));
}

/* Processor time of that many private calls. */
static double time_of_calls(dpa_problem *problem, const dpa_options *options, int count) {
    clock_t begin = clock();
    for (int k = 0; k < count; ++k) dpa_solution_destroy(solve(problem, options));
    return (double)(clock() - begin);
}

/* Linear in the earlier calls would be about 20, as copies of all entries were. */
static void check_later_calls(const char *path) {
    dpa_problem *problem = random_problem(9, 20, 10, 2);
    dpa_options *budget = private_options("epsilon", "20", "delta", "1e-6", NULL);
    dpa_options *options =
        private_options("epsilon", "20", "delta", "1e-6", "noise_multiplier", "10000", "iterations",
                        "2", "moments_share", "0", "anchor", "least_squares", NULL);
    dpa_ledger *ledger = NULL;
    if (path)
        assert_ok(dpa_ledger_create(path, budget, 0, &ledger));
    else
        assert_ok(dpa_ledger_create(NULL, budget, 0, &ledger));
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    (void)time_of_calls(problem, options, 20);
    double first = time_of_calls(problem, options, 80);
    (void)time_of_calls(problem, options, 1820);
    assert_at_most(time_of_calls(problem, options, 80), 2.5 * first);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void later_calls_on_a_ledger_cost_the_same(void **state) {
    (void)state;
    check_later_calls(NULL);
}

static void later_calls_on_a_ledger_file_cost_the_same(void **state) {
    char path[] = "/tmp/dpadapt-growth-XXXXXX";
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(unlink(path), 0);
    check_later_calls(path);
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_beyond_the_rows_are_linear),
        cmocka_unit_test(features_beyond_the_rows_are_linear_with_privacy),
        cmocka_unit_test(rows_are_linear),
        cmocka_unit_test(later_calls_on_a_ledger_cost_the_same),
        cmocka_unit_test(later_calls_on_a_ledger_file_cost_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
