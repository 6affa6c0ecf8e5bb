#include <dpadapt/options.h>

#include "capi/arrays.hpp"
#include "capi/guard.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

/** Looks the option up and applies the setter, after the checks that all setters share. */
template <typename Set>
void set_option(dpa_options *options, const char *name, const Set &set) {
    dpa_options &handle = checked(options, "options");
    set(handle.values, find_option(&required(name, "name")));
}

const OptionSpec *spec_at(std::size_t index) {
    return index < static_cast<std::size_t>(Option::count)
               ? &option_spec(static_cast<Option>(index))
               : nullptr;
}

}  // namespace

dpa_status dpa_options_create(dpa_options **out) {
    return guard("dpa_options_create", [&] { create(out); });
}

void dpa_options_destroy(dpa_options *options) { destroy(options); }

dpa_status dpa_options_set_double(dpa_options *options, const char *name, double value) {
    return guard("dpa_options_set_double", [&] {
        set_option(options, name,
                   [&](OptionValues &values, Option option) { values.set_number(option, value); });
    });
}

dpa_status dpa_options_set_int(dpa_options *options, const char *name, int64_t value) {
    return guard("dpa_options_set_int", [&] {
        set_option(options, name,
                   [&](OptionValues &values, Option option) { values.set_integer(option, value); });
    });
}

dpa_status dpa_options_set_bool(dpa_options *options, const char *name, int32_t value) {
    return guard("dpa_options_set_bool", [&] {
        set_option(options, name,
                   [&](OptionValues &values, Option option) { values.set_boolean(option, value); });
    });
}

dpa_status dpa_options_set_string(dpa_options *options, const char *name, const char *value) {
    return guard("dpa_options_set_string", [&] {
        set_option(options, name, [&](OptionValues &values, Option option) {
            values.set_word(option, &required(value, "value"));
        });
    });
}

dpa_status dpa_options_parse(dpa_options *options, const char *name, const char *text) {
    return guard("dpa_options_parse", [&] {
        set_option(options, name, [&](OptionValues &values, Option option) {
            values.parse(option, &required(text, "text"));
        });
    });
}

dpa_status dpa_options_reset(dpa_options *options) {
    return guard("dpa_options_reset", [&] {
        dpa_options &handle = checked(options, "options");
        handle.values = OptionValues();
        handle.progress = nullptr;
        handle.user = nullptr;
        handle.cancel = nullptr;
    });
}

dpa_status dpa_options_get(const dpa_options *options, const char *name, char *out, size_t out_len,
                           size_t *needed) {
    return guard("dpa_options_get", [&] {
        const dpa_options &handle = checked(options, "options");
        const std::string text = handle.values.text(find_option(&required(name, "name")));
        fill_text(text, out, out_len, needed);
    });
}

size_t dpa_option_count(void) { return static_cast<std::size_t>(Option::count); }

const char *dpa_option_name(size_t index) {
    const OptionSpec *spec = spec_at(index);
    return spec != nullptr ? spec->name : nullptr;
}

const char *dpa_option_type(size_t index) {
    const OptionSpec *spec = spec_at(index);
    return spec != nullptr ? option_type_name(spec->type) : nullptr;
}

const char *dpa_option_default(size_t index) {
    const OptionSpec *spec = spec_at(index);
    return spec != nullptr ? spec->preset : nullptr;
}

const char *dpa_option_values(size_t index) {
    const OptionSpec *spec = spec_at(index);
    return spec != nullptr ? spec->values : nullptr;
}

const char *dpa_option_doc(size_t index) {
    const OptionSpec *spec = spec_at(index);
    return spec != nullptr ? spec->doc : nullptr;
}
