#include "linalg/one_blas_thread.hpp"

#include "base/mutex.hpp"
#include "base/platform/openblas.hpp"
#include "base/platform/threads.hpp"

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

int kind() { return openblas_get_parallel != nullptr ? openblas_get_parallel() : 0; }

bool applies() {
    return openblas_set_num_threads != nullptr && openblas_get_num_threads != nullptr &&
           (kind() == kOwnThreads || kind() == kOpenMp);
}

/** The function that sets it starts OpenBLAS's threads anew in the child of a fork, which has none,
 *  and raises SIGINT where it may not. No more threads are wanted here than there were before. */
void use_threads(int threads) {
    if (&blas_cpu_number != nullptr) {
        blas_cpu_number = threads;
    } else {
        openblas_set_num_threads(threads);
    }
}

/** A child of fork must find the mutex free, and has this thread's calls only. */
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
    return kind() == kOpenMp && omp_get_max_threads != nullptr && omp_set_num_threads != nullptr;
}

/** Later versions of OpenBLAS ask OpenMP, whose number is the calling thread's. */
void begin_openmp() {
    if (!has_openmp() || omp_get_max_threads() == 1) return;
    omp_of_host = omp_get_max_threads();
    omp_set_num_threads(1);
}

void end_openmp() {
    if (omp_of_host == 0) return;
    if (omp_get_max_threads() == 1) omp_set_num_threads(omp_of_host);
    omp_of_host = 0;
}

// Clang looks for locks in functions, but not in constructors and destructors.
void begin_use() {
    const Lock lock(mutex);
    ++own_users;
    ++users;
    const int threads = openblas_get_num_threads();
    if (threads == 1) return;
    of_host = threads;
    use_threads(1);
}

void end_use() {
    const Lock lock(mutex);
    --own_users;
    if (--users > 0 || of_host == 0) return;
    if (openblas_get_num_threads() == 1) use_threads(of_host);
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
