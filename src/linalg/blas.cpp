#include "linalg/blas.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <new>

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

namespace {

bool is_limited() {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool has_room(std::size_t bytes) {
    void *room = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

/** Makes OpenBLAS take the calling thread's buffer now, which it keeps for all later calls. */
void take_buffer() {
    constexpr arma::uword kOrder = 96;  // small enough for one thread, too large to need no buffer
    const arma::mat a(kOrder, kOrder, arma::fill::ones);
    volatile double used = arma::mat(a * a.t())(0, 0);
    (void)used;
}

}  // namespace

void prepare_blas(std::size_t threads) {
    constexpr std::size_t kBuffer = std::size_t{132} << 20U;
    static std::mutex mutex;
    static std::size_t prepared = 0;  // for so many threads
    if (openblas_get_config == nullptr || !is_limited()) return;
    const std::scoped_lock lock(mutex);
    threads = std::max<std::size_t>(threads, 1);
    if (threads <= prepared) return;
    if (!has_room((threads - prepared) * kBuffer)) throw std::bad_alloc();
    take_buffer();
    prepared = threads;
}

const char *armadillo_version() {
    return DPA_TEXT(ARMA_VERSION_MAJOR) "." DPA_TEXT(ARMA_VERSION_MINOR) "." DPA_TEXT(
        ARMA_VERSION_PATCH);
}

}  // namespace dpadapt::linalg
