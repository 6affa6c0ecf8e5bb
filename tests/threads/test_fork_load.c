/* A host whose threads fit and which forks, as popen and system do: the fits go on, and OpenBLAS's
 * threads are the host's again afterwards. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kThreads = 2, kForks = 30, kCols = 30, kRows = 300, kSeconds = 100 };

static atomic_int stop, fits, failed;

static void *fit_until_stopped(void *problem) {
    dpa_options *options = public_options("alpha", "0.5", NULL);
    while (!stop) {
        dpa_solution *solution = NULL;
        if (dpa_solve(problem, NULL, options, &solution) != DPA_OK) ++failed;
        dpa_solution_destroy(solution);
        ++fits;
    }
    dpa_options_destroy(options);
    return NULL;
}

/* 0 where the BLAS is not OpenBLAS. */
static int blas_threads(void) {
    int (*get)(void) = 0;
    *(void **)&get = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    return get ? get() : 0;
}

static void forks_under_load(void **state) {
    (void)state;
    pthread_t threads[kThreads];
    dpa_problem *problem = random_problem(1, kRows, kRows, kCols);
    const int before = blas_threads();
    for (int k = 0; k < kThreads; ++k)
        assert_int_equal(pthread_create(&threads[k], NULL, fit_until_stopped, problem), 0);
    for (int k = 0; k < kForks; ++k) {
        const int done = fits;
        while (fits < done + 4) usleep(1000); /* the fits go on, or the alarm ends the test */
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(0);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    stop = 1;
    for (int k = 0; k < kThreads; ++k) pthread_join(threads[k], NULL);
    assert_int_equal(failed, 0);
    assert_int_equal(blas_threads(), before);
    dpa_problem_destroy(problem);
}

static int during;

static int32_t look(const dpa_progress *progress, void *user) {
    (void)progress;
    (void)user;
    during = blas_threads();
    return 0;
}

static void calls_use_one_thread_and_give_the_number_back(void **state) {
    (void)state;
    const int before = blas_threads();
    if (before == 0) skip();
    dpa_problem *problem = random_problem(1, kRows, kRows, kCols);
    dpa_options *options = public_options("alpha", "0.5", NULL);
    assert_ok(dpa_options_set_progress(options, look, NULL));
    dpa_solution *solution = solve(problem, options);
    assert_int_equal(during, 1);
    assert_int_equal(blas_threads(), before);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_use_one_thread_and_give_the_number_back),
        cmocka_unit_test(forks_under_load),
    };
    alarm(kSeconds); /* a fit that hangs cannot be cancelled */
    return cmocka_run_group_tests_name("fork_load", tests, NULL, NULL);
}
