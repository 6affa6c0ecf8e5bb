#pragma once

#include <atomic>

#include "base/platform/processor.hpp"

// One source, several instruction sets: by_processor<body>(...) calls the one for this processor.
// The lanes are written out and contraction is off, so all of them give the same bits.
#define DPA_MULTIVERSION __attribute__((always_inline)) inline

namespace dpadapt {

template <auto body>
class Multiversion;

/** A function pointer, chosen at the first call: no loader is needed that can choose, and nothing
 *  runs when the library is loaded. */
template <typename Result, typename... Arguments, Result (*body)(Arguments...)>
class Multiversion<body> {
  public:
    static Result call(Arguments... arguments) {
        return chosen.load(std::memory_order_relaxed)(arguments...);
    }

  private:
    using Function = Result (*)(Arguments...);

    static Result plain(Arguments... arguments) { return body(arguments...); }
    DPA_PROCESSOR("avx2") static Result by_avx2(Arguments... arguments) {
        return body(arguments...);
    }
    DPA_PROCESSOR("avx512f") static Result by_avx512(Arguments... arguments) {
        return body(arguments...);
    }

    static Result choose(Arguments... arguments) {
        constexpr Function kAll[] = {plain, by_avx2, by_avx512};
        const auto which = static_cast<int>(platform::vectors_of_this_processor());
        chosen.store(kAll[which], std::memory_order_relaxed);
        return kAll[which](arguments...);
    }

    static inline std::atomic<Function> chosen{choose};
};

template <auto body, typename... Arguments>
auto by_processor(Arguments... arguments) {
    return Multiversion<body>::call(arguments...);
}

}  // namespace dpadapt

// Proofs, certificates and tests for NaN need IEEE arithmetic as it is written. (Clang tells of
// the first two only.)
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "dpadapt must not be compiled with -ffast-math or a part of it"
#endif
