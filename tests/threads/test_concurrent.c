/* Handles and threads: separate problems, shared solutions, messages per thread, destroy elsewhere.
 */
#include <pthread.h>

#include "check.h"

enum { kThreads = 6, kRows = 120, kTargets = 40, kCols = 5 };

/* Worker threads only record; an assertion belongs to the thread of the test. */
typedef struct {
    pthread_t thread;
    dpa_problem *problem;
    const dpa_options *options;
    const dpa_solution *solution;
    const instance *data;
    size_t index;
    double out[kTargets];
    int failures;
} worker;

static void run_all(worker *workers, size_t count, void *(*work)(void *)) {
    for (size_t i = 0; i < count; ++i) {
        workers[i].index = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; ++i) pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < count; ++i) assert_int_equal(workers[i].failures, 0);
}

static void *fit_repeatedly(void *argument) {
    worker *w = argument;
    for (int k = 0; k < 10; ++k) {
        dpa_solution *solution = NULL;
        w->failures += dpa_solve(w->problem, NULL, w->options, &solution) != DPA_OK;
        w->failures += dpa_solution_array(solution, "coefficients", w->out, kCols) != DPA_OK;
        dpa_solution_destroy(solution);
    }
    return NULL;
}

static void two_problems_in_two_threads(void **state) {
    (void)state;
    worker workers[2] = {0};
    double alone[2][kCols];
    dpa_options *options[2];
    for (size_t i = 0; i < 2; ++i) {
        workers[i].problem = random_problem(i + 1, kRows, kTargets, kCols);
        workers[i].options = options[i] = public_options("threads", i ? "2" : "1", NULL);
        dpa_solution *solution = solve(workers[i].problem, options[i]);
        assert_ok(dpa_solution_array(solution, "coefficients", alone[i], kCols));
        dpa_solution_destroy(solution);
    }
    run_all(workers, 2, fit_repeatedly);
    for (size_t i = 0; i < 2; ++i) {
        assert_same_bits(workers[i].out, alone[i], kCols);
        dpa_problem_destroy(workers[i].problem);
        dpa_options_destroy(options[i]);
    }
}

static void *predict_repeatedly(void *argument) {
    worker *w = argument;
    const instance *a = w->data;
    for (int k = 0; k < 200; ++k) {
        double weights[kRows], value;
        w->failures +=
            dpa_solution_predict(w->solution, DPA_PREDICT_LABELS,
                                 (dpa_matrix){a->xt, kTargets, kCols, kCols, DPA_ROW_MAJOR}, w->out,
                                 kTargets) != DPA_OK;
        w->failures += dpa_solution_array(w->solution, "source_weights", weights, kRows) != DPA_OK;
        w->failures += dpa_solution_value(w->solution, "alpha", &value) != DPA_OK;
    }
    return NULL;
}

static void one_solution_predicts_in_many_threads(void **state) {
    (void)state;
    worker workers[kThreads] = {0};
    instance a = instance_random(3, kRows, kTargets, kCols);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = solve(problem, options);
    double alone[kTargets];
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){a.xt, kTargets, kCols, kCols, DPA_ROW_MAJOR}, alone,
                                   kTargets));
    for (size_t i = 0; i < kThreads; ++i) {
        workers[i].solution = solution;
        workers[i].data = &a;
    }
    run_all(workers, kThreads, predict_repeatedly);
    for (size_t i = 0; i < kThreads; ++i) assert_same_bits(workers[i].out, alone, kTargets);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void *fail_repeatedly(void *argument) {
    static const char *const names[kThreads] = {"zero", "one", "two", "three", "four", "five"};
    worker *w = argument;
    dpa_options *options = NULL;
    w->failures += strcmp(dpa_last_error(), "") != 0;
    w->failures += dpa_options_create(&options) != DPA_OK;
    for (int k = 0; k < 200; ++k) {
        w->failures += dpa_options_parse(options, names[w->index], "1") != DPA_E_OPTION_NAME;
        w->failures += strstr(dpa_last_error(), names[w->index]) == NULL;
    }
    dpa_options_destroy(options);
    return NULL;
}

static void every_thread_has_its_own_message(void **state) {
    (void)state;
    worker workers[kThreads] = {0};
    assert_status(dpa_options_create(NULL), DPA_E_INVALID_ARGUMENT);
    run_all(workers, kThreads, fail_repeatedly);
    assert_non_null(strstr(dpa_last_error(), "dpa_options_create"));
}

typedef struct {
    dpa_problem *problem;
    dpa_options *options;
    dpa_solution *solution;
    dpa_discrepancy *discrepancy;
    dpa_cancel *cancel;
} handles;

static void *destroy_all(void *argument) {
    handles *h = argument;
    dpa_solution_destroy(h->solution);
    dpa_discrepancy_destroy(h->discrepancy);
    dpa_options_destroy(h->options);
    dpa_problem_destroy(h->problem);
    dpa_cancel_destroy(h->cancel);
    return NULL;
}

/* As garbage collectors do; that nothing is lost or freed twice is for the sanitizers to say. */
static void handles_can_be_destroyed_on_another_thread(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        handles h = {random_problem(seed, kRows, kTargets, kCols), public_options(NULL), NULL, NULL,
                     NULL};
        pthread_t thread;
        h.solution = solve(h.problem, h.options);
        assert_ok(dpa_discrepancy_estimate(h.problem, h.options, &h.discrepancy));
        assert_ok(dpa_cancel_create(&h.cancel));
        assert_int_equal(pthread_create(&thread, NULL, destroy_all, &h), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

/* dpa_build_info is text of the calling thread: another thread's call leaves it alone. */
static void *ask_build_info(void *argument) {
    worker *w = argument;
    for (int k = 0; k < 50; ++k) w->failures += dpa_build_info() == NULL;
    return NULL;
}

static void build_info_belongs_to_the_thread(void **state) {
    (void)state;
    worker workers[kThreads] = {0};
    const char *info = dpa_build_info();
    assert_non_null(info);
    char *copy = malloc(strlen(info) + 1);
    strcpy(copy, info);
    run_all(workers, kThreads, ask_build_info);
    assert_string_equal(info, copy);
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_problems_in_two_threads),
        cmocka_unit_test(one_solution_predicts_in_many_threads),
        cmocka_unit_test(every_thread_has_its_own_message),
        cmocka_unit_test(handles_can_be_destroyed_on_another_thread),
        cmocka_unit_test(build_info_belongs_to_the_thread),
    };
    return cmocka_run_group_tests_name("concurrent", tests, NULL, NULL);
}
