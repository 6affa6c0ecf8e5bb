#pragma once

#include "base/control.hpp"
#include "capi/handles.hpp"

namespace dpadapt::capi {

/** Options of a call: the caller's, or the defaults when he gives none. */
[[nodiscard]] inline const dpa_options_s &options_or_defaults(const dpa_options_s *options,
                                                              const dpa_options_s &defaults) {
    return options == nullptr ? defaults : checked(options, "options");
}

/** Calls the caller's progress function and listens to his cancel token. */
class Caller : public Control {
  public:
    explicit Caller(const dpa_options_s &options)
        : callback_(options.progress), user_(options.user), cancel_(options.cancel) {}

    void report(const Progress &progress) override {
        const dpa_progress_s view{progress};
        if (callback_ != nullptr && callback_(&view, user_) != 0)
            throw Error(DPA_E_CANCELLED, "stopped by the progress callback");
        if (cancel_ != nullptr && cancel_->requested.load(std::memory_order_relaxed))
            throw Error(DPA_E_CANCELLED, "stopped by a cancel request");
    }

  private:
    dpa_progress_fn callback_;
    void *user_;
    const dpa_cancel *cancel_;
};

}  // namespace dpadapt::capi
