/* Signals, and what else a process has one of: calls neither change it nor suffer from it. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "host/child.h"

extern char **environ;

static char g_path[64];

static dpa_ledger *new_ledger(void) {
    dpa_options *options = NULL;
    dpa_ledger *ledger = NULL;
    unlink(g_path);
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "epsilon", "600"));
    assert_ok(dpa_options_parse(options, "delta", "1e-2"));
    assert_ok(dpa_ledger_create(g_path, options, 0, &ledger));
    dpa_options_destroy(options);
    return ledger;
}

static dpa_ledger *ledger_for(const fit_kind *kind, dpa_ledger *ledger) {
    return strncmp(kind->name, "private", 7) == 0 ? ledger : NULL;
}

static atomic_int g_signals;

static void count(int signal) {
    (void)signal;
    ++g_signals;
    errno = EINTR;
}

/* Without SA_RESTART, so that calls to the system are interrupted. */
static void set_handler(int signal) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = count;
    assert_int_equal(sigaction(signal, &action, NULL), 0);
}

static void a_storm_of_signals_changes_nothing(void **unused) {
    (void)unused;
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    make_plain_results();
    dpa_ledger *ledger = new_ledger();
    set_handler(SIGALRM);
    set_handler(SIGPROF);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    assert_int_equal(setitimer(ITIMER_PROF, &often, NULL), 0);
    int differences = 0;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {.ledger = ledger_for(&fit_kinds[k], ledger)};
        if (differs(k, &call)) {
            print_error("%s: %s\n", fit_kinds[k].name, dpa_last_error());
            ++differences;
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    setitimer(ITIMER_PROF, &never, NULL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    dpa_ledger_destroy(ledger);
    assert_int_equal(differences, 0);
    assert_true(g_signals > 0);
}

/* What a process, or a thread, has one of. */
typedef struct {
    void (*handlers[NSIG])(int);
    int flags[NSIG], held[NSIG];
    struct itimerval timers[3];
    struct rlimit limits[16];
    mode_t mask_of_files;
    int cancel_state, cancel_type, files, scheduler;
    char locale[256], folder[1024];
    char **environment;
    const char *first_variable;
} process_state;

static int open_files(void) {
    int count_of_files = 0;
    for (int k = 0; k < 256; ++k) {
        struct stat facts;
        count_of_files += fstat(k, &facts) == 0;
    }
    return count_of_files;
}

static process_state state_of_process(void) {
    process_state now;
    memset(&now, 0, sizeof now);
    for (int k = 1; k < NSIG; ++k) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        (void)sigaction(k, NULL, &action);
        now.handlers[k] = action.sa_handler;
        now.flags[k] = action.sa_flags;
    }
    sigset_t held;
    sigemptyset(&held);
    (void)pthread_sigmask(SIG_SETMASK, NULL, &held);
    for (int k = 1; k < NSIG; ++k) now.held[k] = sigismember(&held, k) == 1;
    for (int k = 0; k < 3; ++k) (void)getitimer((__typeof__(ITIMER_REAL))k, &now.timers[k]);
    for (int k = 0; k < 16; ++k) (void)getrlimit((__typeof__(RLIMIT_AS))k, &now.limits[k]);
    now.mask_of_files = umask(0);
    (void)umask(now.mask_of_files);
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &now.cancel_state);
    (void)pthread_setcancelstate(now.cancel_state, NULL);
    (void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &now.cancel_type);
    now.files = open_files();
    (void)snprintf(now.locale, sizeof now.locale, "%s", setlocale(LC_ALL, NULL));
    if (getcwd(now.folder, sizeof now.folder) == NULL) now.folder[0] = '\0';
    now.environment = environ;
    now.first_variable = environ[0];
    return now;
}

static void the_process_is_as_it_was(void **unused) {
    (void)unused;
    make_plain_results();
    dpa_ledger *ledger = new_ledger();
    signal(SIGPIPE, SIG_IGN);
    set_handler(SIGINT);
    set_handler(SIGCHLD);
    g_signals = 0;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {.ledger = ledger_for(&fit_kinds[k], ledger)};
        srand(7);
        srandom(7);
        const int first = rand();
        const process_state before = state_of_process();
        srand(7);
        const int difference = differs(k, &call);
        const int again = rand();
        const process_state after = state_of_process();
        assert_int_equal(difference, 0);
        assert_int_equal(again, first); /* no random number of the host is taken */
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_int_equal(g_signals, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    dpa_ledger_destroy(ledger);
}

/* A host may hold all signals off, as Erlang's and Java's threads do. */
static void all_signals_may_be_held_off(void **unused) {
    (void)unused;
    sigset_t all, before;
    sigfillset(&all);
    make_plain_results();
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, &before), 0);
    int differences = 0;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {0};
        differences += differs(k, &call) != 0;
    }
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(differences, 0);
}

typedef struct {
    dpa_ledger *ledger;
    size_t kind;
    atomic_int calls;
} endless;

static void *fit_for_ever(void *work) {
    endless *own = work;
    while (1) {
        host_call call = {.ledger = ledger_for(&fit_kinds[own->kind], own->ledger)};
        (void)run_kind(&fit_kinds[own->kind], &call);
        ++own->calls;
        pthread_testcancel();
    }
    return NULL;
}

/* pthread_cancel, deferred, as it is by default: the thread ends, and all others go on. */
static void a_thread_may_be_cancelled(void **unused) {
    (void)unused;
    make_plain_results();
    for (size_t k = 0; k < LENGTH(fit_kinds); k += 3) {
        endless work = {new_ledger(), k, 0};
        pthread_t thread;
        void *ended = NULL;
        assert_int_equal(pthread_create(&thread, NULL, fit_for_ever, &work), 0);
        while (work.calls < 1) usleep(1000);
        usleep(700 * (useconds_t)(k + 1));
        assert_int_equal(pthread_cancel(thread), 0);
        assert_int_equal(pthread_join(thread, &ended), 0);
        assert_ptr_equal(ended, PTHREAD_CANCELED);
        host_call call = {.ledger = ledger_for(&fit_kinds[k], work.ledger)};
        assert_int_equal(differs(k, &call), 0);
        dpa_ledger_destroy(work.ledger);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_storm_of_signals_changes_nothing),
        cmocka_unit_test(the_process_is_as_it_was),
        cmocka_unit_test(all_signals_may_be_held_off),
        cmocka_unit_test(a_thread_may_be_cancelled),
    };
    (void)snprintf(g_path, sizeof g_path, "host_signals_%d.ledger", (int)getpid());
    const int failed = cmocka_run_group_tests_name("signals", tests, NULL, NULL);
    unlink(g_path);
    return failed;
}
