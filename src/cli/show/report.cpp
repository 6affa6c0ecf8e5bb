#include "cli/show/report.hpp"

#include <cmath>

#include "cli/read/failure.hpp"

namespace dpadapt::cli {

namespace {

/** The value once the status allows it: what the library does not release, or does not have for
 *  this loss, is null. */
Json released(dpa_status status, const auto &value) {
    if (status == DPA_E_NOT_RELEASABLE || status == DPA_E_UNSUPPORTED) return nullptr;
    check(status);
    return value;
}

Json number(const dpa_solution *solution, const char *name) {
    double value = 0.0;
    const dpa_status status = dpa_solution_value(solution, name, &value);
    return released(status, value);
}

Json number(const dpa_discrepancy *discrepancy, const char *name) {
    double value = 0.0;
    const dpa_status status = dpa_discrepancy_value(discrepancy, name, &value);
    return released(status, value);
}

Json array(const dpa_solution *solution, const char *name, std::size_t size) {
    std::vector<double> values(size);
    const dpa_status status = dpa_solution_array(solution, name, values.data(), size);
    return released(status, values);
}

Json settings(const dpa_solution *solution) {
    Json all = Json::object();
    for (std::size_t k = 0; dpa_solution_setting_name(k) != nullptr; ++k) {
        const char *name = dpa_solution_setting_name(k);
        all[name] = number(solution, name);
    }
    return all;
}

std::int64_t whole(const dpa_solution *solution, const char *name) {
    return static_cast<std::int64_t>(number_of(dpa_solution_value, solution, name));
}

/** The standard error and the interval of each coefficient, the intercept last, and the p-value of
 *  equal domains; or the reason why there are none. */
Json inference(const dpa_solution *solution, const std::vector<std::string> &features) {
    const auto p = static_cast<std::size_t>(whole(solution, "dimension"));
    const Json estimate = array(solution, "target_estimate", p);
    if (estimate.is_null()) return {{"coefficients", nullptr}, {"reason", dpa_last_error()}};
    constexpr double kLevel = 0.95;
    std::vector<double> covariance(p * p);
    std::vector<double> ends(2 * p);
    check(dpa_solution_array(solution, "covariance", covariance.data(), covariance.size()));
    check(dpa_solution_intervals(solution, kLevel, ends.data(), ends.size()));
    Json list = Json::array();
    for (std::size_t k = 0; k < p; ++k)
        list.push_back({{"name", k < features.size() ? features[k] : "(intercept)"},
                        {"estimate", estimate[k]},
                        {"standard_error", std::sqrt(covariance[k * p + k])},
                        {"lower", ends[k]},
                        {"upper", ends[p + k]},
                        {"level", kLevel}});
    return {{"coefficients", list},
            {"domain_distance", number(solution, "domain_distance")},
            {"p_value", number(solution, "domain_p_value")}};
}

}  // namespace

std::string text(const dpa_solution *solution, const char *name) {
    return filled_text(dpa_solution_text, solution, name);
}

std::size_t outputs(const dpa_solution *solution) {
    std::size_t count = 0;
    check(dpa_solution_shape(solution, nullptr, &count, nullptr, nullptr));
    return count;
}

Json coefficients(const dpa_solution *solution) {
    std::size_t each = 0;
    std::size_t count = 0;
    check(dpa_solution_shape(solution, &each, &count, nullptr, nullptr));
    Json all = array(solution, "coefficients", each * count);
    if (all.is_null() || count == 1) return all;
    Json lists = Json::array();
    for (std::size_t k = 0; k < count; ++k) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k * each);
        lists.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(each)));
    }
    return lists;
}

Json solution_report(const dpa_solution *solution, const schema::Schema &schema) {
    const Json intercepts = array(solution, "intercept", outputs(solution));
    const bool is_one = intercepts.is_array() && intercepts.size() == 1;
    Json report = {{"loss", text(solution, "loss")},
                   {"outputs", outputs(solution)},
                   {"coefficients", coefficients(solution)},
                   {"intercept", is_one ? intercepts.front() : intercepts},
                   {"objective", number(solution, "objective")},
                   {"duality_gap", number(solution, "duality_gap")},
                   {"gradient_mapping", number(solution, "gradient_mapping")},
                   {"discrepancy", number(solution, "discrepancy")},
                   {"iterations", whole(solution, "iterations")},
                   {"termination", text(solution, "termination")},
                   {"features", schema.features()},
                   {"schema", schema_json(schema)},
                   {"settings", settings(solution)},
                   {"inference", inference(solution, schema.features())},
                   {"protection", protection(solution)},
                   {"privacy", Json::parse(privacy_report(solution).json)}};
    // What a person should know of it, all from released values and public inputs: whether the
    // private rows moved the coefficients, null where nobody can tell, and sentences.
    const Json call = report["privacy"].value("call", Json::object());
    report["used_private_data"] = call.value("private_rows_used", Json());
    report["finding_codes"] = sentences(text(solution, "finding_codes"), Json::array());
    const std::string known = schema.labels.known();
    Json notes =
        sentences(filled_text(dpa_solution_findings, solution, known.c_str()), report["features"]);
    for (const Json &note : report["schema"]["notes"]) notes.push_back(note);
    const std::string promise = text(solution, "calibration");
    if (!promise.empty()) notes.push_back(promise);
    report["notes"] = notes;
    return report;
}

void add_weights(const dpa_solution *solution, Json &report) {
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    check(dpa_solution_shape(solution, nullptr, nullptr, &source_rows, &target_rows));
    report["source_weights"] = array(solution, "source_weights", source_rows);
    report["target_weights"] = array(solution, "target_weights", target_rows);
}

Json discrepancy_report(const dpa_discrepancy *discrepancy,
                        const std::vector<std::string> &features) {
    std::vector<double> maximizer(features.size());
    const dpa_status status =
        dpa_discrepancy_maximizer(discrepancy, maximizer.data(), maximizer.size());
    Json report{{"value", number(discrepancy, "value")},
                {"noise_deviation", number(discrepancy, "deviation")},
                {"lower", number(discrepancy, "lower")},
                {"upper", number(discrepancy, "upper")},
                {"maximizer", released(status, maximizer)},
                {"maximizer_intercept", number(discrepancy, "intercept")},
                {"features", features}};
    const Json bound = number(discrepancy, "labelled_bound");
    if (!bound.is_null()) report["labelled_bound"] = bound;
    return report;
}

}  // namespace dpadapt::cli
