#pragma once

#include <dpadapt/status.h>

#include <new>
#include <stdexcept>
#include <utility>

#include "base/attention.hpp"
#include "base/error.hpp"
#include "base/platform/float_state.hpp"
#include "base/platform/unwinding.hpp"
#include "capi/slots.hpp"

namespace dpadapt::capi {

/** Stores "function: message" for dpa_last_error() without allocating; returns the status. */
dpa_status fail(dpa_status status, const char *function, const char *message) noexcept;

/** That text, of the calling thread. */
const char *last_error() noexcept;

/** The body of every exported function that can fail: no exception crosses the C boundary, and the
 *  host's floating-point state is not the library's. Only the unwinding of a cancelled thread
 *  passes, because stopping it would abort the process. */
template <typename Body>
DPA_UNWINDS dpa_status guard(const char *function, Body &&body) {
    const PlainFloats floats;
    try {
        const Uses uses;
        const Attention none;  // of a call from a callback of another one
        std::forward<Body>(body)();
        return DPA_OK;
    } catch (const Error &error) {
        return fail(error.status(), function, error.what());
    } catch (const std::bad_alloc &) {
        return fail(DPA_E_NO_MEMORY, function, "out of memory");
    } catch (const std::length_error &) {
        return fail(DPA_E_NO_MEMORY, function, "out of memory: an array would be too long");
    } catch (const std::exception &error) {
        return fail(DPA_E_INTERNAL, function, error.what());
#if defined(DPA_FORCED_UNWIND)
    } catch (DPA_FORCED_UNWIND &) {
        throw;
#endif
    } catch (...) {
        return fail(DPA_E_INTERNAL, function, "unknown exception");
    }
}

}  // namespace dpadapt::capi
