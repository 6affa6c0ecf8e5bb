#include <dpadapt/privacy.h>

#include <algorithm>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/plan.hpp"
#include "engine/report.hpp"
#include "privacy/accountant.hpp"
#include "privacy/sampled_gaussian.hpp"
#include "privacy/saved_statement.hpp"
#include "schema/labels.hpp"
#include "solution/findings.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** The library's limits, of rows for samples that are elsewhere. */
constexpr std::size_t kMostPlannedRows = std::size_t{1} << 40;
constexpr std::size_t kMostFeatures = (std::size_t{1} << 31) - 1;

void check_planned_size(const char *name, std::size_t size, std::size_t most) {
    if (size == 0) throw Error(DPA_E_EMPTY, std::string(name) + " must be at least 1");
    if (size > most)
        throw Error(DPA_E_OVERFLOW, std::string(name) + " must be at most " +
                                        (most == kMostPlannedRows ? "2^40" : "2^31 - 1") +
                                        ", but is " + std::to_string(size));
}

/** @param notes  Sentences about the fit, which a page has. */
std::string report_of(const privacy::Statement &statement, std::int32_t form,
                      const std::vector<std::string> &notes) {
    return form == DPA_REPORT_PAGE ? privacy::write_page(statement, notes)
                                   : privacy::write_report(statement, report_form(form));
}

}  // namespace

dpa_status dpa_privacy_delta(double epsilon, double laplace_epsilon, double mu, double *delta) {
    return guard("dpa_privacy_delta", [&] {
        required(delta, "delta") = privacy::delta(epsilon, {laplace_epsilon, mu});
    });
}

dpa_status dpa_privacy_epsilon(double delta, double laplace_epsilon, double mu, double pure_epsilon,
                               int64_t records, double *epsilon) {
    return guard("dpa_privacy_epsilon", [&] {
        const privacy::Totals group =
            privacy::totals_of_group({laplace_epsilon, mu, pure_epsilon}, records);
        if (group.laplace_epsilon + group.pure_epsilon > privacy::kMostPureEpsilon)
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "records times laplace_epsilon + pure_epsilon must be at most 300");
        required(epsilon, "epsilon") = privacy::epsilon(delta, group);
    });
}

dpa_status dpa_privacy_mu(double epsilon, double delta, double laplace_epsilon, double *mu) {
    return guard("dpa_privacy_mu",
                 [&] { required(mu, "mu") = privacy::mu(epsilon, delta, {laplace_epsilon}); });
}

dpa_status dpa_privacy_sampled_mu(double noise_multiplier, double rate, int64_t steps,
                                  int32_t neighbours, double failure, double *mu) {
    return guard("dpa_privacy_sampled_mu", [&] {
        double &out = required(mu, "mu");
        if (neighbours != DPA_NEIGHBOURS_REPLACE && neighbours != DPA_NEIGHBOURS_ZERO_OUT)
            throw Error(DPA_E_INVALID_ARGUMENT, "neighbours must be one of DPA_NEIGHBOURS_*");
        if (steps < 1) throw Error(DPA_E_INVALID_ARGUMENT, "steps must be at least 1");
        if (!(noise_multiplier >= 0.1 && noise_multiplier <= 1e6))
            throw Error(DPA_E_INVALID_ARGUMENT, "noise_multiplier must be in [0.1, 1e6]");
        const double result = privacy::sampled_mu(
            {rate, static_cast<std::uint64_t>(steps), static_cast<privacy::Neighbours>(neighbours)},
            1.0 / noise_multiplier, failure);
        if (!(result <= 50.0))
            throw Error(DPA_E_INVALID_ARGUMENT, "no mu up to 50 covers these releases");
        out = result;
    });
}

dpa_status dpa_plan_create(size_t source_rows, size_t target_rows, size_t features,
                           const dpa_options *options, dpa_plan **out) {
    return guard("dpa_plan_create", out, [&] {
        check_planned_size("source_rows", source_rows, kMostPlannedRows);
        check_planned_size("target_rows", target_rows, kMostPlannedRows);
        check_planned_size("features", features, kMostFeatures);
        const Caller caller(options);
        return engine::plan_fit(source_rows, target_rows, features, caller.values());
    });
}

dpa_status dpa_plan_for_problem(const dpa_problem *problem, const dpa_options *options,
                                dpa_plan **out) {
    return guard("dpa_plan_for_problem", out, [&] {
        Caller caller(options);
        return engine::plan_fit(value_of(problem, "problem"), nullptr, caller.values(), caller);
    });
}

dpa_status dpa_plan_forecast(const dpa_problem *problem, size_t target_rows,
                             const dpa_options *options, dpa_plan **out) {
    return guard("dpa_plan_forecast", out, [&] {
        const engine::Problem &own = value_of(problem, "problem");
        check_planned_size("target_rows", target_rows, kMostPlannedRows);
        Caller caller(options);
        return engine::plan_forecast(own, target_rows, caller.values(), caller);
    });
}

dpa_status dpa_plan_forecast_value(const dpa_plan *plan, size_t cell, const char *name,
                                   double *value) {
    return guard("dpa_plan_forecast_value", [&] {
        required(value, "value") =
            value_of(plan, "plan").forecast.value(cell, &required(name, "name"));
    });
}

void dpa_plan_destroy(dpa_plan *plan) { destroy(plan); }

dpa_status dpa_plan_value(const dpa_plan *plan, const char *name, double *value) {
    return guard("dpa_plan_value", [&] {
        required(value, "value") =
            engine::plan_value(value_of(plan, "plan"), &required(name, "name"));
    });
}

dpa_status dpa_plan_epsilon(const dpa_plan *plan, double delta, double *epsilon) {
    return guard("dpa_plan_epsilon", [&] {
        const privacy::Totals totals = value_of(plan, "plan").plan.total.totals();
        required(epsilon, "epsilon") = privacy::epsilon(delta, totals);
    });
}

dpa_status dpa_plan_report(const dpa_plan *plan, int32_t form, char *out, size_t out_len,
                           size_t *needed) {
    return guard("dpa_plan_report", [&] {
        const engine::Plan &own = value_of(plan, "plan");
        fill_text(privacy::write_plan(own.plan, own.facts, report_form(form)), out, out_len,
                  needed);
    });
}

dpa_status dpa_problem_set_budget(dpa_problem *problem, const dpa_options *options) {
    return guard("dpa_problem_set_budget", [&] {
        engine::Problem &own = value_of(problem, "problem");
        engine::set_budget(own, Caller(options).values());
    });
}

dpa_status dpa_problem_budget(const dpa_problem *problem, const char *name, double *value) {
    return guard("dpa_problem_budget", [&] {
        const engine::Problem &own = value_of(problem, "problem");
        required(value, "value") = engine::budget_number(own, &required(name, "name"));
    });
}

dpa_status dpa_problem_privacy_report(const dpa_problem *problem, int32_t form, char *out,
                                      size_t out_len, size_t *needed) {
    return guard("dpa_problem_privacy_report", [&] {
        const engine::Problem &own = value_of(problem, "problem");
        fill_text(report_of(engine::statement(own), form, {}), out, out_len, needed);
    });
}

dpa_status dpa_solution_privacy(const dpa_solution *solution, int32_t *protection, double *epsilon,
                                double *delta) {
    return guard("dpa_solution_privacy", [&] {
        const PrivacyRecord &record = value_of(solution, "solution").privacy;
        const bool in_part = record.protection == Protection::guaranteed && !record.is_whole();
        if (protection != nullptr)
            *protection =
                in_part ? DPA_PROTECTION_IN_PART : static_cast<int32_t>(record.protection);
        if (epsilon != nullptr) *epsilon = record.epsilon;
        if (delta != nullptr) *delta = record.delta;
    });
}

dpa_status dpa_solution_privacy_report(const dpa_solution *solution, int32_t form, char *out,
                                       size_t out_len, size_t *needed) {
    return guard("dpa_solution_privacy_report", [&] {
        const Solution &own = value_of(solution, "solution");
        auto notes = form == DPA_REPORT_PAGE ? findings(own, "") : std::vector<std::string>{};
        for (std::string &note : notes) note = Finding::read(note).sentence;
        fill_text(report_of(*own.privacy.statement, form, notes), out, out_len, needed);
    });
}

dpa_status dpa_report_check(const uint8_t *data, size_t data_len, const char *last,
                            dpa_ledger *ledger) {
    return guard("dpa_report_check", [&] {
        const std::string_view text(reinterpret_cast<const char *>(&required(data, "data")),
                                    data_len);
        const privacy::Statement statement =
            privacy::check_report(text, last == nullptr ? "" : last);
        if (ledger != nullptr)
            privacy::check_ledger(statement, value_of(ledger, "ledger")->content());
    });
}

dpa_status dpa_solution_findings(const dpa_solution *solution, const char *labels, char *out,
                                 size_t out_len, size_t *needed) {
    return guard("dpa_solution_findings", [&] {
        std::string known = labels == nullptr ? "" : labels;
        std::replace_if(
            known.begin(), known.end(), [](unsigned char c) { return c < ' '; }, ' ');
        if (known == schema::Labels::numbers().known()) known.clear();  // the loss says which ones
        std::string text;
        for (const std::string &finding : findings(value_of(solution, "solution"), known))
            text += Finding::read(finding).sentence + '\n';
        fill_text(text, out, out_len, needed);
    });
}
