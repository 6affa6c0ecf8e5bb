/* Many rows do not keep a call from asking whether it should stop: the longest silence
 * between two calls of the progress function is a small part of the fit, on every machine. */
#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "unit/private.h"

enum { ROWS = 250000, COLUMNS = 30, TRIES = 4 };

typedef struct {
    double first, last, longest;
} silence;

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void see(silence *s) {
    double now = cpu_seconds();
    s->longest = fmax(s->longest, now - s->last);
    s->last = now;
}

static int32_t watch(const dpa_progress *progress, void *user) {
    (void)progress;
    see(user);
    return 0;
}

typedef void call(dpa_problem *problem, const dpa_options *options);

static void fit(dpa_problem *problem, const dpa_options *options) {
    dpa_solution_destroy(solve(problem, options));
}

/* Processor time of the calling thread alone: other processes do not count, faults of memory do,
 * so the best of a few tries. */
static void check_silence_of(call *made, instance *a, dpa_options *options) {
    double least = INFINITY;
    for (int k = 0; k < TRIES && least > 0.1; ++k) {
        dpa_problem *problem = lent(a);
        silence s = {cpu_seconds(), cpu_seconds(), 0};
        assert_ok(dpa_options_set_progress(options, watch, &s));
        made(problem, options);
        see(&s);
        least = fmin(least, s.longest / (s.last - s.first));
        dpa_problem_destroy(problem);
    }
    assert_at_most(least, 0.1);
    dpa_options_destroy(options);
}

static void check_silence(instance *a, dpa_options *options) { check_silence_of(fit, a, options); }

static void preparation_can_be_stopped(void **state) {
    (void)state;
    instance a = instance_random(3, ROWS, 2000, COLUMNS);
    check_silence(&a, private_options(NULL));
    check_silence(&a, private_options("preprocess", "whiten", NULL));
    check_silence(&a, private_options("loss", "huber", NULL));
    check_silence(&a, public_options(NULL));
    instance_free(a);
}

static void classes_can_be_stopped(void **state) {
    (void)state;
    instance a = instance_random(4, ROWS / 2, 2000, COLUMNS);
    for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] = a.ys[i] > 0 ? 1 : -1;
    check_silence(&a, private_options("loss", "logistic", NULL));
    for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] = fmod((double)i, 3);
    check_silence(&a, private_options("loss", "softmax", NULL));
    instance_free(a);
}

static const dpa_solution *measured[10];

static void evaluate(dpa_problem *problem, const dpa_options *options) {
    dpa_evaluation *evaluation = NULL;
    assert_ok(dpa_evaluate(problem, measured, LENGTH(measured), options, &evaluation));
    dpa_evaluation_destroy(evaluation);
}

static void choose(dpa_problem *problem, const dpa_options *options) {
    size_t chosen = 0;
    assert_ok(dpa_select(problem, measured, LENGTH(measured), options, &chosen));
}

static void calibrate(dpa_problem *problem, const dpa_options *options) {
    dpa_solution *calibrated = NULL;
    assert_ok(dpa_solution_calibrate(measured[0], problem, options, &calibrated));
    dpa_solution_destroy(calibrated);
}

static void measuring_can_be_stopped(void **state) {
    (void)state;
    instance few = instance_random(5, 200, 200, COLUMNS);
    dpa_problem *problem = instance_problem(&few);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = solve(problem, options);
    for (size_t k = 0; k < LENGTH(measured); ++k) measured[k] = solution;
    instance a = instance_random(6, 2000, ROWS, COLUMNS);
    check_silence_of(evaluate, &a, public_options(NULL));
    check_silence_of(evaluate, &a, private_options(NULL));
    check_silence_of(calibrate, &a, private_options(NULL));
    check_silence_of(choose, &a,
                     private_options("selection_epsilon", "1", "selection_bound", "9", NULL));
    instance_free(a);
    instance_free(few);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preparation_can_be_stopped),
        cmocka_unit_test(classes_can_be_stopped),
        cmocka_unit_test(measuring_can_be_stopped),
    };
    return cmocka_run_group_tests_name("cancel_rows", tests, NULL, NULL);
}
