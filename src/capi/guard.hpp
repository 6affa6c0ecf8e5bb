#pragma once

#include <dpadapt/status.h>

#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/platform/float_state.hpp"
#include "base/platform/threads.hpp"
#include "capi/handles.hpp"
#include "linalg/blas.hpp"

namespace dpadapt::capi {

/** Stores "function: message" for dpa_last_error() without allocating; returns the status. */
dpa_status fail(dpa_status status, const char *function, const char *message) noexcept;

/** That text, of the calling thread. */
const char *last_error() noexcept;

/** The body of every exported function that can fail: no exception crosses the C boundary, and the
 *  host's floating-point state is not the library's. Only the unwinding of a cancelled thread
 *  passes, because stopping it would abort the process. */
DPA_UNWINDS dpa_status guard(const char *function, const auto &body) {
    const PlainFloats floats;
    try {
        const Uses uses;
        const ControlScope none;  // of a call from a callback of another one
        body();
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

/** The same of a function that makes a handle: of what `compute` returns. */
template <typename Handle, typename Compute>
dpa_status guard(const char *function, Handle **out, const Compute &compute) {
    return guard(function, [&] { create(out, compute); });
}

/** The options of a call, which calls the caller's progress function and listens to their cancel
 *  token. */
class Caller : public Control {
  public:
    /** Copies the caller's options, which a callback may change; NULL: the defaults. */
    explicit Caller(const dpa_options *options)
        : options_(options == nullptr ? dpa_options() : checked(options, "options")),
          cancel_(options_.cancel == nullptr ? nullptr : &value_of(options_.cancel, "cancel")) {}

    [[nodiscard]] const engine::OptionValues &values() const { return options_.value; }

    void pause() override { report(last_); }

    /** Searches begin at infinity: to the caller that is no value yet. */
    void report(const Progress &progress) override {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        last_ = progress;
        if (std::isinf(last_.objective)) last_.objective = kNone;
        if (std::isinf(last_.gap)) last_.gap = kNone;
        const dpa_progress view{last_.phase.name, last_.iteration, last_.limit, last_.objective,
                                last_.gap};
        if (options_.progress != nullptr && call_host(options_.progress, &view, options_.user) != 0)
            throw Error(DPA_E_CANCELLED, "stopped by the progress callback");
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
            throw Error(DPA_E_CANCELLED, "stopped by a cancel request");
    }

  private:
    const dpa_options options_;
    const std::atomic<bool> *cancel_;
    Progress last_{"preprocess"};
    const linalg::OneBlasThread one_thread_;
    const ControlScope scope_{*this};
};

}  // namespace dpadapt::capi
