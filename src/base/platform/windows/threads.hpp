#pragma once

// Threads are not cancelled here, signals go to none of them, and nothing forks.
namespace dpadapt {

class CancellationHold {
  public:
    CancellationHold() noexcept {}  // not defaulted: a variable of it would count as unused
    CancellationHold &operator=(CancellationHold &&) = delete;
};

class SignalHold {
  public:
    SignalHold() noexcept {}
    SignalHold &operator=(SignalHold &&) = delete;
};

namespace platform {

inline void at_fork(void (* /*before*/)(), void (* /*in_parent*/)(),
                    void (* /*in_child*/)()) noexcept {}

}  // namespace platform

}  // namespace dpadapt
