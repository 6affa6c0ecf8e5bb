#include "linalg/one_blas_thread.hpp"

#include "base/mutex.hpp"
#include "base/platform/openblas.hpp"
#include "base/platform/threads.hpp"

namespace dpadapt::linalg {
namespace {

constexpr int kOwnThreads = 1;  // openblas_get_parallel: threads of its own, not of OpenMP

Mutex mutex;
int users DPA_GUARDED_BY(mutex) = 0;
int of_host DPA_GUARDED_BY(mutex) = 0;  // to be restored; 0: nothing has been changed
thread_local int own_users = 0;

bool applies() {
    return openblas_get_parallel != nullptr && openblas_set_num_threads != nullptr &&
           openblas_get_num_threads != nullptr && openblas_get_parallel() == kOwnThreads;
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

// Clang looks for locks in functions, but not in constructors and destructors.
void begin_use() {
    const Lock lock(mutex);
    ++own_users;
    ++users;
    const int threads = openblas_get_num_threads();
    if (threads == 1) return;
    of_host = threads;
    openblas_set_num_threads(1);
}

void end_use() {
    const Lock lock(mutex);
    --own_users;
    if (--users > 0 || of_host == 0) return;
    if (openblas_get_num_threads() == 1) openblas_set_num_threads(of_host);
    of_host = 0;
}

}  // namespace

OneBlasThread::OneBlasThread() {
    if (!applies()) return;
    watch_forks();
    begin_use();
}

OneBlasThread::~OneBlasThread() {
    if (applies()) end_use();
}

}  // namespace dpadapt::linalg
