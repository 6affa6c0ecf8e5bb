#pragma once

// Threads are not cancelled here, signals go to none of them, and nothing forks.
namespace dpadapt {

class CancellationHold {
  public:
    CancellationHold() noexcept {}  // not defaulted: a variable of it would count as unused
    CancellationHold(const CancellationHold &) = delete;
    CancellationHold &operator=(const CancellationHold &) = delete;
};

class SignalHold {
  public:
    SignalHold() noexcept {}
    SignalHold(const SignalHold &) = delete;
    SignalHold &operator=(const SignalHold &) = delete;
};

namespace platform {

inline void at_fork(void (* /*before*/)(), void (* /*in_parent*/)(),
                    void (* /*in_child*/)()) noexcept {}

}  // namespace platform

}  // namespace dpadapt
