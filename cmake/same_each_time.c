/* For artefacts.sh, by LD_PRELOAD: the vignettes of the R package show private fits and ledgers,
   whose noise and time are the same each time that a release is made. Their data are public. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
    static unsigned long long state = 1;
    (void)flags;
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        ((unsigned char *)bytes)[i] = (unsigned char)(state >> 56U);
    }
    return (ssize_t)size;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_REALTIME) return (int)syscall(SYS_clock_gettime, clock, now);
    now->tv_sec = atoll(getenv("SOURCE_DATE_EPOCH"));
    now->tv_nsec = 0;
    return 0;
}
