/* Stopping a running call from another thread: by its cancel token, and by pthread_cancel. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"

static void pause_briefly(void) {
    const struct timespec millisecond = {0, 1000000};
    nanosleep(&millisecond, NULL);
}

typedef struct {
    dpa_problem *problem;
    dpa_options *options;
    dpa_cancel *token;
    dpa_solution *solution;
    dpa_status status;
    atomic_int running, requested;
} job;

static void *solve_job(void *argument) {
    job *j = argument;
    j->status = dpa_solve(j->problem, NULL, j->options, &j->solution);
    return NULL;
}

/* Keeps the call inside the library until the other thread has made its request. */
static int32_t wait_for_request(const dpa_progress *progress, void *user) {
    job *j = user;
    (void)progress;
    j->running = 1;
    while (!j->requested) pause_briefly();
    return 0;
}

static job new_job(size_t rows, const char *threads) {
    job j = {random_problem(1, rows, rows / 4, 20),
             public_options("threads", threads, NULL),
             NULL,
             NULL,
             DPA_OK,
             0,
             0};
    assert_ok(dpa_cancel_create(&j.token));
    assert_ok(dpa_options_set_cancel(j.options, j.token));
    return j;
}

static void free_job(job *j) {
    dpa_solution_destroy(j->solution);
    dpa_options_destroy(j->options);
    dpa_problem_destroy(j->problem);
    dpa_cancel_destroy(j->token);
}

static void token_stops_a_running_call(void **state) {
    (void)state;
    job j = new_job(400, "2");
    pthread_t thread;
    j.solution = (dpa_solution *)&j;
    assert_ok(dpa_options_set_progress(j.options, wait_for_request, &j));
    assert_int_equal(pthread_create(&thread, NULL, solve_job, &j), 0);
    while (!j.running) pause_briefly();
    assert_ok(dpa_cancel_request(j.token));
    j.requested = 1;
    pthread_join(thread, NULL);
    assert_status(j.status, DPA_E_CANCELLED);
    assert_null(j.solution);
    assert_ok(dpa_options_set_cancel(j.options, NULL));
    assert_ok(dpa_options_set_progress(j.options, NULL, NULL));
    j.solution = solve(j.problem, j.options);
    free_job(&j);
}

/* Requests at arbitrary moments without a callback: done or cancelled, nothing else. */
static void token_stops_at_any_moment(void **state) {
    (void)state;
    job j = new_job(4000, "2");
    for (int k = 0; k < 12; ++k) {
        pthread_t thread;
        j.solution = NULL;
        assert_int_equal(pthread_create(&thread, NULL, solve_job, &j), 0);
        for (int i = 0; i < k; ++i) pause_briefly();
        assert_ok(dpa_cancel_request(j.token));
        pthread_join(thread, NULL);
        assert_status(j.status, j.solution ? DPA_OK : DPA_E_CANCELLED);
        dpa_solution_destroy(j.solution);
        assert_ok(dpa_options_set_cancel(j.options, NULL));
        assert_ok(dpa_options_set_progress(j.options, NULL, NULL));
    }
    j.solution = solve(j.problem, j.options);
    free_job(&j);
}

/* The callback waits in a cancellation point: the unwinding passes through the library's frames. */
static void cancelled_thread_does_not_abort_the_process(void **state) {
    (void)state;
    static const char *const threads[] = {"1", "3"};
    for (size_t i = 0; i < LENGTH(threads); ++i) {
        job j = new_job(400, threads[i]);
        pthread_t thread;
        void *result = NULL;
        assert_ok(dpa_options_set_progress(j.options, wait_for_request, &j));
        assert_int_equal(pthread_create(&thread, NULL, solve_job, &j), 0);
        while (!j.running) pause_briefly();
        assert_int_equal(pthread_cancel(thread), 0);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_true(result == PTHREAD_CANCELED);
        assert_ok(dpa_options_set_progress(j.options, NULL, NULL));
        j.solution = solve(j.problem, j.options);
        free_job(&j);
    }
}

/* pthread_cancel at arbitrary moments, helpers of the library running: done or cancelled. */
static void thread_may_be_cancelled_at_any_moment(void **state) {
    (void)state;
    for (int k = 0; k < 12; ++k) {
        job j = new_job(4000, "4");
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, solve_job, &j), 0);
        for (int i = 0; i < k; ++i) pause_briefly();
        assert_true(pthread_cancel(thread) == 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        dpa_solution_destroy(j.solution);
        j.solution = solve(j.problem, j.options);
        free_job(&j);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_stops_a_running_call),
        cmocka_unit_test(token_stops_at_any_moment),
        cmocka_unit_test(cancelled_thread_does_not_abort_the_process),
        cmocka_unit_test(thread_may_be_cancelled_at_any_moment),
    };
    return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
