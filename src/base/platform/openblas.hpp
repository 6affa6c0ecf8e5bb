#pragma once

// Known to OpenBLAS only; absent (null) with every other BLAS. The last two are of OpenMP.
extern "C" {
__attribute__((weak)) char *openblas_get_config();
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_parallel();
__attribute__((weak)) extern int blas_num_threads;  // that it has or had, before a fork
__attribute__((weak)) extern int blas_cpu_number;   // that a function divides its work among
__attribute__((weak)) void *blas_memory_alloc(int position);
__attribute__((weak)) void blas_memory_free(void *buffer);
__attribute__((weak)) int omp_get_max_threads();
__attribute__((weak)) void omp_set_num_threads(int threads);
}
