/** Preloaded into the command: of the calls that bring a result out, number FAIL_AT fails, or the
 *  process is killed there; of a write one half is done. Standard error is not counted. With
 *  FAIL_ONLY only the function of that name is counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls;

/** The C library's function of that name, without a cast that the standard does not have. */
#define NEXT(function)          \
    __typeof__(function) *next; \
    *(void **)&next = dlsym(RTLD_NEXT, #function)

enum what { AS_USUAL, FAIL, DIE };

static enum what now(const char *function) {
    const char *only = getenv("FAIL_ONLY");
    if (only != NULL && strcmp(only, function) != 0) return AS_USUAL;
    const char *at = getenv("FAIL_AT");
    const char *signal = getenv("FAIL_BY_KILL");
    if (at == NULL || ++calls != atoi(at)) return AS_USUAL;
    errno = ENOSPC;
    return signal != NULL ? DIE : FAIL;
}

static int stopped(enum what what) {
    if (what == DIE) raise(SIGKILL);
    return what == FAIL;
}

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write);
    enum what what = file > STDERR_FILENO ? now(__func__) : AS_USUAL;
    if (what != AS_USUAL) (void)!next(file, bytes, count / 2);
    errno = ENOSPC;
    return stopped(what) ? -1 : next(file, bytes, count);
}

/** Of files that are made. */
int open(const char *name, int flags, ...) {
    NEXT(open);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return stopped(flags & O_EXCL ? now(__func__) : AS_USUAL) ? -1 : next(name, flags, mode);
}

int fchmod(int file, mode_t mode) {
    NEXT(fchmod);
    return stopped(now(__func__)) ? -1 : next(file, mode);
}

int fsync(int file) {
    NEXT(fsync);
    return stopped(now(__func__)) ? -1 : next(file);
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    return stopped(now(__func__)) ? -1 : next(from, to);
}
