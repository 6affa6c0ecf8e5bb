#pragma once

#include <cstddef>

#include "base/platform/float_state.hpp"

namespace dpadapt::linalg {

/** What the BLAS says about itself, "unknown" when it says nothing; static text. */
[[nodiscard]] const char *blas_description();

/** Threads that the BLAS uses, which is the host's choice; 0 when unknown. */
[[nodiscard]] int blas_threads();

/** OpenBLAS takes 129 MiB of addresses for every thread that calls it, and tries for ever where
 *  they cannot be had. To be called before its functions: where the address space is limited,
 *  throws std::bad_alloc unless there is room for so many threads. */
void prepare_blas(std::size_t threads);

/** Version of the Armadillo headers, "major.minor.patch". */
[[nodiscard]] const char *armadillo_version();

}  // namespace dpadapt::linalg

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

namespace dpadapt::linalg {

/** While one of these lives, OpenBLAS uses the calling thread alone: its other threads are ended by
 *  a fork of any thread of the process, and whoever waits for them then waits for ever. The last
 *  one gives the host its number back, unless the host has set another one meanwhile. No thread is
 *  started for that. Other libraries are left alone. */
class OneBlasThread {
  public:
    OneBlasThread();
    OneBlasThread &operator=(OneBlasThread &&) = delete;
    ~OneBlasThread();

  private:
    OlderFlags flags_;
};

}  // namespace dpadapt::linalg
