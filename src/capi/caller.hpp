#pragma once

#include <cmath>
#include <limits>

#include "base/attention.hpp"
#include "base/control.hpp"
#include "base/platform/float_state.hpp"
#include "capi/handles.hpp"
#include "linalg/one_blas_thread.hpp"

namespace dpadapt::capi {

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
        const dpa_progress_s view{last_};
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
    const Attention attention_{*this};
};

}  // namespace dpadapt::capi
