#pragma once

namespace dpadapt::linalg {

/** What the BLAS says about itself, "unknown" when it says nothing; static text. */
[[nodiscard]] const char *blas_description();

/** Threads that the BLAS uses, which is the host's choice; 0 when unknown. */
[[nodiscard]] int blas_threads();

/** Version of the Armadillo headers, "major.minor.patch". */
[[nodiscard]] const char *armadillo_version();

}  // namespace dpadapt::linalg
