/* Handles that one thread destroys while others use them: an answer or DPA_E_HANDLE, nothing else.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__) /* a stack for each call makes them ten times as slow */
enum { kRounds = 2000 };
#else
enum { kRounds = 20000 };
#endif
enum { kThreads = 4, kForks = 200, kSignals = 2000, kSeconds = 100 };

static _Atomic(dpa_options *) shared;
static atomic_int wrong;

static void *use_and_destroy(void *argument) {
    (void)argument;
    for (int round = 0; round < kRounds; ++round) {
        dpa_options *own = NULL;
        if (dpa_options_create(&own) != DPA_OK || dpa_options_set(own, "alpha", 1) != DPA_OK)
            ++wrong;
        dpa_options *old = atomic_exchange(&shared, own);
        char text[64];
        const dpa_status status = dpa_options_get(old, "epsilon", text, sizeof text, NULL);
        if (status != DPA_OK && status != DPA_E_HANDLE) ++wrong;
        dpa_options_destroy(old);
        dpa_options_destroy(old);
        if (dpa_options_get(old, "epsilon", text, sizeof text, NULL) != DPA_E_HANDLE) ++wrong;
        const dpa_status others = dpa_options_get(shared, "epsilon", text, sizeof text, NULL);
        if (others != DPA_OK && others != DPA_E_HANDLE) ++wrong;
        dpa_options_destroy(round % 3 == 0 ? shared : NULL);
    }
    return NULL;
}

static void handles_are_destroyed_while_they_are_used(void **state) {
    (void)state;
    pthread_t threads[kThreads];
    for (int k = 0; k < kThreads; ++k)
        assert_int_equal(pthread_create(&threads[k], NULL, use_and_destroy, NULL), 0);
    for (int k = 0; k < kThreads; ++k) pthread_join(threads[k], NULL);
    dpa_options_destroy(shared);
    assert_int_equal(wrong, 0);
}

static atomic_int stop;
static dpa_cancel *token;

static void *make_until_stopped(void *argument) {
    (void)argument;
    while (!stop) {
        dpa_options *options = NULL;
        dpa_cancel *own = NULL;
        if (dpa_options_create(&options) != DPA_OK || dpa_cancel_create(&own) != DPA_OK) ++wrong;
        if (dpa_cancel_request(own) != DPA_OK) ++wrong;
        dpa_options_destroy(options);
        dpa_cancel_destroy(own);
    }
    return NULL;
}

/* A lock that another thread has at the fork must not be held in the child for ever. */
static void children_of_a_fork_make_handles(void **state) {
    (void)state;
    pthread_t threads[kThreads];
    dpa_options *kept = NULL;
    stop = 0;
    assert_int_equal(dpa_options_create(&kept), DPA_OK);
    for (int k = 0; k < kThreads; ++k)
        assert_int_equal(pthread_create(&threads[k], NULL, make_until_stopped, NULL), 0);
    for (int k = 0; k < kForks; ++k) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(kSeconds);
            dpa_cancel *own = NULL;
            const int failed = dpa_cancel_create(&own) != DPA_OK ||
                               dpa_options_set(kept, "alpha", 1) != DPA_OK ||
                               dpa_cancel_request(own) != DPA_OK;
            _exit(failed);
        }
        int result = -1;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_int_equal(result, 0);
    }
    stop = 1;
    for (int k = 0; k < kThreads; ++k) pthread_join(threads[k], NULL);
    dpa_options_destroy(kept);
    assert_int_equal(wrong, 0);
}

static void *fork_until_stopped(void *argument) {
    (void)argument;
    while (!atomic_load(&stop)) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0 || waitpid(child, NULL, 0) != child) ++wrong;
    }
    return NULL;
}

static void cancel(int number) {
    (void)number;
    if (dpa_cancel_request(token) != DPA_OK) ++wrong;
}

/* As commands do on Ctrl-C: whatever the thread is at, also at a token or a fork. */
static void interrupt_thread_that(void *(*does)(void *)) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = cancel, .sa_flags = SA_RESTART};
    stop = 0;
    assert_int_equal(dpa_cancel_create(&token), DPA_OK);
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pthread_create(&thread, NULL, does, NULL), 0);
    for (int k = 0; k < kSignals; ++k) {
        assert_int_equal(pthread_kill(thread, SIGUSR1), 0);
        for (int wait = 0; wait < k % 7 * 100; ++wait) atomic_load(&stop);
    }
    stop = 1;
    pthread_join(thread, NULL);
    dpa_cancel_destroy(token);
    assert_int_equal(wrong, 0);
}

static void signal_handlers_request_to_cancel(void **state) {
    (void)state;
    interrupt_thread_that(make_until_stopped);
    interrupt_thread_that(fork_until_stopped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_destroyed_while_they_are_used),
        cmocka_unit_test(children_of_a_fork_make_handles),
        cmocka_unit_test(signal_handlers_request_to_cancel),
    };
    alarm(kSeconds); /* a lock that is held for ever */
    return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
