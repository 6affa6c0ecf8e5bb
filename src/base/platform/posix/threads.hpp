#pragma once

#include <pthread.h>

#include <csignal>

namespace dpadapt {

/** Holds off pthread_cancel of this thread while it waits for others: unwinding past them would
 *  abort. */
class CancellationHold {
  public:
    CancellationHold() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    CancellationHold &operator=(CancellationHold &&) = delete;
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
    SignalHold &operator=(SignalHold &&) = delete;
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
