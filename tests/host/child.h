/* What a host does in a child, so that what it sets does not stay. */
#ifndef DPADAPT_TESTS_HOST_CHILD_H
#define DPADAPT_TESTS_HOST_CHILD_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/fits.h"

enum { kChildSeconds = 120 };

static inline void check_child(pid_t child, const char *what) {
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) print_error("%s: signal %d\n", what, WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status))
        print_error("%s: exit code %d\n", what, WEXITSTATUS(status));
    assert_int_equal(status, 0);
}

/* The work returns 0 in a child of a fork, which no signal ends. */
#define IN_CHILD(what, work)                                        \
    do {                                                            \
        const pid_t child_ = fork();                                \
        if (child_ == 0) {                                          \
            signal(SIGALRM, SIG_DFL); /* ends a child that hangs */ \
            alarm(kChildSeconds);                                   \
            _exit(work);                                            \
        }                                                           \
        check_child(child_, what);                                  \
    } while (0)

static inline int limit(int resource, rlim_t value) {
    struct rlimit both = {value, value};
    struct rlimit now;
    if (getrlimit((__typeof__(RLIMIT_AS))resource, &now)) return -1;
    both.rlim_max = now.rlim_max; /* to be raised again */
    return setrlimit((__typeof__(RLIMIT_AS))resource, &both);
}

/* No process and no thread can begin from now on: root is another user then. */
static inline int forbid_processes(void) {
    enum { kNobody = 65534 };
    struct rlimit none = {1, 1};
    if (setrlimit(RLIMIT_NPROC, &none)) return -1;
    return getuid() == 0 ? setuid(kNobody) : 0;
}

#endif
