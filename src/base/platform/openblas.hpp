#pragma once

namespace dpadapt::platform {

/** What only OpenBLAS knows; null with every other BLAS. The last two are OpenMP's. */
struct OpenBlas {
    char *(*get_config)() = nullptr;
    int (*get_num_threads)() = nullptr;
    void (*set_num_threads)(int threads) = nullptr;
    int (*get_parallel)() = nullptr;
    int *num_threads = nullptr;  ///< that it has or had, before a fork
    int *cpu_number = nullptr;   ///< that a function divides its work among
    void *(*memory_alloc)(int position) = nullptr;
    void (*memory_free)(void *buffer) = nullptr;
    int (*omp_get_max_threads)() = nullptr;
    void (*omp_set_num_threads)(int threads) = nullptr;
};

/** Of the BLAS that is linked, found when the library is loaded. */
extern const OpenBlas kOpenBlas;

}  // namespace dpadapt::platform
