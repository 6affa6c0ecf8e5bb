// What the tests of the internals share. A failing cmocka assertion is a longjmp, which must not
// cross C++ objects: checks record, and the test fails after its body has returned.
#pragma once

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

extern "C" {
#include <cmocka.h>
}
#undef fail  // a macro of that name breaks every stream

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <random>
#include <string>

#include "base/control.hpp"
#include "base/error.hpp"

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

inline int failures = 0;

inline void check_true(const std::string &what, bool holds) {
    if (holds) return;
    ++failures;
    std::fprintf(stderr, "failed: %s\n", what.c_str());
}

/** With which status a call fails. */
template <typename Call>
dpa_status status_of(const Call &call) {
    try {
        call();
    } catch (const dpadapt::Error &error) {
        return error.status();
    }
    return DPA_OK;
}

inline void check_close(const std::string &what, double a, double b, double rtol) {
    if (std::abs(a - b) <= rtol * std::max(std::abs(a), std::abs(b))) return;
    ++failures;
    std::fprintf(stderr, "failed: %s: %.17g is not close to %.17g\n", what.c_str(), a, b);
}

/** A cmocka test from a function without arguments that uses the checks above. */
template <void (*Body)()>
void run_body(void ** /*state*/) {
    failures = 0;
    try {
        Body();
    } catch (const std::exception &error) {
        ++failures;
        std::fprintf(stderr, "failed: %s\n", error.what());
    }
    if (failures != 0) _fail(__FILE__, __LINE__);
}
#define core_test(body) \
    { #body, run_body < body>, nullptr, nullptr, nullptr }

struct NoControl : dpadapt::Control {
    void report(const dpadapt::Progress & /*progress*/) override {}
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double normal() { return normal_(engine_); }
    double uniform() { return uniform_(engine_); }

  private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
};
