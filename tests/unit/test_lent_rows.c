/* A private fit does not hold lent rows a second time: its peak of memory above theirs. */
#include <sys/resource.h>

#include "unit/private.h"

enum { kRows = 900000, kPublic = 2000, kColumns = 20 };

static double peak_bytes(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

static double *numbers(size_t count) {
    double *values = malloc(count * sizeof *values);
    assert_non_null(values);
    uint64_t state = 3;
    for (size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        values[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
    return values;
}

static void check_peak(double *x, double *y, int32_t layout) {
    const size_t apart = layout == DPA_ROW_MAJOR ? kColumns : kRows;
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    dpa_options *options = private_options("iterations", "3", "threads", "2", NULL);
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_lend_sample(problem, DPA_SOURCE,
                                      (dpa_matrix){x, kPublic, kColumns, kColumns, DPA_ROW_MAJOR},
                                      y, kPublic));
    assert_ok(dpa_problem_lend_sample(problem, DPA_TARGET,
                                      (dpa_matrix){x, kRows, kColumns, apart, layout}, y, kRows));
    const double before = peak_bytes();
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    const double data = 8.0 * kRows * (kColumns + 1);
    print_message("peak / lent data: %.3f\n", 1.0 + (peak_bytes() - before) / data);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_at_most(peak_bytes() - before, 0.1 * data);
#endif
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void lent_rows_are_not_copied(void **state) {
    (void)state;
    double *x = numbers((size_t)kRows * kColumns), *y = numbers(kRows);
    check_peak(x, y, DPA_ROW_MAJOR);
    check_peak(x, y, DPA_COL_MAJOR);
    free(y);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lent_rows_are_not_copied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
