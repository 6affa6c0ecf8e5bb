// Options by name and text, then a plan of them: what is refused changes nothing, what is taken is
// read back as it was, and a plan keeps the budget that it was made for.
#include <cmath>

#include "fuzz/settings.hpp"

namespace {

/** Sets by any of the setters. */
dpa_status set(dpa_options *options, const char *name, fuzz::Input &input) {
    switch (input.below(5)) {
        case 0:
            return dpa_options_set_double(options, name, input.real());
        case 1:
            return dpa_options_set_int(options, name, static_cast<std::int64_t>(input.word()));
        case 2:
            return dpa_options_set_bool(options, name, static_cast<std::int32_t>(input.word()));
        case 3:
            return dpa_options_set_string(options, name, input.text().c_str());
        default:
            return dpa_options_parse(options, name, input.text().c_str());
    }
}

void check_set(fuzz::Options &options, const char *name, fuzz::Input &input) {
    const std::string before = options.text(name);
    const dpa_status status = set(options.get(), name, input);
    REQUIRE(status == DPA_OK || status == DPA_E_OPTION || status == DPA_E_OPTION_TYPE);
    const std::string after = options.text(name);
    if (status != DPA_OK) REQUIRE(after == before);
    fuzz::Options other;
    if (std::strcmp(name, "loss") == 0 && after == "custom") return;  // needs a function
    other.set(name, after.c_str());
    REQUIRE(other.text(name) == after);
}

void check_unknown(dpa_options *options, const std::string &name) {
    for (std::size_t k = 0; k < dpa_option_count(); ++k)
        if (name == dpa_option_name(k) || name == "mu") return;
    REQUIRE(dpa_options_parse(options, name.c_str(), "1") == DPA_E_OPTION_NAME);
}

double number(const dpa_plan *plan, const char *name) {
    double value = -1.0;
    REQUIRE(dpa_plan_value(plan, name, &value) == DPA_OK && value >= 0.0);
    return value;
}

void check_plan(const fuzz::Options &options, fuzz::Input &input) {
    dpa_plan *plan = nullptr;
    const std::size_t rows = std::size_t{1} << input.below(33);
    const dpa_status status = dpa_plan_create(rows, std::size_t{1} << input.below(33),
                                              1 + input.below(100), options.get(), &plan);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (plan != nullptr));
    if (plan == nullptr) return;
    (void)number(plan, "mu");
    (void)number(plan, "laplace_epsilon");
    (void)number(plan, "steps");
    const std::string epsilon = options.text("epsilon");
    const std::string delta = options.text("delta");
    if (epsilon != "unset" && delta != "unset") {
        std::int32_t holds = 0;
        REQUIRE(dpa_plan_check(plan, std::atof(epsilon.c_str()), std::atof(delta.c_str()),
                               &holds) == DPA_OK);
        REQUIRE(holds == 1);
    }
    for (const std::int32_t form : {DPA_REPORT_JSON, DPA_REPORT_TEXT})
        (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_plan_report(plan, form, out, size, needed);
        });
    dpa_plan_destroy(plan);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    fuzz::Options options;
    if (input.byte() % 2 == 0) {
        options.set("epsilon", "1");
        options.set("delta", "1e-5");
    }
    options.choose(input);
    for (std::size_t left = input.below(8); left > 0; --left) {
        const std::size_t index = input.below(dpa_option_count() + 1);
        if (index < dpa_option_count())
            check_set(options, dpa_option_name(index), input);
        else
            check_unknown(options.get(), input.text());
    }
    check_plan(options, input);
    return 0;
}
