#include <dpadapt/options.h>

#include <limits>
#include <string>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

/** Looks the option up and calls the setter. */
template <typename Wanted, typename Value>
void set_option(dpa_options *options, const char *name, void (OptionValues::*set)(Option, Wanted),
                Value value) {
    OptionValues &values = value_of(options, "options");
    (values.*set)(find_option(&required(name, "name")), value);
}

/** A text of a row of the table; NULL beyond its end. */
const char *text_at(std::size_t index, const char *OptionSpec::*text) {
    return index < dpa_option_count() ? option_spec(static_cast<Option>(index)).*text : nullptr;
}

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

dpa_status dpa_options_set_double(dpa_options *options, const char *name, double value) {
    return guard("dpa_options_set_double",
                 [&] { set_option(options, name, &OptionValues::set_number, value); });
}

dpa_status dpa_options_set_int(dpa_options *options, const char *name, int64_t value) {
    return guard("dpa_options_set_int",
                 [&] { set_option(options, name, &OptionValues::set_integer, value); });
}

dpa_status dpa_options_set_bool(dpa_options *options, const char *name, int32_t value) {
    return guard("dpa_options_set_bool",
                 [&] { set_option(options, name, &OptionValues::set_boolean, value); });
}

dpa_status dpa_options_set_string(dpa_options *options, const char *name, const char *value) {
    return guard("dpa_options_set_string", [&] {
        set_option(options, name, &OptionValues::set_word, &required(value, "value"));
    });
}

dpa_status dpa_options_parse(dpa_options *options, const char *name, const char *text) {
    return guard("dpa_options_parse",
                 [&] { set_option(options, name, &OptionValues::parse, &required(text, "text")); });
}

dpa_status dpa_options_reset(dpa_options *options) {
    return guard("dpa_options_reset", [&] { checked(options, "options") = dpa_options(); });
}

dpa_status dpa_options_get(const dpa_options *options, const char *name, char *out, size_t out_len,
                           size_t *needed) {
    return guard("dpa_options_get", [&] {
        const OptionValues &values = value_of(options, "options");
        fill_text(values.text(find_option(&required(name, "name"))), out, out_len, needed);
    });
}

size_t dpa_option_count(void) { return static_cast<std::size_t>(Option::count); }

const char *dpa_option_name(size_t index) { return text_at(index, &OptionSpec::name); }

const char *dpa_option_type(size_t index) { return text_at(index, &OptionSpec::type_name); }

const char *dpa_option_default(size_t index) { return text_at(index, &OptionSpec::preset); }

const char *dpa_option_values(size_t index) { return text_at(index, &OptionSpec::values); }

const char *dpa_option_doc(size_t index) { return text_at(index, &OptionSpec::doc); }

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

const char *dpa_progress_phase(const dpa_progress *progress) {
    return progress != nullptr ? progress->value.phase.name : nullptr;
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
    return guard("dpa_cancel_request", [&] { value_of(cancel, "cancel") = true; });
}

dpa_status dpa_cancel_reset(dpa_cancel *cancel) {
    return guard("dpa_cancel_reset", [&] { value_of(cancel, "cancel") = false; });
}

dpa_status dpa_options_set_cancel(dpa_options *options, dpa_cancel *cancel) {
    return guard("dpa_options_set_cancel", [&] {
        dpa_options &handle = checked(options, "options");
        if (cancel != nullptr) checked(cancel, "cancel");
        handle.cancel = cancel;
    });
}
