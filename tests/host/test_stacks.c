/* Small stacks: every kind of fit in threads that have 64 KiB, and how much of them it takes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "host/child.h"

enum { kStack = 64 << 10, kRoom = 1 << 20, kPaint = 0xa5 };

typedef struct {
    size_t kind;
    int difference;
} task;

static void *fit_one(void *work) {
    task *own = work;
    static host_call call; /* one thread at a time */
    memset(&call, 0, sizeof call);
    call.threads = "1";
    own->difference = differs(own->kind, &call);
    return NULL;
}

/* The work in a thread with that stack, of which it says how much was written to. */
static size_t run_on(unsigned char *stack, size_t size, task *work) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, kPaint, size);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, fit_one, work), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t unused = 0;
    while (unused < size && stack[unused] == kPaint) ++unused;
    return size - unused;
}

static void every_fit_runs_on_a_small_stack(void **unused) {
    (void)unused;
    /* Below it no memory: what is too deep is a fault, as with a guard page. */
    unsigned char *room =
        mmap(NULL, 2 * (size_t)kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    unsigned char *stack = room + kRoom;
    assert_int_equal(mprotect(stack, kRoom, PROT_READ | PROT_WRITE), 0);
    make_plain_results();
    size_t most = 0;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        task work = {k, -1};
        const size_t taken = run_on(stack, kRoom, &work);
        assert_int_equal(work.difference, 0);
        print_message("%-20s %4zu KiB\n", fit_kinds[k].name, (taken + 1023) / 1024);
        if (taken > most) most = taken;
    }
    assert_at_most((double)most, kStack);
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        task work = {k, -1};
        (void)run_on(stack, kStack, &work);
        assert_int_equal(work.difference, 0);
    }
    munmap(room, 2 * (size_t)kRoom);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fit_runs_on_a_small_stack)};
    return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
