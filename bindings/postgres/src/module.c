/* What PostgreSQL asks a module when it loads it. */
#include "guest.h"

PG_MODULE_MAGIC;

/* Known to OpenBLAS only; absent (null) with every other BLAS. */
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int blas_thread_shutdown_(void);

void _PG_init(void);

/* OpenBLAS starts a thread of every core when it is loaded: too many in a server of many backends,
 * and each of them would take the backend's signals. */
void _PG_init(void) {
    if (openblas_set_num_threads == NULL || blas_thread_shutdown_ == NULL) return;
    openblas_set_num_threads(1);
    (void)blas_thread_shutdown_();
}
