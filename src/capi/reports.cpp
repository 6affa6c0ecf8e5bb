#include "capi/reports.hpp"

#include <dpadapt/privacy.h>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"

namespace dpadapt::capi {
namespace {

const char *released_things(const Settings &settings) {
    return settings.privacy.method == Method::paper
               ? "coefficients, intercept, weights, and the discrepancy if it is among the releases"
               : "coefficients, intercept, weights of public records, alpha, and the discrepancy "
                 "if it is among the releases";
}

}  // namespace

privacy::Form report_form(std::int32_t form) {
    if (form == DPA_REPORT_JSON) return privacy::Form::json;
    if (form == DPA_REPORT_TEXT) return privacy::Form::text;
    throw Error(DPA_E_INVALID_ARGUMENT,
                "form must be DPA_REPORT_JSON or DPA_REPORT_TEXT, but is " + std::to_string(form));
}

privacy::ReportFacts report_facts(const Settings &settings, const PlanFacts &facts,
                                  std::size_t features) {
    const bool paper = settings.privacy.method == Method::paper;
    const bool exact = settings.privacy.calibration == privacy::Calibration::exact;
    Document call;
    call.set("method", paper ? "paper" : "profile")
        .set("calibration", settings.privacy.noise_multiplier ? "given noise"
                            : exact                           ? "exact"
                                                              : "paper")
        .set("alpha", adapts_alpha(settings) ? Document("auto") : Document(facts.alpha))
        .set("kappa_2", settings.kappa_2)
        .set("kappa_inf", settings.kappa_inf)
        .set("units", paper ? "squared label units over feature units"
                            : "gradients and second moments in units of their clip bounds, which "
                              "follow from public data and earlier releases")
        .set("radius", facts.radius)
        .set("record_radius", facts.record_radius)
        .set("label_bound", facts.label_bound)
        .set("released", released_things(settings));
    return {dpa_version(),
            settings.privacy.domains,
            facts.source_rows,
            facts.target_rows,
            features,
            std::move(call),
            false};
}

privacy::ReportFacts with_choice(privacy::ReportFacts facts, const std::string &choice) {
    if (!choice.empty()) facts.call.set("choice", choice);
    return facts;
}

privacy::ReportFacts report_facts(const dpa_problem &problem, const privacy::Ledger &ledger) {
    privacy::ReportFacts facts;
    facts.version = dpa_version();
    for (const auto &entry : ledger.entries()) facts.domains |= entry.release.domains;
    const dpa_problem_s::Shape shape = problem.shape();
    facts.source_rows = shape.source_rows;
    facts.target_rows = shape.target_rows;
    facts.features = shape.features;
    return facts;
}

PrivacyRecord unprotected(std::size_t source_rows, std::size_t target_rows, std::size_t features) {
    const privacy::ReportFacts facts{dpa_version(), 0,  source_rows, target_rows,
                                     features,      {}, true};
    PrivacyRecord record;
    record.json = privacy::write_report({}, facts, privacy::Form::json);
    record.text = privacy::write_report({}, facts, privacy::Form::text);
    return record;
}

PrivacyRecord privacy_record(const privacy::Ledger &ledger, const privacy::ReportFacts &facts) {
    PrivacyRecord record;
    record.protection = ledger.seeded() ? Protection::seeded : Protection::guaranteed;
    if (!ledger.seeded()) {
        record.epsilon = ledger.budget()->epsilon;
        record.delta = ledger.budget()->delta;
    }
    record.json = privacy::write_report(ledger, facts, privacy::Form::json);
    record.text = privacy::write_report(ledger, facts, privacy::Form::text);
    return record;
}

}  // namespace dpadapt::capi

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

dpa_status dpa_problem_set_budget(dpa_problem *problem, const dpa_options *options) {
    return guard("dpa_problem_set_budget", [&] {
        dpa_problem &handle = checked(problem, "problem");
        const dpa_options defaults;
        const Settings settings =
            make_settings(options_or_defaults(options, defaults).values, Wanted::fit);
        const Usage::Hold hold(handle.usage, true);
        const PrivacySettings &privacy = settings.privacy;
        if (!privacy.epsilon || !privacy.delta)
            throw Error(DPA_E_OPTION, "options epsilon and delta must be set: they are the budget");
        if (privacy.domains == 0)
            throw Error(DPA_E_OPTION, "option private_domain is none: nothing needs a budget");
        const double share = releases_discrepancy(settings, Wanted::fit) ? kDiscrepancyShare : 0.0;
        const privacy::Budget budget =
            privacy::make_budget(*privacy.epsilon, *privacy.delta,
                                 privacy.laplace_epsilon.value_or(
                                     privacy.discrepancy_share.value_or(share) * *privacy.epsilon),
                                 settings.selection.epsilon.value_or(0.0));
        handle.ledger.bind(privacy.domains);
        handle.ledger.set_budget(budget);
    });
}

dpa_status dpa_problem_privacy_report(const dpa_problem *problem, int32_t form, char *out,
                                      size_t out_len, size_t *needed) {
    return guard("dpa_problem_privacy_report", [&] {
        const dpa_problem &handle = checked(problem, "problem");
        const privacy::Ledger ledger = handle.ledger;
        fill_text(privacy::write_report(ledger, report_facts(handle, ledger), report_form(form)),
                  out, out_len, needed);
    });
}

dpa_status dpa_solution_privacy(const dpa_solution *solution, int32_t *protection, double *epsilon,
                                double *delta) {
    return guard("dpa_solution_privacy", [&] {
        const PrivacyRecord &record = checked(solution, "solution").value.privacy;
        if (protection != nullptr) *protection = static_cast<int32_t>(record.protection);
        if (epsilon != nullptr) *epsilon = record.epsilon;
        if (delta != nullptr) *delta = record.delta;
    });
}

dpa_status dpa_solution_privacy_report(const dpa_solution *solution, int32_t form, char *out,
                                       size_t out_len, size_t *needed) {
    return guard("dpa_solution_privacy_report", [&] {
        const PrivacyRecord &record = checked(solution, "solution").value.privacy;
        fill_text(report_form(form) == privacy::Form::json ? record.json : record.text, out,
                  out_len, needed);
    });
}
