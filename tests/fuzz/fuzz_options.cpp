// Options by name and text, then a plan of them: what is refused changes nothing, what is taken is
// read back as it was, a plan keeps the budget that it was made for, and a reset forgets all.
#include <cmath>

#include "fuzz/settings.hpp"

namespace {

/** Sets by any of the setters. */
dpa_status set(dpa_options *options, const char *name, fuzz::Input &input) {
    switch (input.below(3)) {
        case 0:
            return dpa_options_set(options, name, input.real());
        case 1:
            return dpa_options_set(options, name, static_cast<double>(input.word()));
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
    for (std::size_t k = 0; k < fuzz::option_count(); ++k)
        if (name == dpa_option_text(k, "name") || name == "mu") return;
    REQUIRE(dpa_options_parse(options, name.c_str(), "1") == DPA_E_OPTION_NAME);
}

double number(const dpa_plan *plan, const char *name) {
    double value = -1.0;
    REQUIRE(dpa_plan_value(plan, name, &value) == DPA_OK && value >= 0.0);
    return value;
}

/** What the plan costs at a delta, by the accountant. */
double epsilon_at(const dpa_plan *plan, double delta) {
    double epsilon = -1.0;
    const dpa_status status = dpa_plan_epsilon(plan, delta, &epsilon);
    REQUIRE(status == DPA_OK || status == DPA_E_INVALID_ARGUMENT);
    REQUIRE(status != DPA_OK || (epsilon >= 0.0 && epsilon <= 600.0));
    return epsilon;
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
    REQUIRE(dpa_problem_set_sample(problem, DPA_SOURCE, dpa_matrix{x, kRows, 1, 1, DPA_ROW_MAJOR},
                                   y, kRows) == DPA_OK);
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
            const dpa_status needed =
                dpa_plan_forecast_value(plan, cell, "rows_to_beat_source", &value);
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
    const bool is_option = index < fuzz::option_count();
    for (const char *what : {"name", "type", "default", "values", "meaning"})
        REQUIRE((dpa_option_text(index, what) != nullptr) == is_option);
    for (const char *what : {"name", "meaning"})
        REQUIRE((dpa_baseline_text(index, what) != nullptr) == (index < fuzz::baseline_count()));
    REQUIRE(dpa_option_text(index, "") == nullptr && dpa_baseline_text(index, "") == nullptr);
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
    (void)epsilon_at(plan, std::fabs(input.real()) * std::pow(10.0, -double(input.below(10))));
    const std::string epsilon = options.text("epsilon");
    const std::string delta = options.text("delta");
    if (epsilon != "unset" && delta != "unset") {
        REQUIRE(epsilon_at(plan, std::atof(delta.c_str())) <= std::atof(epsilon.c_str()));
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
        const std::size_t index = input.below(fuzz::option_count() + 1);
        if (index < fuzz::option_count())
            check_set(options, dpa_option_text(index, "name"), input);
        else
            check_unknown(options.get(), input.text());
    }
    check_plan(options, input);
    if (input.byte() % 16 == 1) check_forecast(options, 1 + input.below(40));
    check_tables(input.byte() % 4 == 0 ? static_cast<std::size_t>(input.word()) : input.byte());
    return 0;
}
