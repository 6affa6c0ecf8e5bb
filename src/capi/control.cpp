#include <dpadapt/options.h>

#include <limits>

#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

dpa_status dpa_options_set_progress(dpa_options *options, dpa_progress_fn callback, void *user) {
    return guard("dpa_options_set_progress", [&] {
        dpa_options &handle = checked(options, "options");
        handle.progress = callback;
        handle.user = user;
    });
}

const char *dpa_progress_phase(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.phase : nullptr;
}

int64_t dpa_progress_iteration(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.iteration : 0;
}

int64_t dpa_progress_limit(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.limit : 0;
}

double dpa_progress_objective(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.objective
                               : std::numeric_limits<double>::quiet_NaN();
}

double dpa_progress_gap(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.gap : std::numeric_limits<double>::quiet_NaN();
}

dpa_status dpa_cancel_create(dpa_cancel **out) {
    return guard("dpa_cancel_create", [&] { create(out); });
}

void dpa_cancel_destroy(dpa_cancel *cancel) { destroy(cancel); }

dpa_status dpa_cancel_request(dpa_cancel *cancel) {
    return guard("dpa_cancel_request", [&] { checked(cancel, "cancel").requested = true; });
}

dpa_status dpa_cancel_reset(dpa_cancel *cancel) {
    return guard("dpa_cancel_reset", [&] { checked(cancel, "cancel").requested = false; });
}

dpa_status dpa_options_set_cancel(dpa_options *options, dpa_cancel *cancel) {
    return guard("dpa_options_set_cancel", [&] {
        dpa_options &handle = checked(options, "options");
        handle.cancel = cancel == nullptr ? nullptr : &checked(cancel, "cancel");
    });
}
