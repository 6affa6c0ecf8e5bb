/* A thousand cancels at random moments of a fit to a million public rows, each obeyed within 0.2 s,
 * and a thousand fits that fail: no crash, no growth of memory. */
#define _GNU_SOURCE

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "unit/private.h"

enum { ROWS = 1000000, COLUMNS = 20, TIMES = 1000 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_for(double time) {
    const struct timespec moment = {(time_t)time, (long)(1e9 * fmod(time, 1))};
    nanosleep(&moment, NULL);
}

/* Memory of the process that is in use now. */
static double resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*s %ld", &pages), 1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

typedef struct {
    instance rows;
    dpa_options *options;
    dpa_cancel *token;
    dpa_status status;
    double ended;
} job;

static void *solve_job(void *argument) {
    job *j = argument;
    dpa_solution *solution = NULL;
    dpa_problem *problem = lent(&j->rows);
    j->status = dpa_solve(problem, NULL, j->options, &solution);
    j->ended = seconds();
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    return NULL;
}

/* Returns how long the call went on after the request. */
static double cancel_after(job *j, double wait) {
    pthread_t thread;
    dpa_cancel_destroy(j->token);
    j->token = NULL;
    assert_ok(dpa_cancel_create(&j->token));
    assert_ok(dpa_options_set_cancel(j->options, j->token));
    assert_int_equal(pthread_create(&thread, NULL, solve_job, j), 0);
    wait_for(wait);
    double asked = seconds();
    assert_ok(dpa_cancel_request(j->token));
    pthread_join(thread, NULL);
    assert_true(j->status == DPA_E_CANCELLED || j->status == DPA_OK);
    return j->status == DPA_OK ? 0 : j->ended - asked;
}

static void cancels_at_random_moments(void **state) {
    (void)state;
    uint64_t seed = 5;
    job j = {.rows = instance_random(5, ROWS, 20000, COLUMNS)};
    assert_ok(dpa_cancel_create(&j.token));
    for (int threads = 1; threads <= 2; ++threads) {
        j.options = private_options("threads", threads == 1 ? "1" : "2", NULL);
        assert_ok(dpa_options_set_cancel(j.options, j.token));
        dpa_cancel_destroy(j.token);
        j.token = NULL;
        assert_ok(dpa_cancel_create(&j.token));
        assert_ok(dpa_options_set_cancel(j.options, j.token));
        double begin = seconds(), longest = 0, early = 0;
        assert_int_equal(solve_job(&j), 0);
        double whole = seconds() - begin;
        assert_ok(j.status);
        int late = 0, stopped = 0;
        for (int k = 0; k < TIMES / 2; ++k) {
            double after = cancel_after(&j, uniform(&seed) * whole);
            longest = fmax(longest, after);
            late += after > 0.2;
            stopped += j.status == DPA_E_CANCELLED;
            if (j.status == DPA_OK) whole *= 0.9; /* timed while the machine did something else */
            if (k == 50) early = resident();
        }
        print_message("threads = %d: %d of %d stopped, the longest after %.3f s, %d after 0.2 s\n",
                      threads, stopped, TIMES / 2, longest, late);
        assert_at_most(late, TIMES / 200); /* of a machine that does something else */
        assert_at_most(TIMES / 4, stopped);
        assert_at_most(resident(), 1.1 * early + 1e6);
        dpa_options_destroy(j.options);
    }
    dpa_cancel_destroy(j.token);
    instance_free(j.rows);
}

/* Of a label without a meaning that comes last, and of a budget that is spent. */
static void failures_leave_nothing(void **state) {
    (void)state;
    instance a = instance_random(6, 20000, 2000, COLUMNS);
    for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] = a.ys[i] > 0 ? 1 : -1;
    dpa_options *options = private_options("loss", "logistic", NULL);
    dpa_problem *spent = lent(&a);
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_set_budget(spent, options));
    dpa_solution_destroy(solve(spent, options));
    double early = 0;
    for (int k = 0; k < TIMES; ++k) {
        a.ys[a.m - 1] = k % 2 ? 1 : 7;
        dpa_problem *problem = lent(&a);
        assert_status(dpa_solve(k % 2 ? spent : problem, NULL, options, &solution),
                      k % 2 ? DPA_E_BUDGET : DPA_E_LABEL);
        assert_null(solution);
        dpa_problem_destroy(problem);
        if (k == 100) early = resident();
    }
    assert_at_most(resident(), 1.1 * early + 1e6);
    dpa_problem_destroy(spent);
    dpa_options_destroy(options);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancels_at_random_moments),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests_name("cancel_nightly", tests, NULL, NULL);
}
