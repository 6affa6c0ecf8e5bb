/* A host that loads the library while it runs: it may unload it, load it again, and load two copies
 * of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kRows = 60, kCols = 3, kTimes = 30, kSeconds = 100 };

/* The functions of one copy of the library. */
typedef struct {
    void *library;
    dpa_status (*problem_create)(dpa_problem **);
    dpa_status (*set_sample)(dpa_problem *, int32_t, dpa_matrix, const double *, size_t);
    dpa_status (*options_create)(dpa_options **);
    dpa_status (*options_parse)(dpa_options *, const char *, const char *);
    dpa_status (*solve)(dpa_problem *, const dpa_discrepancy *, const dpa_options *,
                        dpa_solution **);
    dpa_status (*array)(const dpa_solution *, const char *, double *, size_t);
    void (*problem_destroy)(dpa_problem *);
    void (*options_destroy)(dpa_options *);
    void (*solution_destroy)(dpa_solution *);
} copy;

static int load(copy *c, const char *path) {
    c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (c->library == NULL) return 1;
    *(void **)&c->problem_create = dlsym(c->library, "dpa_problem_create");
    *(void **)&c->set_sample = dlsym(c->library, "dpa_problem_set_sample");
    *(void **)&c->options_create = dlsym(c->library, "dpa_options_create");
    *(void **)&c->options_parse = dlsym(c->library, "dpa_options_parse");
    *(void **)&c->solve = dlsym(c->library, "dpa_solve");
    *(void **)&c->array = dlsym(c->library, "dpa_solution_array");
    *(void **)&c->problem_destroy = dlsym(c->library, "dpa_problem_destroy");
    *(void **)&c->options_destroy = dlsym(c->library, "dpa_options_destroy");
    *(void **)&c->solution_destroy = dlsym(c->library, "dpa_solution_destroy");
    return c->solution_destroy == NULL;
}

/* The intercept of a fit, private or not; NaN where something fails. */
static double fit(const copy *c, int is_private) {
    const instance a = instance_random(5, kRows, kRows, kCols);
    dpa_problem *problem = NULL;
    dpa_options *options = NULL;
    dpa_solution *solution = NULL;
    double result = NAN;
    int failed = c->problem_create(&problem) || c->options_create(&options) ||
                 c->set_sample(problem, DPA_SOURCE,
                               (dpa_matrix){a.xs, a.m, a.d, a.d, DPA_ROW_MAJOR}, a.ys, a.m) ||
                 c->set_sample(problem, DPA_TARGET,
                               (dpa_matrix){a.xt, a.n, a.d, a.d, DPA_ROW_MAJOR}, a.yt, a.n);
    if (is_private)
        failed = failed || c->options_parse(options, "epsilon", "1") ||
                 c->options_parse(options, "delta", "1e-5") ||
                 c->options_parse(options, "unsafe_seed", "4");
    else
        failed = failed || c->options_parse(options, "private_domain", "none") ||
                 c->options_parse(options, "alpha", "0.5");
    if (!failed && !c->solve(problem, NULL, options, &solution))
        (void)c->array(solution, "intercept", &result, 1);
    c->solution_destroy(solution);
    c->options_destroy(options);
    c->problem_destroy(problem);
    instance_free(a);
    return result;
}

static const char *path_of_library(void) { return getenv("DPADAPT_LIBRARY"); }

static void it_may_be_unloaded_and_loaded_again(void **unused) {
    (void)unused;
    double first = NAN;
    for (int k = 0; k < kTimes; ++k) {
        copy c;
        assert_int_equal(load(&c, path_of_library()), 0);
        const double now = fit(&c, k % 2);
        assert_int_equal(dlclose(c.library), 0);
        assert_true(isfinite(now));
        if (k == 0) first = now;
        if (k % 2 == 0) assert_same_bits(&first, &now, 1);
    }
}

static void a_fork_may_follow(void **unused) {
    (void)unused;
    copy c;
    int status = 0;
    assert_int_equal(load(&c, path_of_library()), 0);
    assert_true(isfinite(fit(&c, 0)) && isfinite(fit(&c, 1)));
    assert_int_equal(dlclose(c.library), 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(kSeconds);
        _exit(load(&c, path_of_library()) || !isfinite(fit(&c, 0)) || !isfinite(fit(&c, 1)));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

typedef struct {
    copy c;
    double result;
    pthread_barrier_t used, gone;
} visitor;

static void *use_and_outlive(void *work) {
    visitor *own = work;
    own->result = fit(&own->c, 1);
    pthread_barrier_wait(&own->used);
    pthread_barrier_wait(&own->gone); /* the library */
    return NULL;
}

static void a_thread_may_end_after_it(void **unused) {
    (void)unused;
    visitor work;
    pthread_t thread;
    assert_int_equal(load(&work.c, path_of_library()), 0);
    pthread_barrier_init(&work.used, NULL, 2);
    pthread_barrier_init(&work.gone, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, use_and_outlive, &work), 0);
    pthread_barrier_wait(&work.used);
    assert_int_equal(dlclose(work.c.library), 0);
    pthread_barrier_wait(&work.gone);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(isfinite(work.result));
}

/* Another file with the same bytes: the linker takes one file for one library. */
static int copy_file(const char *from, const char *to) {
    char bytes[1 << 14];
    ssize_t count = 0;
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    int failed = in < 0 || out < 0;
    while (!failed && (count = read(in, bytes, sizeof bytes)) > 0)
        failed = write(out, bytes, (size_t)count) != count;
    close(in);
    close(out);
    return failed || count < 0;
}

static void *fit_often(void *work) {
    visitor *own = work;
    own->result = fit(&own->c, 0);
    for (int k = 0; k < kTimes; ++k) {
        const double now = fit(&own->c, 0);
        if (!(fabs(now - own->result) < 1e-9)) own->result = NAN;
    }
    return NULL;
}

/* Two users in one process, such as R's package and Java's, fit at the same time. They share
 * OpenBLAS and its number of threads, so bits may differ, and forks wait until they have ended. */
static void two_copies_do_not_meet(void **unused) {
    (void)unused;
    enum { kForks = 4 };
    char path[64];
    static visitor work[2];
    pthread_t threads[2];
    int status = 0;
    (void)snprintf(path, sizeof path, "./host_copy_%d.so", (int)getpid());
    assert_int_equal(copy_file(path_of_library(), path), 0);
    assert_int_equal(load(&work[0].c, path_of_library()), 0);
    assert_int_equal(load(&work[1].c, path), 0);
    unlink(path);
    assert_true(work[0].c.solve != work[1].c.solve);
    int (*blas_threads)(void) = 0;
    *(void **)&blas_threads = dlsym(work[0].c.library, "openblas_get_num_threads");
    const int before = blas_threads ? blas_threads() : 0;
    for (int k = 0; k < 2; ++k)
        assert_int_equal(pthread_create(&threads[k], NULL, fit_often, &work[k]), 0);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    for (int k = 0; k < kForks; ++k) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(kSeconds);
            _exit(!isfinite(fit(&work[k % 2].c, 0)));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_true(isfinite(work[0].result));
    assert_close(work[0].result, work[1].result, 1e-9, 0);
    if (blas_threads) assert_int_equal(blas_threads(), before);
    const double first = fit(&work[0].c, 1), second = fit(&work[1].c, 1);
    assert_same_bits(&first, &second, 1);
    for (int k = 0; k < 2; ++k) assert_int_equal(dlclose(work[k].c.library), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_may_be_unloaded_and_loaded_again),
        cmocka_unit_test(a_fork_may_follow),
        cmocka_unit_test(a_thread_may_end_after_it),
        cmocka_unit_test(two_copies_do_not_meet),
    };
    alarm(kSeconds);
    return cmocka_run_group_tests_name("unload", tests, NULL, NULL);
}
