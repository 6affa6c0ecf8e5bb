/* Handles that one thread destroys while others use them: an answer or DPA_E_HANDLE, nothing else.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { kThreads = 4, kRounds = 20000 };

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(handles_are_destroyed_while_they_are_used)};
    return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
