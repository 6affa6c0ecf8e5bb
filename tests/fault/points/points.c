/** The definitions here come before those of the C library, in a program and in a library that is
 *  preloaded. There, FAIL_KIND and FAIL_NUMBER say what fails, and FAIL_COUNT names the file that
 *  gets the number of calls. */
#define _GNU_SOURCE
#include "points.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const point_names[] = {"memory", "map",   "thread", "random",
                                   "open",   "write", "sync",   "name"};

static _Atomic int64_t counted, failing, live;
static atomic_int watched = -1, lasts;

void points_begin(enum point_kind kind, int64_t number, int32_t lasting) {
    counted = 0;
    failing = number;
    lasts = lasting;
    watched = (int)kind;
}

int64_t points_end(void) {
    watched = -1;
    return counted;
}

int64_t points_live(void) { return live; }

static int fails(enum point_kind kind) {
    if (watched != (int)kind) return 0;
    const int64_t number = ++counted;
    return failing > 0 && (number == failing || (lasts && number > failing));
}

/** The C library's function of that name, without a cast that the standard does not have. */
#define NEXT(function)                 \
    static __typeof__(function) *next; \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #function)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void *none(void) {
    errno = ENOMEM;
    return NULL;
}

static void *taken(void *block) {
    if (block) ++live;
    return block;
}

void *malloc(size_t size) { return fails(kMemory) ? none() : taken(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) {
    return fails(kMemory) ? none() : taken(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
    if (fails(kMemory)) return none();
    void *other = __libc_realloc(block, size);
    return block ? other : taken(other);
}

void *memalign(size_t alignment, size_t size) {
    return fails(kMemory) ? none() : taken(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *taken_block = memalign(alignment, size);
    if (!taken_block) return ENOMEM;
    *block = taken_block;
    return 0;
}

void free(void *block) {
    if (block) --live;
    __libc_free(block);
}

void *mmap(void *where, size_t size, int protection, int flags, int file, off_t offset) {
    NEXT(mmap);
    if (!fails(kMap)) return next(where, size, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    NEXT(pthread_create);
    return fails(kThread) ? EAGAIN : next(thread, attributes, run, argument);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
    NEXT(getrandom);
    if (!fails(kRandom)) return next(bytes, size, flags);
    errno = EIO;
    return -1;
}

int open(const char *path, int flags, ...) {
    NEXT(open);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!fails(kOpen)) return next(path, flags, mode);
    errno = EIO;
    return -1;
}

/* What open is compiled to with checks of sizes, or for large files. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return open(path, flags, 0); }
int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write);
    if (file <= STDERR_FILENO || !fails(kWrite)) return next(file, bytes, count);
    (void)!next(file, bytes, count / 2);
    errno = ENOSPC;
    return -1;
}

int fsync(int file) {
    NEXT(fsync);
    if (!fails(kSync)) return next(file);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (!fails(kName)) return next(from, to);
    errno = ENOSPC;
    return -1;
}

int mkostemps(char *name, int ending, int flags) {
    NEXT(mkostemps);
    if (!fails(kName)) return next(name, ending, flags);
    errno = ENOSPC;
    return -1;
}

int fchmod(int file, mode_t mode) {
    NEXT(fchmod);
    if (!fails(kName)) return next(file, mode);
    errno = EPERM;
    return -1;
}

static int (*real_main)(int, char **, char **);

/* What fails before main would end any program. */
static int main_after_that(int count, char **arguments, char **environment) {
    const char *kind = getenv("FAIL_KIND"), *number = getenv("FAIL_NUMBER");
    for (int k = 0; kind && number && k < kPointKinds; ++k)
        if (strcmp(kind, point_names[k]) == 0) points_begin((enum point_kind)k, atoll(number), 0);
    return real_main(count, arguments, environment);
}

int __libc_start_main(int (*program)(int, char **, char **), int count, char **arguments,
                      void (*init)(void), void (*end)(void), void (*linker)(void), void *stack);
int __libc_start_main(int (*program)(int, char **, char **), int count, char **arguments,
                      void (*init)(void), void (*end)(void), void (*linker)(void), void *stack) {
    NEXT(__libc_start_main);
    real_main = program;
    return next(main_after_that, count, arguments, init, end, linker, stack);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAIL_COUNT");
    if (!path) return;
    const int64_t seen = points_end();
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%lld\n", (long long)seen);
    fclose(file);
}
