/* Small stacks: every kind of fit in threads that have 72 KiB of their own, and what it takes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "host/child.h"

enum { kStack = 72 << 10, kRoom = 1 << 20, kPaint = 0xa5 };

/* What is on a stack before anything is called: on glibc also the thread's own variables of all
 * libraries, 60 KiB of them OpenBLAS's. */
static int call_nothing(void) { return 0; }

static int plan_and_forecast(void) {
    dpa_problem *problem = problem_of_kind(kNumbers);
    dpa_options *options = NULL;
    dpa_plan *plan = NULL, *forecast = NULL;
    int failed = dpa_options_create(&options) || dpa_options_parse(options, "epsilon", "1") ||
                 dpa_options_parse(options, "delta", "1e-5") ||
                 dpa_options_parse(options, "forecast_repeats", "1") ||
                 dpa_plan_for_problem(problem, options, &plan) ||
                 dpa_plan_forecast(problem, 50, options, &forecast);
    dpa_plan_destroy(plan);
    dpa_plan_destroy(forecast);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return failed;
}

static int search(int is_private) {
    dpa_problem *problem = problem_of_kind(kNumbers), *rows = problem_of_kind(kNumbers);
    dpa_options *options = public_options(NULL);
    dpa_search *candidates = NULL;
    dpa_solution *best = NULL;
    int failed = dpa_search_create(&candidates) || dpa_search_add(candidates, "alpha", "0.25,0.75");
    if (is_private)
        failed = failed || dpa_options_parse(options, "private_domain", "target") ||
                 dpa_options_parse(options, "epsilon", "4") ||
                 dpa_options_parse(options, "delta", "1e-3") ||
                 dpa_options_parse(options, "selection_epsilon", "1") ||
                 dpa_options_parse(options, "selection_bound", "9") ||
                 dpa_problem_set_budget(problem, options) ||
                 dpa_options_parse(options, "epsilon", "1") ||
                 dpa_options_parse(options, "delta", "1e-4");
    failed = failed || dpa_search_run(candidates, problem, rows, NULL, options, &best);
    dpa_search_destroy(candidates);
    dpa_solution_destroy(best);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(rows);
    return failed;
}

static int search_public(void) { return search(0); }
static int search_private(void) { return search(1); }

static const struct {
    const char *name;
    int (*run)(void);
} others[] = {
    {"nothing", call_nothing},
    {"plan and forecast", plan_and_forecast},
    {"search", search_public},
    {"private search", search_private},
};

enum { kWorks = LENGTH(fit_kinds) + LENGTH(others) };

static const char *name_of(size_t k) {
    return k < LENGTH(others) ? others[k].name : fit_kinds[k - LENGTH(others)].name;
}

typedef struct {
    size_t number;
    int failed;
} task;

static void *run_task(void *work) {
    task *own = work;
    static host_call call; /* one thread at a time */
    memset(&call, 0, sizeof call);
    call.threads = "1";
    own->failed = own->number < LENGTH(others) ? others[own->number].run()
                                               : differs(own->number - LENGTH(others), &call);
    if (own->failed) print_error("%s: %s\n", name_of(own->number), dpa_last_error());
    return NULL;
}

/* The work in a thread with that stack, of which it says how much was written to. */
static size_t run_on(unsigned char *stack, size_t size, task *work) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, kPaint, size);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_task, work), 0);
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
    size_t before = 0, most = 0;
    for (size_t k = 0; k < kWorks; ++k) {
        task work = {k, -1};
        const size_t taken = run_on(stack, kRoom, &work);
        assert_int_equal(work.failed, 0);
        if (k == 0) before = taken;
        if (taken - before > most) most = taken - before;
        print_message("%-20s %6zu bytes\n", name_of(k), k == 0 ? taken : taken - before);
    }
    assert_at_most((double)most, kStack);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = (before + kStack + page - 1) / page * page;
    for (size_t k = 0; k < kWorks; ++k) {
        task work = {k, -1};
        (void)run_on(stack, size, &work);
        assert_int_equal(work.failed, 0);
    }
    munmap(room, 2 * (size_t)kRoom);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fit_runs_on_a_small_stack)};
    return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
