#pragma once

#include <cstddef>

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
