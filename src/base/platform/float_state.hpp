#pragma once

#include <cfenv>
#include <cstdint>

namespace dpadapt {

#if defined(__x86_64__) && defined(__GNUC__)
/** Rounding, traps, what becomes of tiny numbers, and the flags that have been raised: of a thread.
 *  The two units of the processor have one each. */
struct FloatState {
    std::uint32_t mxcsr = 0;
    std::uint16_t control = 0;
    std::uint16_t flags = 0;
};
#else
using FloatState = std::fenv_t;
#endif

/** While it lives, this thread computes as a new process does: it rounds to nearest, keeps tiny
 *  numbers and traps nothing. Threads that it starts inherit that. Then the host's state is back,
 *  with the flags that were raised before. */
class PlainFloats {
  public:
    PlainFloats() noexcept;
    PlainFloats &operator=(PlainFloats &&) = delete;
    ~PlainFloats();

  private:
    friend class HostFloats;
    FloatState host_;
    PlainFloats *outer_;
};

/** Keeps, within a PlainFloats, the flags of the older unit, which BLAS uses and nothing else here.
 */
class OlderFlags {
  public:
    OlderFlags() noexcept;
    OlderFlags &operator=(OlderFlags &&) = delete;
    ~OlderFlags();

  private:
    std::uint16_t flags_;
};

/** While it lives, within a PlainFloats or without one, the state is the host's: around each call
 *  of a function of the host. What the function changes stays changed for the host. */
class HostFloats {
  public:
    HostFloats() noexcept;
    HostFloats &operator=(HostFloats &&) = delete;
    ~HostFloats();

  private:
    PlainFloats *call_;
};

/** Calls a function of the host, in the host's state. */
template <typename Function, typename... Arguments>
auto call_host(Function function, Arguments... arguments) {
    const HostFloats floats;
    return function(arguments...);
}

}  // namespace dpadapt
