/* What one compiler got right and another did not: rows that are aligned to no more than a double,
 * and reports that come back from bytes. */
#include "unit/private.h"

/* The problem borrows rows that begin 8 bytes after a multiple of 64. */
static dpa_problem *problem_of_shifted_rows(const instance *a, void **memory) {
    const size_t size = (a->m + a->n) * a->d;
    *memory = aligned_alloc(64, (size + 8) / 8 * 64);
    assert_non_null(*memory);
    double *x = (double *)*memory + 1;
    memcpy(x, a->xs, size * sizeof(double));
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_lend_sample(
        problem, DPA_SOURCE, (dpa_matrix){x, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    assert_ok(dpa_problem_lend_sample(
        problem, DPA_TARGET, (dpa_matrix){x + a->m * a->d, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt,
        a->n));
    return problem;
}

/* Odd widths leave every second row without an alignment of 16 bytes. */
static void rows_of_odd_width(void **state) {
    (void)state;
    static const size_t widths[] = {1, 9, 17};
    for (size_t k = 0; k < LENGTH(widths); ++k) {
        const size_t d = widths[k];
        instance a = instance_random(5, 50, 30, d);
        void *memory = NULL;
        dpa_problem *shifted = problem_of_shifted_rows(&a, &memory), *copied = instance_problem(&a);
        dpa_options *options = public_options(NULL);
        dpa_solution *one = solve(shifted, options), *other = solve(copied, options);
        double x[17], y[17];
        assert_ok(dpa_solution_array(one, "coefficients", x, d));
        assert_ok(dpa_solution_array(other, "coefficients", y, d));
        assert_same_bits(x, y, d);
        dpa_solution_destroy(one);
        dpa_solution_destroy(other);
        dpa_options_destroy(options);
        dpa_problem_destroy(shifted);
        dpa_problem_destroy(copied);
        free(memory);
        instance_free(a);
    }
}

/* The report is text among the bytes: its length comes first, then the letters. */
static void a_saved_report_comes_back(void **state) {
    (void)state;
    static uint8_t bytes[1 << 16], again[1 << 16];
    dpa_problem *problem = random_problem(6, 200, 100, 9);
    dpa_options *options = private_options(NULL);
    dpa_solution *solution = solve(problem, options), *loaded = NULL;
    size_t size = 0, size_again = 0;
    assert_ok(dpa_solution_serialize(solution, 1, bytes, sizeof bytes, &size));
    assert_ok(dpa_solution_deserialize(bytes, size, &loaded));
    char *before = solution_report(solution, DPA_REPORT_TEXT);
    char *after = solution_report(loaded, DPA_REPORT_TEXT);
    assert_string_equal(before, after);
    assert_ok(dpa_solution_serialize(loaded, 1, again, sizeof again, &size_again));
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    free(before);
    free(after);
    dpa_solution_destroy(solution);
    dpa_solution_destroy(loaded);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_odd_width),
        cmocka_unit_test(a_saved_report_comes_back),
    };
    return cmocka_run_group_tests_name("compilers", tests, NULL, NULL);
}
