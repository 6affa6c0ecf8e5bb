#include "cli/show/report.hpp"

#include <cmath>

#include "cli/read/failure.hpp"

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

/** What the getter writes of that handle. */
template <typename Value = double, typename Handle>
Json number(dpa_status (*getter)(const Handle *, Value *), const Handle *handle) {
    Value value{};
    const dpa_status status = getter(handle, &value);
    return released(status, value);
}

template <typename Handle>
Json array(dpa_status (*getter)(const Handle *, double *, std::size_t), const Handle *handle,
           std::size_t size) {
    std::vector<double> values(size);
    const dpa_status status = getter(handle, values.data(), size);
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

Json termination(const dpa_solution *solution) {
    const Json value = number<int32_t>(dpa_solution_termination, solution);
    return value.is_null() ? value : Json(dpa_termination_string(value));
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
    Json report = {{"loss", dpa_solution_loss(solution)},
                   {"outputs", outputs(solution)},
                   {"coefficients", coefficients(solution)},
                   {"intercept", intercept(solution)},
                   {"objective", number(dpa_solution_objective, solution)},
                   {"duality_gap", number(dpa_solution_duality_gap, solution)},
                   {"gradient_mapping", number(dpa_solution_gradient_mapping, solution)},
                   {"discrepancy", setting(solution, "discrepancy")},
                   {"iterations", number<int64_t>(dpa_solution_iterations, solution)},
                   {"termination", termination(solution)},
                   {"features", schema.features()},
                   {"schema", schema_json(schema)},
                   {"settings", settings(solution)},
                   {"inference", inference(solution, schema.features())},
                   {"protection", protection(solution)},
                   {"privacy", Json::parse(privacy_report(solution, DPA_REPORT_JSON))}};
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
    double lower = 0.0;
    double upper = 0.0;
    const dpa_status bounds = dpa_discrepancy_bounds(discrepancy, &lower, &upper);
    return {{"value", number(dpa_discrepancy_value, discrepancy)},
            {"noise_deviation", number(dpa_discrepancy_deviation, discrepancy)},
            {"lower", released(bounds, lower)},
            {"upper", released(bounds, upper)},
            {"maximizer", array(dpa_discrepancy_maximizer, discrepancy, features.size())},
            {"maximizer_intercept", number(dpa_discrepancy_maximizer_intercept, discrepancy)},
            {"features", features}};
}

}  // namespace dpadapt::cli
