#include <dpadapt/options.h>

#include <string>
#include <string_view>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

constexpr std::size_t kMostParameters = std::size_t{1} << 24;

void check_bound(double bound, const char *name) {
    if (bound > 0.0) return;
    throw Error(DPA_E_OPTION, std::string(name) + " must be positive, but is " +
                                  std::to_string(bound) + "; infinity stands for unknown");
}

}  // namespace

dpa_status dpa_options_create(dpa_options **out) {
    return guard("dpa_options_create", [&] { create(out); });
}

void dpa_options_destroy(dpa_options *options) { destroy(options); }

dpa_status dpa_options_set(dpa_options *options, const char *name, double value) {
    return guard("dpa_options_set", [&] {
        OptionValues &values = value_of(options, "options");
        values.set(find_option(&required(name, "name")), value);
    });
}

dpa_status dpa_options_parse(dpa_options *options, const char *name, const char *text) {
    return guard("dpa_options_parse", [&] {
        OptionValues &values = value_of(options, "options");
        const Option option = find_option(&required(name, "name"));
        values.parse(option, &required(text, "text"));
    });
}

dpa_status dpa_options_get(const dpa_options *options, const char *name, char *out, size_t out_len,
                           size_t *needed) {
    return guard("dpa_options_get", [&] {
        const OptionValues &values = value_of(options, "options");
        fill_text(values.text(find_option(&required(name, "name"))), out, out_len, needed);
    });
}

const char *dpa_option_text(size_t index, const char *what) {
    if (index >= static_cast<std::size_t>(Option::count) || what == nullptr) return nullptr;
    const OptionSpec &option = option_spec(static_cast<Option>(index));
    const std::string_view wanted(what);
    if (wanted == "name") return option.name;
    if (wanted == "tier") return option.tier;
    if (wanted == "type") return option.type_name;
    if (wanted == "default") return option.preset;
    if (wanted == "values") return option.values;
    if (wanted == "readers") return option.readers;
    return wanted == "meaning" ? option.doc : nullptr;
}

dpa_status dpa_options_set_loss(dpa_options *options, dpa_loss_fn function, void *user,
                                size_t parameters, double loss_bound, double gradient_bound,
                                double smoothness) {
    return guard("dpa_options_set_loss", [&] {
        OptionValues &values = value_of(options, "options");
        if (function == nullptr) {
            values.set_word(Option::loss, "squared");
            values.custom_loss = {};
            return;
        }
        if (parameters == 0)
            throw Error(DPA_E_DIMENSION, "parameters must be at least 1, but is 0");
        if (parameters > kMostParameters)
            throw Error(DPA_E_OVERFLOW, "parameters must be at most " +
                                            std::to_string(kMostParameters) + ", but is " +
                                            std::to_string(parameters));
        check_bound(loss_bound, "loss_bound");
        check_bound(gradient_bound, "gradient_bound");
        check_bound(smoothness, "smoothness");
        values.set_word(Option::loss, "custom");
        values.custom_loss = {function, user, parameters, {loss_bound, gradient_bound, smoothness}};
    });
}

dpa_status dpa_options_set_progress(dpa_options *options, dpa_progress_fn callback, void *user) {
    return guard("dpa_options_set_progress", [&] {
        dpa_options &handle = checked(options, "options");
        handle.progress = callback;
        handle.user = user;
    });
}

dpa_status dpa_cancel_create(dpa_cancel **out) {
    return guard("dpa_cancel_create", [&] { create(out); });
}

void dpa_cancel_destroy(dpa_cancel *cancel) { destroy(cancel); }

dpa_status dpa_cancel_request(dpa_cancel *cancel) {
    return guard("dpa_cancel_request", [&] {
        if (!request_cancel(std::bit_cast<HandleNumber>(cancel))) checked(cancel, "cancel");
    });
}

dpa_status dpa_options_set_cancel(dpa_options *options, dpa_cancel *cancel) {
    return guard("dpa_options_set_cancel", [&] {
        dpa_options &handle = checked(options, "options");
        if (cancel != nullptr) checked(cancel, "cancel");
        handle.cancel = cancel;
    });
}
