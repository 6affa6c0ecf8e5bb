/* Private fits in forked children and in threads: each draws noise of its own. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/private.h"

enum { kRows = 300, kTargets = 200, kCols = 4, kChildren = 3, kThreads = 4, kSeconds = 60 };

typedef struct {
    double w[kCols + 1];
} predictor;

/* Runs where no assertion may: the result tells what failed. */
static int fit(dpa_problem *problem, const dpa_options *options, predictor *out) {
    dpa_solution *solution = NULL;
    int failed = dpa_solve(problem, NULL, options, &solution) != DPA_OK;
    failed += dpa_solution_array(solution, "coefficients", out->w, kCols) != DPA_OK;
    failed += dpa_solution_array(solution, "intercept", out->w + kCols, 1) != DPA_OK;
    dpa_solution_destroy(solution);
    return failed;
}

/* Fits the same problem in each child and then in the parent, paid from one ledger in a file. */
static void fit_in_children(const dpa_options *options, predictor *out) {
    dpa_problem *problem = random_problem(1, kRows, kTargets, kCols);
    dpa_options *budget = private_options("epsilon", "600", "delta", "1e-3", NULL);
    dpa_ledger *ledger = NULL;
    char path[] = "/tmp/dpadapt-private-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(unlink(path), 0);
    assert_ok(dpa_ledger_create(path, budget, 0, &ledger));
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    for (size_t i = 0; i < kChildren; ++i) {
        int ends[2], status = 0;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGALRM, SIG_DFL); /* the default action ends a child that hangs */
            alarm(kSeconds);
            status = fit(problem, options, &out[i]);
            if (write(ends[1], &out[i], sizeof out[i]) != sizeof out[i]) ++status;
            _exit(status);
        }
        close(ends[1]);
        assert_int_equal(read(ends[0], &out[i], sizeof out[i]), sizeof out[i]);
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(fit(problem, options, &out[kChildren]), 0);
    dpa_problem_destroy(problem);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(budget);
    assert_int_equal(unlink(path), 0);
}

static void check_all_different(const predictor *p, size_t count) {
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < i; ++k)
            for (size_t j = 0; j <= kCols; ++j) assert_true(p[i].w[j] != p[k].w[j]);
}

static void forked_children_draw_their_own_noise(void **state) {
    (void)state;
    static const char *const alphas[] = {"auto", "0.5"};
    for (size_t k = 0; k < 2; ++k) {
        predictor out[kChildren + 1];
        /* The library has drawn noise before it is forked. The budget shows the difference of the
         * domains: else alpha = auto returns the public fit, whatever the noise. */
        dpa_problem *earlier = random_problem(2, kRows, kTargets, kCols);
        dpa_options *options = private_options("alpha", alphas[k], "epsilon", "20", NULL);
        dpa_solution_destroy(solve(earlier, options));
        fit_in_children(options, out);
        check_all_different(out, kChildren + 1);
        assert_ok(
            dpa_options_parse(options, "unsafe_seed", "7")); /* the noise is all that differs */
        fit_in_children(options, out);
        for (size_t i = 1; i <= kChildren; ++i)
            assert_memory_equal(&out[i], &out[0], sizeof out[0]);
        dpa_options_destroy(options);
        dpa_problem_destroy(earlier);
    }
}

typedef struct {
    pthread_t thread;
    dpa_problem *problem;
    const dpa_options *options;
    predictor out;
    int failures, stop;
} worker;

static void *fit_in_thread(void *argument) {
    worker *w = argument;
    w->failures = fit(w->problem, w->options, &w->out);
    return NULL;
}

static void fit_in_threads(const dpa_options *options, predictor *out) {
    worker workers[kThreads] = {0};
    for (size_t i = 0; i < kThreads; ++i) {
        workers[i].problem = random_problem(1, kRows, kTargets, kCols);
        workers[i].options = options;
    }
    for (size_t i = 0; i < kThreads; ++i)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, fit_in_thread, &workers[i]), 0);
    for (size_t i = 0; i < kThreads; ++i) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
        dpa_problem_destroy(workers[i].problem);
        out[i] = workers[i].out;
    }
}

static void threads_draw_their_own_noise(void **state) {
    (void)state;
    predictor out[kThreads];
    dpa_options *options = private_options("alpha", "0.5", "threads", "2", NULL);
    fit_in_threads(options, out);
    check_all_different(out, kThreads);
    assert_ok(dpa_options_parse(options, "unsafe_seed", "7"));
    fit_in_threads(options, out);
    for (size_t i = 1; i < kThreads; ++i) assert_memory_equal(&out[i], &out[0], sizeof out[0]);
    dpa_options_destroy(options);
}

static void *plan_repeatedly(void *argument) {
    worker *w = argument;
    for (int k = 0; k < 20; ++k) {
        dpa_plan *plan = NULL;
        w->failures += dpa_plan_for_problem(w->problem, w->options, &plan) != DPA_OK;
        w->failures += dpa_plan_value(plan, "mu", &w->out.w[0]) != DPA_OK;
        w->failures += dpa_problem_privacy_report(w->problem, 0, NULL, 0, NULL) != DPA_E_BUFFER;
        dpa_plan_destroy(plan);
    }
    return NULL;
}

/* Calls that only read a problem may run at the same time. */
static void plans_and_reports_of_one_problem(void **state) {
    (void)state;
    worker workers[kThreads] = {0};
    dpa_problem *problem = random_problem(1, kRows, kTargets, kCols);
    dpa_options *options = private_options(NULL);
    for (size_t i = 0; i < kThreads; ++i) {
        workers[i].problem = problem;
        workers[i].options = options;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, plan_repeatedly, &workers[i]), 0);
    }
    for (size_t i = 0; i < kThreads; ++i) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
        assert_true(workers[i].out.w[0] > 0 && workers[i].out.w[0] == workers[0].out.w[0]);
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* A report is of a moment between two charges, and a shape between two samples. */
static void *look_repeatedly(void *argument) {
    worker *w = argument;
    size_t targets = 0, needed = 0;
    char text[32];
    while (!__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE)) {
        w->failures += dpa_problem_shape(w->problem, NULL, &targets, NULL) != DPA_OK;
        w->failures += targets != kTargets && targets != 1;
        w->failures +=
            dpa_problem_privacy_report(w->problem, 0, text, sizeof text, &needed) != DPA_E_BUFFER;
    }
    return NULL;
}

static void reports_beside_charges_and_setters(void **state) {
    (void)state;
    const double x[kCols] = {1, 2, 3, 4}, y[1] = {1};
    worker workers[kThreads] = {0};
    dpa_problem *problem = random_problem(1, kRows, kTargets, kCols);
    dpa_options *options = private_options("epsilon", "0.1", NULL);
    dpa_options *budget = private_options("epsilon", "100", NULL);
    assert_ok(dpa_problem_set_budget(problem, budget));
    for (size_t i = 0; i < kThreads; ++i) {
        workers[i].problem = problem;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, look_repeatedly, &workers[i]), 0);
    }
    for (int k = 0; k < 400; ++k) {
        dpa_solution_destroy(solve(problem, options));
        if (k == 200)
            assert_ok(dpa_problem_set_sample(
                problem, DPA_TARGET, (dpa_matrix){x, 1, kCols, kCols, DPA_ROW_MAJOR}, y, 1));
    }
    for (size_t i = 0; i < kThreads; ++i) {
        __atomic_store_n(&workers[i].stop, 1, __ATOMIC_RELEASE);
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
    }
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forked_children_draw_their_own_noise),
        cmocka_unit_test(threads_draw_their_own_noise),
        cmocka_unit_test(plans_and_reports_of_one_problem),
        cmocka_unit_test(reports_beside_charges_and_setters),
    };
    return cmocka_run_group_tests_name("private", tests, NULL, NULL);
}
