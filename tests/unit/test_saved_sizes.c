/* solution.h: how large saved solutions are, of many rows and after many releases. */
#include "unit/private.h"

static size_t predictor_size(size_t m, size_t n, size_t d) {
    dpa_problem *problem = random_problem(6, m, n, d);
    dpa_options *options = private_options("unsafe_seed", "1", NULL);
    dpa_solution *solution = NULL;
    size_t size = 0;
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    assert_status(dpa_solution_serialize(solution, 0, NULL, 0, &size), DPA_E_BUFFER);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return size;
}

/* What an engine sends to every worker: the report of the promise, and the predictor. */
static void a_predictor_does_not_grow_with_the_samples(void **state) {
    (void)state;
    enum { kMost = 16384 + 21 * sizeof(double), kDigits = 256 };
    const size_t few = predictor_size(2000, 1000, 20), many = predictor_size(8000, 4000, 20);
    assert_true(few <= kMost && many <= kMost);
    assert_true((few > many ? few - many : many - few) < kDigits);
}

/* Each report has the releases of all fits before, too. */
static void solutions_of_many_releases_come_back(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(8, 30, 20, 3);
    dpa_options *options = private_options(NULL);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.05"));
    assert_ok(dpa_options_parse(options, "delta", "1e-7"));
    for (int fit = 0; fit < 20; ++fit) {
        dpa_solution *solution = solve(problem, options), *copy = NULL;
        uint8_t bytes[16384];
        size_t size = 0;
        assert_ok(dpa_solution_serialize(solution, 0, bytes, sizeof bytes, &size));
        assert_ok(dpa_solution_deserialize(bytes, size, &copy));
        dpa_solution_destroy(copy);
        dpa_solution_destroy(solution);
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_predictor_does_not_grow_with_the_samples),
        cmocka_unit_test(solutions_of_many_releases_come_back),
    };
    return cmocka_run_group_tests_name("saved_sizes", tests, NULL, NULL);
}
