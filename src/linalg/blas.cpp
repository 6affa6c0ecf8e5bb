#include "linalg/blas.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/platform/openblas.hpp"
#include "base/platform/process.hpp"
#include "base/platform/threads.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::linalg {

namespace {

const platform::OpenBlas &openblas = platform::kOpenBlas;

}  // namespace

const char *blas_description() {
    return openblas.get_config != nullptr ? openblas.get_config() : "unknown";
}

int blas_threads() { return openblas.get_num_threads != nullptr ? openblas.get_num_threads() : 0; }

namespace {

/** Makes OpenBLAS take a buffer for each of `threads` callers, which it keeps for later calls. */
void take_buffers(std::size_t threads) {
    if (openblas.memory_alloc == nullptr || openblas.memory_free == nullptr) return;
    std::vector<void *> buffers(threads);
    for (void *&buffer : buffers) buffer = openblas.memory_alloc(0);
    for (void *buffer : buffers) openblas.memory_free(buffer);
}

/** Threads of its own that OpenBLAS has started, whose buffers they take when they first run. */
std::size_t workers() {
    const int started = openblas.num_threads != nullptr ? *openblas.num_threads : blas_threads();
    return started > 1 ? static_cast<std::size_t>(started) - 1 : 0;
}

Mutex preparing;
std::size_t prepared DPA_GUARDED_BY(preparing) = 0;  // for so many threads

}  // namespace

void prepare_blas(std::size_t threads) {
    constexpr std::size_t kBuffer = std::size_t{132} << 20U;
    if (openblas.get_config == nullptr || !platform::addresses_are_limited()) return;
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

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the names of BLAS
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, std::size_t /*length*/,
            std::size_t /*length*/);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, std::size_t /*length*/);
// NOLINTEND(readability-identifier-naming)
}

namespace {

/** How many last rows OpenBLAS would compute in memory whose allocation it does not check. */
int last_rows(char a_form, char b_form, int m, int n, int k) {
    constexpr double kSmall = 1e6;  // multiplications of what those kernels are for
    constexpr int kLeastTerms = 16;
    const int last = m % 8;
    const bool small = 1.0 * m * n * k <= kSmall && k >= kLeastTerms;
    return a_form == 'N' && b_form == 'N' && small && last <= 4 ? last : 0;
}

}  // namespace

void dpadapt_dgemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc,
                   std::size_t /*length*/, std::size_t /*length*/) {
    const int last = last_rows(*transa, *transb, *m, *n, *k);
    const int first = *m - last;
    if (first > 0) dgemm_(transa, transb, &first, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
    for (int i = first; i < *m; ++i)
        dgemv_("T", k, n, alpha, b, ldb, a + i, lda, beta, c + i, ldc, 1);
}

namespace dpadapt::linalg {

namespace {

// openblas_get_parallel: threads of its own, or those of OpenMP.
constexpr int kOwnThreads = 1;
constexpr int kOpenMp = 2;

Mutex mutex;
int users DPA_GUARDED_BY(mutex) = 0;
int of_host DPA_GUARDED_BY(mutex) = 0;  // to be restored; 0: nothing has been changed
thread_local int own_users = 0;
thread_local int omp_of_host = 0;  // the same of this thread's OpenMP

int kind() { return openblas.get_parallel != nullptr ? openblas.get_parallel() : 0; }

bool applies() {
    return openblas.set_num_threads != nullptr && openblas.get_num_threads != nullptr &&
           (kind() == kOwnThreads || kind() == kOpenMp);
}

/** Sets OpenBLAS's variable where possible: its function would restart OpenBLAS's threads in the
 *  child of a fork, or raise SIGINT where it may not. Here the number never grows. */
void use_threads(int threads) {
    if (openblas.cpu_number != nullptr) {
        *openblas.cpu_number = threads;
    } else {
        openblas.set_num_threads(threads);
    }
}

/** After a fork the child must find the mutex free, and only the calls of the forking thread. */
void watch_forks() {
    static const bool watched = [] {
        platform::at_fork([]() DPA_ACQUIRE(mutex) { mutex.lock(); },
                          []() DPA_RELEASE(mutex) { mutex.unlock(); },
                          []() DPA_RELEASE(mutex) {
                              users = own_users;
                              mutex.unlock();
                          });
        return true;
    }();
    (void)watched;
}

bool has_openmp() {
    return kind() == kOpenMp && openblas.omp_get_max_threads != nullptr &&
           openblas.omp_set_num_threads != nullptr;
}

/** Later versions of OpenBLAS ask OpenMP, whose number is the calling thread's. */
void begin_openmp() {
    if (!has_openmp() || openblas.omp_get_max_threads() == 1) return;
    omp_of_host = openblas.omp_get_max_threads();
    openblas.omp_set_num_threads(1);
}

void end_openmp() {
    if (omp_of_host == 0) return;
    if (openblas.omp_get_max_threads() == 1) openblas.omp_set_num_threads(omp_of_host);
    omp_of_host = 0;
}

// Clang looks for locks in functions, but not in constructors and destructors.
void begin_use() {
    const Lock lock(mutex);
    ++own_users;
    ++users;
    const int threads = openblas.get_num_threads();
    if (threads == 1) return;
    of_host = threads;
    use_threads(1);
}

void end_use() {
    const Lock lock(mutex);
    --own_users;
    if (--users > 0 || of_host == 0) return;
    if (openblas.get_num_threads() == 1) use_threads(of_host);
    of_host = 0;
}

}  // namespace

OneBlasThread::OneBlasThread() {
    if (!applies()) return;
    watch_forks();
    if (own_users == 0) begin_openmp();
    begin_use();
}

OneBlasThread::~OneBlasThread() {
    if (!applies()) return;
    end_use();
    if (own_users == 0) end_openmp();
}

}  // namespace dpadapt::linalg
