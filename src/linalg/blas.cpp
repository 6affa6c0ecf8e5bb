#include "linalg/blas.hpp"

#include "linalg/arma.hpp"

// Known to OpenBLAS only; absent (null) with every other BLAS.
extern "C" {
__attribute__((weak)) char *openblas_get_config();
__attribute__((weak)) int openblas_get_num_threads();
}

#define DPA_TEXT_OF(x) #x
#define DPA_TEXT(x) DPA_TEXT_OF(x)

namespace dpadapt::linalg {

const char *blas_description() {
    return openblas_get_config != nullptr ? openblas_get_config() : "unknown";
}

int blas_threads() { return openblas_get_num_threads != nullptr ? openblas_get_num_threads() : 0; }

const char *armadillo_version() {
    return DPA_TEXT(ARMA_VERSION_MAJOR) "." DPA_TEXT(ARMA_VERSION_MINOR) "." DPA_TEXT(
        ARMA_VERSION_PATCH);
}

}  // namespace dpadapt::linalg
