/* Forks, and a limit of processes: children of a fork fit like their parent, without a thread that
 * nobody has asked for. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>

#include "host/child.h"

/* 0 where the BLAS is not OpenBLAS. */
static int blas_threads(void) {
    int (*get)(void) = 0;
    *(void **)&get = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    return get ? get() : 0;
}

static int tasks(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) return 1;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Each kind with so many threads; 1 + the number of the first that differs, or 0. */
static int fit_all(const char *threads) {
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {.threads = threads};
        if (differs(k, &call)) {
            print_error("%s: %s\n", fit_kinds[k].name, dpa_last_error());
            return 1 + (int)k;
        }
    }
    return 0;
}

static int fit_without_threads(void) {
    const int before = blas_threads();
    const int failed = fit_all("1");
    if (failed) return failed;
    if (tasks() != 1) return 100; /* OpenBLAS has started its threads anew */
    return blas_threads() == before ? 0 : 101;
}

static void children_fit_and_start_no_thread(void **unused) {
    (void)unused;
    make_plain_results();
    IN_CHILD("a child", fit_without_threads());
    IN_CHILD("a child with two threads", fit_all("2"));
}

static int fit_at_limit(void) {
    if (forbid_processes()) return 110;
    pthread_t thread;
    void *(*nothing)(void *) = (void *(*)(void *))(void (*)(void))tasks;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
        pthread_join(thread, NULL);
        return 77; /* this system lets it */
    }
    const int failed = fit_all("2");
    return failed ? failed : fit_without_threads();
}

/* A fork ends OpenBLAS's threads in the parent, too. */
static int fit_at_limit_after_fork(void) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (waitpid(child, NULL, 0) != child) return 111;
    return fit_at_limit();
}

static void the_limit_of_processes_ends_no_fit(void **unused) {
    (void)unused;
    make_plain_results();
    IN_CHILD("at the limit", fit_at_limit());
    IN_CHILD("at the limit, after a fork", fit_at_limit_after_fork());
}

static pid_t g_child;

static int32_t fork_once(const dpa_progress *progress, void *user) {
    (void)progress;
    (void)user;
    if (g_child != 0) return 0;
    g_child = fork();
    if (g_child == 0) {
        g_child = -1; /* its own fits fork no more */
        alarm(kChildSeconds);
        _exit(fit_all("2"));
    }
    return 0;
}

static void a_callback_may_fork(void **unused) {
    (void)unused;
    make_plain_results();
    for (size_t k = 0; k < LENGTH(fit_kinds); k += 5) {
        host_call call = {.progress = fork_once};
        g_child = 0;
        assert_int_equal(differs(k, &call), 0);
        check_child(g_child, fit_kinds[k].name);
    }
}

static void *fit_in_thread(void *result) {
    *(int *)result = fit_all("2");
    return NULL;
}

static int fit_in_new_thread(void) {
    pthread_t thread;
    int result = 1;
    if (pthread_create(&thread, NULL, fit_in_thread, &result)) return 112;
    pthread_join(thread, NULL);
    return result;
}

/* As Python's multiprocessing and prefork servers do: many children at once, each with threads. */
static void many_children_fit_at_once(void **unused) {
    (void)unused;
    enum { kChildren = 4 };
    pid_t children[kChildren];
    make_plain_results();
    for (int k = 0; k < kChildren; ++k) {
        children[k] = fork();
        if (children[k] == 0) {
            alarm(kChildSeconds);
            _exit(k % 2 ? fit_in_new_thread() : fit_all("2"));
        }
    }
    for (int k = 0; k < kChildren; ++k) check_child(children[k], "one of many children");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_fit_and_start_no_thread),
        cmocka_unit_test(the_limit_of_processes_ends_no_fit),
        cmocka_unit_test(a_callback_may_fork),
        cmocka_unit_test(many_children_fit_at_once),
    };
    return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
