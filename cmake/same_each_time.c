/* For artefacts.sh, by LD_PRELOAD: the vignettes of the R package show private fits and ledgers,
   whose noise and time are the same each time that a release is made. Their data are public. */
#define _GNU_SOURCE
#include <stdatomic.h>
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

/* A call takes a tenth of a millisecond, as a pass over 4096 rows does, so that plans tell the same
   seconds. */
static void tell_the_same_duration(struct timespec *now) {
    static atomic_llong calls;
    const long long passed = 100000 * ++calls;
    now->tv_sec += (time_t)(passed / 1000000000);
    now->tv_nsec = (long)(passed % 1000000000);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_REALTIME) {
        const int result = (int)syscall(SYS_clock_gettime, clock, now);
        if (clock == CLOCK_MONOTONIC) tell_the_same_duration(now);
        return result;
    }
    now->tv_sec = atoll(getenv("SOURCE_DATE_EPOCH"));
    now->tv_nsec = 0;
    return 0;
}
