/* Memory under control of the test: operator new of the whole process is in allocation.cpp. */
#ifndef DPADAPT_TESTS_ALLOCATION_H
#define DPADAPT_TESTS_ALLOCATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the n-th allocation fails, and all later ones if lasting; 0 lets all succeed. */
void allocation_fail(int64_t nth, int32_t lasting);

/* Allocations that failed since the last allocation_fail with nth > 0. */
int64_t allocation_failures(void);

/* Blocks allocated and not yet released. */
int64_t allocation_live(void);

#ifdef __cplusplus
}
#endif

#endif
