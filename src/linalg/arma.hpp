#pragma once

// The only door to Armadillo: every file that needs it includes this one first.
#ifdef ARMA_INCLUDES
#error "include linalg/arma.hpp before any other Armadillo header"
#endif

#include <cstddef>
#include <new>

namespace dpadapt::linalg {

/** Armadillo's memory comes from operator new, so that a host can replace it and tests can exhaust
 *  it. */
inline void *allocate(std::size_t bytes) noexcept { return ::operator new(bytes, std::nothrow); }
inline void release(void *memory) noexcept { ::operator delete(memory); }

}  // namespace dpadapt::linalg

#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_OPENMP
#define ARMA_DONT_USE_HDF5
#define ARMA_DONT_USE_SUPERLU
#define ARMA_DONT_USE_ARPACK
#define ARMA_USE_LAPACK
#define ARMA_USE_BLAS
#define ARMA_WARN_LEVEL 0
#define ARMA_ALIEN_MEM_ALLOC_FUNCTION dpadapt::linalg::allocate
#define ARMA_ALIEN_MEM_FREE_FUNCTION dpadapt::linalg::release

#define dgemm_ dpadapt_dgemm  // linalg/blas.hpp
#include <armadillo>
#undef dgemm_
