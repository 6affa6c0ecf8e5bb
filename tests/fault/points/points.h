/* Calls to the system that a test counts and lets fail: points.c stands between the library (and
 * BLAS, libsodium, the C++ runtime) and the C library. */
#ifndef DPADAPT_TESTS_POINTS_H
#define DPADAPT_TESTS_POINTS_H

#include <stdint.h>

enum point_kind {
    kMemory, /* malloc and its like */
    kMap,    /* mmap */
    kThread, /* pthread_create */
    kRandom, /* getrandom */
    kOpen,
    kWrite, /* half of it is done */
    kSync,
    kName, /* rename, mkostemps, fchmod */
    kPointKinds
};

/* Names for messages, in that order. */
extern const char *const point_names[];

/* From now on calls of that kind are counted, and the one of that number fails, or that and all
 * later ones if lasting; 0: none. */
void points_begin(enum point_kind kind, int64_t number, int32_t lasting);

/* Ends that; how many calls there were. */
int64_t points_end(void);

/* Blocks of memory in use. */
int64_t points_live(void);

#endif
