/* The option `threads` changes no bit of any result. */
#include "check.h"

enum { kRows = 5000, kTargets = 3001, kCols = 7 };

typedef struct {
    double coefficients[kCols], intercept, objective, gap, discrepancy, lower, upper;
    double maximizer[kCols], source_weights[kRows], target_weights[kTargets];
    int64_t iterations;
} results;

static void run(dpa_problem *problem, const dpa_options *options, results *r) {
    dpa_discrepancy *discrepancy = NULL;
    dpa_solution *solution = solve(problem, options);
    memset(r, 0, sizeof *r); /* padding too: results are compared as bytes */
    assert_ok(dpa_solution_array(solution, "coefficients", r->coefficients, kCols));
    assert_ok(dpa_solution_array(solution, "intercept", &r->intercept, 1));
    assert_ok(dpa_solution_value(solution, "objective", &r->objective));
    assert_ok(dpa_solution_value(solution, "duality_gap", &r->gap));
    assert_ok(dpa_solution_array(solution, "source_weights", r->source_weights, kRows));
    assert_ok(dpa_solution_array(solution, "target_weights", r->target_weights, kTargets));
    r->iterations = (int64_t)solution_number(solution, "iterations");
    dpa_solution_destroy(solution);
    assert_ok(dpa_discrepancy_estimate(problem, options, &discrepancy));
    assert_ok(dpa_discrepancy_value(discrepancy, "value", &r->discrepancy));
    r->lower = discrepancy_number(discrepancy, "lower");
    r->upper = discrepancy_number(discrepancy, "upper");
    assert_ok(dpa_discrepancy_maximizer(discrepancy, r->maximizer, kCols));
    dpa_discrepancy_destroy(discrepancy);
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    static const char *const counts[] = {"2", "3", "8", "100"};
    results *one = malloc(sizeof *one), *many = malloc(sizeof *many);
    dpa_problem *problem = random_problem(9, kRows, kTargets, kCols);
    for (size_t i = 0; i < LENGTH(ways); ++i) {
        dpa_options *options = public_options("preprocess", ways[i], "kappa_2", "0.01", NULL);
        run(problem, options, one);
        for (size_t k = 0; k < LENGTH(counts); ++k) {
            assert_ok(dpa_options_parse(options, "threads", counts[k]));
            run(problem, options, many);
            assert_memory_equal(one, many, sizeof *one);
        }
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    free(one);
    free(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests_name("thread_count", tests, NULL, NULL);
}
