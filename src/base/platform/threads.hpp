#pragma once

#include <pthread.h>

#include <csignal>
#include <new>

namespace dpadapt {

/** Holds off pthread_cancel of this thread while it waits for others: unwinding past them would
 *  abort. */
class CancellationHold {
  public:
    CancellationHold() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    CancellationHold(const CancellationHold &) = delete;
    CancellationHold &operator=(const CancellationHold &) = delete;
    ~CancellationHold() { pthread_setcancelstate(before_, nullptr); }

  private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

/** While it lives, signals to the process are not delivered to this thread, nor to those that it
 *  starts, which keep that. Faults of a thread itself and the profiler's signals are. */
class SignalHold {
  public:
    SignalHold() noexcept {
        sigset_t held;
        sigfillset(&held);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF})
            sigdelset(&held, own);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    SignalHold(const SignalHold &) = delete;
    SignalHold &operator=(const SignalHold &) = delete;
    ~SignalHold() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

namespace platform {

/** Calls these around each fork from now on: before it, and after it in the parent and the child.
 */
inline void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept {
    (void)pthread_atfork(before, in_parent, in_child);
}

}  // namespace platform

}  // namespace dpadapt

// Known to OpenBLAS only; absent (null) with every other BLAS. The last two are of OpenMP.
extern "C" {
__attribute__((weak)) char *openblas_get_config();
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_parallel();
__attribute__((weak)) extern int blas_num_threads;  // that it has or had, before a fork
__attribute__((weak)) extern int blas_cpu_number;   // that a function divides its work among
__attribute__((weak)) void *blas_memory_alloc(int position);
__attribute__((weak)) void blas_memory_free(void *buffer);
__attribute__((weak)) int omp_get_max_threads();
__attribute__((weak)) void omp_set_num_threads(int threads);
}

#if defined(__GLIBCXX__)  // others do not tell the unwinding of a cancelled thread from exceptions
#include <cxxabi.h>
#define DPA_FORCED_UNWIND abi::__forced_unwind
#endif

// The unwinding of a cancelled thread is caught by a reference to no object.
#if defined(__clang__)
#define DPA_UNWINDS __attribute__((no_sanitize("undefined")))
#elif defined(__GNUC__)
#define DPA_UNWINDS __attribute__((no_sanitize_undefined))
#else
#define DPA_UNWINDS
#endif
