/** Preloaded into a process: who asks for NO_MALLOC bytes, or up to a page more, gets none. */
#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);

static size_t refused;

__attribute__((constructor)) static void start(void) {
    const char *bytes = getenv("NO_MALLOC");
    if (bytes != NULL) refused = strtoull(bytes, NULL, 10);
}

static int is_refused(size_t bytes) {
    if (refused == 0 || bytes < refused || bytes > refused + 4096) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return is_refused(bytes) ? NULL : __libc_malloc(bytes); }

void *calloc(size_t count, size_t bytes) {
    return is_refused(count * bytes) ? NULL : __libc_calloc(count, bytes);
}
