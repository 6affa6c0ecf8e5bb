/* What PostgreSQL asks a module when it loads it. */
#include <limits.h>
#include <utils/guc.h>

#include "guest.h"
#include "source.h"

PG_MODULE_MAGIC;

/* Known to OpenBLAS only; absent (null) with every other BLAS. */
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int blas_thread_shutdown_(void);

void _PG_init(void);

static void define_settings(void) {
    DefineCustomIntVariable("dpadapt.source_memory",
                            "Memory for the rows of a public source; larger ones are read anew.",
                            NULL, &source_memory, source_memory, 1, INT_MAX, PGC_USERSET,
                            GUC_UNIT_KB, NULL, NULL, NULL);
    MarkGUCPrefixReserved("dpadapt");
}

/* OpenBLAS starts a thread of every core when it is loaded: too many in a server of many backends,
 * and each of them would take the backend's signals. */
void _PG_init(void) {
    define_settings();
    if (openblas_set_num_threads == NULL || blas_thread_shutdown_ == NULL) return;
    openblas_set_num_threads(1);
    (void)blas_thread_shutdown_();
}
