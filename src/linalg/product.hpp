#pragma once

#include <cstddef>

// What Armadillo calls in place of BLAS's dgemm, with its arguments.
//
// OpenBLAS has kernels for small products A B on processors with AVX-512 that take memory by malloc
// and do not look whether they got it: where there is none, they write to address 0. They do so for
// the last rows, if these are 1 to 4 beyond a multiple of 8 and sums have 16 terms or more. Such
// rows are made one by one here, by products with vectors.
extern "C" void dpadapt_dgemm(const char *transa, const char *transb, const int *m, const int *n,
                              const int *k, const double *alpha, const double *a, const int *lda,
                              const double *b, const int *ldb, const double *beta, double *c,
                              const int *ldc, std::size_t transa_length, std::size_t transb_length);
