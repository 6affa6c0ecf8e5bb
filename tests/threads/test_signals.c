/* Signals to the process are handled by the host's threads: the library's own hold them off, but
 * not faults of their own. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "check.h"

enum { kMostThreads = 256, kMostFits = 400 };

static atomic_int g_is_done;

/* Fits until somebody has seen enough. */
static void *keep_fitting(void *problem) {
    dpa_options *options = public_options("threads", "4", NULL);
    for (int k = 0; k < kMostFits && !g_is_done; ++k)
        dpa_solution_destroy(solve((dpa_problem *)problem, options));
    dpa_options_destroy(options);
    g_is_done = 1;
    return NULL;
}

static size_t list_threads(long *ids) {
    size_t count = 0;
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (entry->d_name[0] != '.' && count < kMostThreads)
            ids[count++] = strtol(entry->d_name, NULL, 10);
    closedir(folder);
    return count;
}

/* The signals that a thread holds off; 0 where it has ended. */
static unsigned long long held_by(long id) {
    char path[64], line[128];
    unsigned long long held = 0;
    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/status", id);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "SigBlk:", 7) == 0) held = strtoull(line + 7, NULL, 16);
    (void)fclose(file);
    return held;
}

static int holds(unsigned long long held, int signal) { return (int)(held >> (signal - 1) & 1); }

static int is_among(const long *ids, size_t count, long id) {
    for (size_t k = 0; k < count; ++k)
        if (ids[k] == id) return 1;
    return 0;
}

static void helpers_leave_signals_to_the_host(void **state) {
    (void)state;
    long before[kMostThreads], now[kMostThreads];
    pthread_t fitting;
    int seen = 0;
    dpa_problem *problem = random_problem(9, 20000, 20000, 8);
    dpa_options *options = public_options(NULL);
    dpa_solution_destroy(solve(problem, options)); /* OpenBLAS's threads are there now */
    dpa_options_destroy(options);
    g_is_done = 0;
    assert_int_equal(pthread_create(&fitting, NULL, keep_fitting, problem), 0);
    size_t known = list_threads(before);
    while (!g_is_done) {
        const size_t count = list_threads(now);
        for (size_t k = 0; k < count; ++k) {
            if (is_among(before, known, now[k])) continue;
            const unsigned long long held = held_by(now[k]);
            /* It has ended, or is the host's own; or the C library, which holds all of them,
             * begins or ends it. */
            if (held == 0 || holds(held, SIGSEGV)) continue;
            assert_true(holds(held, SIGTERM) && holds(held, SIGINT) && holds(held, SIGUSR1));
            assert_false(holds(held, SIGFPE) || holds(held, SIGPROF));
            if (++seen == 20) g_is_done = 1;
        }
    }
    assert_int_equal(pthread_join(fitting, NULL), 0);
    assert_true(seen > 0);
    sigset_t own;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &own), 0);
    assert_false(sigismember(&own, SIGTERM)); /* the caller's are as before */
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_leave_signals_to_the_host),
    };
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
