#pragma once

#if defined(_WIN32)
#include "base/platform/windows/threads.hpp"
#else
#include "base/platform/posix/threads.hpp"
#endif

#include <new>

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
