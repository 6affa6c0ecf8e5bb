#include "engine/report.hpp"

namespace dpadapt::engine {
namespace {

/** What every report says of how a call came to its numbers. */
Document start(const std::string &method, const PrivacySettings &settings) {
    const bool exact = settings.calibration == privacy::Calibration::exact;
    const char *calibration = settings.noise_multiplier ? "given noise" : exact ? "exact" : "paper";
    return Document().set("method", method).set("calibration", calibration);
}

void add_bounds(const PlanFacts &facts, Document &call) {
    call.set("radius", facts.radius)
        .set("record_radius", facts.record_radius)
        .set("label_bound", facts.label_bound);
}

}  // namespace

privacy::ReportFacts report_facts(const Settings &settings, const PlanFacts &facts,
                                  std::size_t features) {
    const bool paper = settings.privacy.method == Method::paper;
    Document call = start(paper ? "paper" : "profile", settings.privacy);
    call.set("alpha", adapts_alpha(settings) ? Document("auto") : Document(facts.alpha))
        .set("kappa_2", settings.kappa_2)
        .set("kappa_inf", settings.kappa_inf)
        .set("units", paper ? "squared label units over feature units"
                            : "gradients and second moments in units of their clip bounds, which "
                              "follow from public data and earlier releases");
    add_bounds(facts, call);
    call.set("released", std::string("coefficients, intercept, weights") +
                             (paper ? "" : " of public records, alpha") +
                             ", and the discrepancy if it is among the releases");
    return {.domains = settings.privacy.domains,
            .sizes = {facts.source_rows, facts.target_rows, features},
            .call = std::move(call),
            .persons = facts.persons,
            .neighbours = settings.privacy.neighbours};
}

privacy::ReportFacts report_facts(const baseline::MethodSpec &method,
                                  const baseline::PrivateBaseline &call) {
    const PlanFacts &facts = call.facts();
    Document document = start(std::string("baseline ") + method.name, call.settings().privacy);
    add_bounds(facts, document);
    call.describe(document);
    return {.domains = privacy::kTarget,
            .sizes = {facts.source_rows, facts.target_rows, call.problem().preprocess().features()},
            .call = std::move(document),
            .persons = facts.persons,
            .neighbours = call.settings().privacy.neighbours};
}

privacy::Statement statement(const Problem &problem) {
    const privacy::Ledger ledger = problem.ledger;
    privacy::Domains domains = 0;
    for (const auto &entry : ledger.entries()) domains |= entry.release.domains;
    // Before the first release, too: how many rows the persons have is private.
    const bool persons = problem.protects_persons() && domains != privacy::kSource;
    return {ledger,
            {.domains = domains,
             .sizes = problem.sizes(persons ? privacy::kTarget : domains),
             .persons = persons}};
}

PrivacyRecord unprotected(const privacy::SampleSizes &sizes, std::vector<std::string> findings) {
    return PrivacyRecord({{},
                          {.domains = 0,
                           .sizes = sizes,
                           .findings = std::move(findings),
                           .call_without_privacy = true}});
}

PrivacyRecord privacy_record(const privacy::Ledger &ledger, privacy::ReportFacts facts,
                             const std::string &choice) {
    if (!choice.empty()) facts.call.set("choice", choice);
    return PrivacyRecord({ledger, std::move(facts)});
}

}  // namespace dpadapt::engine
