#include "linalg/blas.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "base/mutex.hpp"
#include "base/platform/address_space.hpp"
#include "base/platform/openblas.hpp"
#include "linalg/arma.hpp"

#define DPA_TEXT_OF(x) #x
#define DPA_TEXT(x) DPA_TEXT_OF(x)

namespace dpadapt::linalg {

const char *blas_description() {
    return openblas_get_config != nullptr ? openblas_get_config() : "unknown";
}

int blas_threads() { return openblas_get_num_threads != nullptr ? openblas_get_num_threads() : 0; }

namespace {

/** Makes OpenBLAS take a buffer for each of `threads` callers, which it keeps for later calls. */
void take_buffers(std::size_t threads) {
    if (blas_memory_alloc == nullptr || blas_memory_free == nullptr) return;
    std::vector<void *> buffers(threads);
    for (void *&buffer : buffers) buffer = blas_memory_alloc(0);
    for (void *buffer : buffers) blas_memory_free(buffer);
}

/** Threads of its own that OpenBLAS has started, whose buffers they take when they first run. */
std::size_t workers() {
    const int started = &blas_num_threads != nullptr ? blas_num_threads : blas_threads();
    return started > 1 ? static_cast<std::size_t>(started) - 1 : 0;
}

Mutex preparing;
std::size_t prepared DPA_GUARDED_BY(preparing) = 0;  // for so many threads

}  // namespace

void prepare_blas(std::size_t threads) {
    constexpr std::size_t kBuffer = std::size_t{132} << 20U;
    if (openblas_get_config == nullptr || !platform::addresses_are_limited()) return;
    const Lock lock(preparing);
    threads = std::max<std::size_t>(threads, 1);
    if (threads <= prepared) return;
    // Whether the workers have their buffers already cannot be seen.
    const std::size_t others = prepared > 0 ? 0 : workers();
    if (!platform::has_addresses((threads - prepared + others) * kBuffer)) throw std::bad_alloc();
    take_buffers(threads);
    prepared = threads;
}

const char *armadillo_version() {
    return DPA_TEXT(ARMA_VERSION_MAJOR) "." DPA_TEXT(ARMA_VERSION_MINOR) "." DPA_TEXT(
        ARMA_VERSION_PATCH);
}

}  // namespace dpadapt::linalg
