#include "cli/show/report.hpp"

#include <cmath>

#include "cli/read/failure.hpp"
#include "cli/show/privacy_report.hpp"

namespace dpadapt::cli {

namespace {

/** The value once the status allows it: what the library does not release, or does not have for
 *  this loss, is null. */
template <typename Value>
Json released(dpa_status status, const Value &value) {
    if (status == DPA_E_NOT_RELEASABLE || status == DPA_E_UNSUPPORTED) return nullptr;
    check(status);
    return value;
}

Json number(dpa_status (*getter)(const dpa_solution *, double *), const dpa_solution *solution) {
    double value = 0.0;
    const dpa_status status = getter(solution, &value);
    return released(status, value);
}

Json array(dpa_status (*getter)(const dpa_solution *, double *, std::size_t),
           const dpa_solution *solution, std::size_t size) {
    std::vector<double> values(size);
    const dpa_status status = getter(solution, values.data(), size);
    return released(status, values);
}

Json setting(const dpa_solution *solution, const char *name) {
    double value = 0.0;
    const dpa_status status = dpa_solution_setting(solution, name, &value);
    return released(status, value);
}

Json settings(const dpa_solution *solution) {
    Json all = Json::object();
    for (std::size_t k = 0; k < dpa_solution_setting_count(); ++k) {
        const char *name = dpa_solution_setting_name(k);
        all[name] = setting(solution, name);
    }
    return all;
}

Json iterations(const dpa_solution *solution) {
    int64_t value = 0;
    const dpa_status status = dpa_solution_iterations(solution, &value);
    return released(status, value);
}

Json termination(const dpa_solution *solution) {
    int32_t value = 0;
    const dpa_status status = dpa_solution_termination(solution, &value);
    return released(status, dpa_termination_string(value));
}

std::size_t features(const dpa_solution *solution) {
    std::size_t count = 0;
    check(dpa_solution_shape(solution, &count, nullptr, nullptr, nullptr));
    return count;
}

}  // namespace

std::size_t outputs(const dpa_solution *solution) {
    std::size_t count = 0;
    check(dpa_solution_shape(solution, nullptr, &count, nullptr, nullptr));
    return count;
}

Json coefficients(const dpa_solution *solution) {
    const std::size_t each = features(solution);
    const std::size_t count = outputs(solution);
    Json all = array(dpa_solution_coefficients, solution, each * count);
    if (all.is_null() || count == 1) return all;
    Json lists = Json::array();
    for (std::size_t k = 0; k < count; ++k) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k * each);
        lists.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(each)));
    }
    return lists;
}

Json intercept(const dpa_solution *solution) {
    const Json all = array(dpa_solution_intercept, solution, outputs(solution));
    return all.is_array() && all.size() == 1 ? all.front() : all;
}

namespace {

/** The standard error and the interval of each coefficient, the intercept last, and the p-value of
 *  equal domains; or the reason why there are none. */
Json inference(const dpa_solution *solution, const std::vector<std::string> &features) {
    std::size_t p = 0;
    check(dpa_solution_dimension(solution, &p));
    std::vector<double> estimate(p);
    const dpa_status status = dpa_solution_target_estimate(solution, estimate.data(), p);
    if (status == DPA_E_NOT_RELEASABLE || status == DPA_E_UNSUPPORTED)
        return {{"coefficients", nullptr}, {"reason", dpa_last_error()}};
    check(status);
    constexpr double kLevel = 0.95;
    std::vector<double> covariance(p * p);
    std::vector<double> ends(2 * p);
    check(dpa_solution_covariance(solution, covariance.data(), covariance.size()));
    check(dpa_solution_intervals(solution, kLevel, ends.data(), ends.size()));
    Json list = Json::array();
    for (std::size_t k = 0; k < p; ++k)
        list.push_back({{"name", k < features.size() ? features[k] : "(intercept)"},
                        {"estimate", estimate[k]},
                        {"standard_error", std::sqrt(covariance[k * p + k])},
                        {"lower", ends[k]},
                        {"upper", ends[p + k]},
                        {"level", kLevel}});
    double distance = 0.0;
    double p_value = 0.0;
    const bool differ = dpa_solution_domain_difference(solution, &distance, &p_value) == DPA_OK;
    return {{"coefficients", list},
            {"domain_distance", differ ? Json(distance) : Json()},
            {"p_value", differ ? Json(p_value) : Json()}};
}

}  // namespace

Json solution_report(const dpa_solution *solution, const schema::Schema &schema) {
    Json report = Json::object();
    report["loss"] = dpa_solution_loss(solution);
    report["outputs"] = outputs(solution);
    report["coefficients"] = coefficients(solution);
    report["intercept"] = intercept(solution);
    report["objective"] = number(dpa_solution_objective, solution);
    report["duality_gap"] = number(dpa_solution_duality_gap, solution);
    report["gradient_mapping"] = number(dpa_solution_gradient_mapping, solution);
    report["discrepancy"] = setting(solution, "discrepancy");
    report["iterations"] = iterations(solution);
    report["termination"] = termination(solution);
    report["features"] = schema.features();
    report["schema"] = schema_json(schema);
    report["settings"] = settings(solution);
    report["inference"] = inference(solution, schema.features());
    report["protection"] = protection(solution);
    report["privacy"] = Json::parse(privacy_report(solution, DPA_REPORT_JSON));
    add_findings(solution, schema.labels, report);
    return report;
}

void add_weights(const dpa_solution *solution, Json &report) {
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    check(dpa_solution_shape(solution, nullptr, nullptr, &source_rows, &target_rows));
    report["source_weights"] = array(dpa_solution_source_weights, solution, source_rows);
    report["target_weights"] = array(dpa_solution_target_weights, solution, target_rows);
}

Json discrepancy_report(const dpa_discrepancy *discrepancy,
                        const std::vector<std::string> &features) {
    double value = 0.0;
    double lower = 0.0;
    double upper = 0.0;
    double intercept = 0.0;
    std::vector<double> maximizer(features.size());
    const dpa_status value_status = dpa_discrepancy_value(discrepancy, &value);
    double deviation = 0.0;
    const dpa_status deviation_status = dpa_discrepancy_deviation(discrepancy, &deviation);
    const dpa_status bounds_status = dpa_discrepancy_bounds(discrepancy, &lower, &upper);
    const dpa_status maximizer_status =
        dpa_discrepancy_maximizer(discrepancy, maximizer.data(), maximizer.size());
    const dpa_status intercept_status =
        dpa_discrepancy_maximizer_intercept(discrepancy, &intercept);
    Json report = Json::object();
    report["value"] = released(value_status, value);
    report["noise_deviation"] = released(deviation_status, deviation);
    report["lower"] = released(bounds_status, lower);
    report["upper"] = released(bounds_status, upper);
    report["maximizer"] = released(maximizer_status, maximizer);
    report["maximizer_intercept"] = released(intercept_status, intercept);
    report["features"] = features;
    return report;
}

}  // namespace dpadapt::cli
