#include "base/platform/openblas.hpp"

// Where CMake knows that the BLAS is OpenBLAS and stays it (DPA_OPENBLAS), its functions are named
// here. Elsewhere the BLAS is the system's choice, or R's, and the loader is asked.
#if defined(DPA_OPENBLAS)

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the names of OpenBLAS
char *openblas_get_config();
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
int openblas_get_parallel();
// NOLINTEND(readability-identifier-naming)
}
#elif !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace dpadapt::platform {

#if defined(DPA_OPENBLAS)
const OpenBlas kOpenBlas{openblas_get_config, openblas_get_num_threads, openblas_set_num_threads,
                         openblas_get_parallel};
#elif defined(_WIN32)
const OpenBlas kOpenBlas{};
#else
namespace {

template <typename Address>
void find(const char *name, Address &address) {
    address = reinterpret_cast<Address>(dlsym(RTLD_DEFAULT, name));
}

OpenBlas find_openblas() {
    OpenBlas found;
    find("openblas_get_config", found.get_config);
    find("openblas_get_num_threads", found.get_num_threads);
    find("openblas_set_num_threads", found.set_num_threads);
    find("openblas_get_parallel", found.get_parallel);
    find("blas_num_threads", found.num_threads);
    find("blas_cpu_number", found.cpu_number);
    find("blas_memory_alloc", found.memory_alloc);
    find("blas_memory_free", found.memory_free);
    find("omp_get_max_threads", found.omp_get_max_threads);
    find("omp_set_num_threads", found.omp_set_num_threads);
    return found;
}

}  // namespace

const OpenBlas kOpenBlas = find_openblas();
#endif

}  // namespace dpadapt::platform
