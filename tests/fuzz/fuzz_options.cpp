// Options by name and text, then a plan of them: what is refused changes nothing, what is taken is
// read back as it was, a plan keeps the budget that it was made for, and a reset forgets all.
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

/** Both ways of the plan's curve lead to a point that it keeps. */
void check_price(const dpa_plan *plan, fuzz::Input &input) {
    const double wanted = std::fabs(input.real()) * std::pow(10.0, -double(input.below(10)));
    double delta = -1.0;
    double epsilon = -1.0;
    std::int32_t holds = 0;
    const dpa_status at_epsilon = dpa_plan_delta(plan, wanted, &delta);
    REQUIRE(at_epsilon == DPA_OK || at_epsilon == DPA_E_INVALID_ARGUMENT);
    REQUIRE(at_epsilon != DPA_OK || (delta >= 0.0 && delta <= 1.0));
    const dpa_status at_delta = dpa_plan_epsilon(plan, wanted, &epsilon);
    REQUIRE(at_delta == DPA_OK || at_delta == DPA_E_INVALID_ARGUMENT);
    if (at_delta != DPA_OK) return;
    REQUIRE(epsilon >= 0.0 && epsilon <= 600.0);
    REQUIRE(dpa_plan_check(plan, epsilon, wanted, &holds) == DPA_OK && holds == 1);
}

/** Few rows on a line with noise, of which a forecast makes targets. */
void check_forecast(fuzz::Options &options, std::size_t target_rows) {
    constexpr std::size_t kRows = 16;
    double x[kRows];
    double y[kRows];
    for (std::size_t i = 0; i < kRows; ++i) {
        x[i] = static_cast<double>(i % 5);
        y[i] = x[i] + static_cast<double>(i % 3);
    }
    dpa_problem *problem = nullptr;
    REQUIRE(dpa_problem_create(&problem) == DPA_OK);
    REQUIRE(dpa_problem_set_source(problem, x, kRows, 1, 1, DPA_ROW_MAJOR, y, kRows) == DPA_OK);
    options.limit_work();
    options.set("forecast_repeats", "1");
    options.set("forecast_shifts", "0.5");
    dpa_plan *plan = nullptr;
    const dpa_status status = dpa_plan_forecast(problem, target_rows, options.get(), &plan);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (plan != nullptr));
    if (plan != nullptr) {
        const double cells = number(plan, "forecasts");
        double value = -1.0;
        for (std::size_t cell = 0; static_cast<double>(cell) < cells; ++cell) {
            for (const char *name : {"source_only", "private", "target_only"})
                REQUIRE(dpa_plan_forecast_value(plan, cell, name, &value) == DPA_OK &&
                        value >= 0.0);
            const dpa_status needed = dpa_plan_forecast_value(plan, cell, "records_needed", &value);
            REQUIRE(needed == DPA_OK || needed == DPA_E_STATE);
        }
        REQUIRE(dpa_plan_forecast_value(plan, static_cast<std::size_t>(cells), "private", &value) ==
                DPA_E_INVALID_ARGUMENT);
    }
    dpa_plan_destroy(plan);
    dpa_problem_destroy(problem);
}

/** Rows of a table have all their texts, what is beyond its end has none. */
void check_tables(std::size_t index) {
    const bool is_option = index < dpa_option_count();
    for (const auto text :
         {dpa_option_name, dpa_option_type, dpa_option_default, dpa_option_values, dpa_option_doc})
        REQUIRE((text(index) != nullptr) == is_option);
    for (const auto text : {dpa_baseline_name, dpa_baseline_doc})
        REQUIRE((text(index) != nullptr) == (index < dpa_baseline_count()));
}

void check_reset(fuzz::Options &options) {
    REQUIRE(dpa_options_reset(options.get()) == DPA_OK);
    const fuzz::Options others;
    for (std::size_t k = 0; k < dpa_option_count(); ++k) {
        const char *name = dpa_option_name(k);
        const std::string text = options.text(name);
        REQUIRE(text == others.text(name));
        options.set(name, dpa_option_default(k));
        REQUIRE(text == options.text(name));
    }
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
    check_price(plan, input);
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
    if (input.byte() % 16 == 1) check_forecast(options, 1 + input.below(40));
    check_tables(input.byte() % 4 == 0 ? static_cast<std::size_t>(input.word()) : input.byte());
    check_reset(options);
    return 0;
}
