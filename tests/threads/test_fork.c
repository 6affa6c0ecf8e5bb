/* Fit, fork, fit in the child within a time limit: same result, no hang. */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kCols = 6, kSeconds = 60 };

/* In the child: no assertion may run there, so the exit code tells what failed. */
static int fit_in_child(dpa_problem *problem, const dpa_options *options, int out) {
    double coefficients[kCols];
    dpa_solution *solution = NULL;
    signal(SIGALRM, SIG_DFL); /* the default action ends a child that hangs */
    alarm(kSeconds);
    if (dpa_solve(problem, NULL, options, &solution) != DPA_OK) return 1;
    if (dpa_solution_array(solution, "coefficients", coefficients, kCols) != DPA_OK) return 2;
    dpa_solution_destroy(solution);
    return write(out, coefficients, sizeof coefficients) == sizeof coefficients ? 0 : 3;
}

static void child_fits_like_its_parent(void **state) {
    (void)state;
    static const char *const threads[] = {"1", "3"};
    for (size_t i = 0; i < LENGTH(threads); ++i) {
        double parents[kCols], childs[kCols];
        int ends[2], status = 0;
        dpa_problem *problem = random_problem(1, 2000, 700, kCols);
        dpa_options *options = public_options("threads", threads[i], NULL);
        dpa_solution *solution = solve(problem, options);
        assert_ok(dpa_solution_array(solution, "coefficients", parents, kCols));
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) status = fit_in_child(problem, options, ends[1]);
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        if (child == 0) _exit(status); /* its copies of the handles are gone too */
        close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_int_equal(read(ends[0], childs, sizeof childs), sizeof childs);
        close(ends[0]);
        assert_same_bits(childs, parents, kCols);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(child_fits_like_its_parent)};
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
