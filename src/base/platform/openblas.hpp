#pragma once

// Known to OpenBLAS only; absent (null) with every other BLAS.
extern "C" {
__attribute__((weak)) char *openblas_get_config();
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_parallel();
__attribute__((weak)) extern int blas_num_threads;
__attribute__((weak)) void *blas_memory_alloc(int position);
__attribute__((weak)) void blas_memory_free(void *buffer);
}
