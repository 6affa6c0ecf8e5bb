#include "engine/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "engine/public_rows.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "engine/survey.hpp"
#include "objective/solve.hpp"
#include "private/call.hpp"
#include "problem/stray_cells.hpp"
#include "records/reader.hpp"

namespace dpadapt::engine {

Estimate estimate(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    Settings settings = make_settings(values, Wanted::discrepancy);
    PrivacySettings &own = settings.privacy;
    problem.check_scores(settings.loss);
    check_row_weights(problem, settings, nullptr);
    const Usage::Hold hold(problem.usage, own.domains != 0);
    problem.admit(own, values);
    problem.follow_budget(settings);
    const PublicRows rows(problem.source(), problem.target(), settings);
    const Sample &source = rows.source();
    check_survey(source);
    Estimate result{{}, own.domains, problem.ledger.id(), source.features()};
    if (own.domains == 0) {
        problem.ledger.unprotected_use().unprotected = true;
        const bool unlabelled = settings.discrepancy_kind == DiscrepancyKind::unlabelled;
        if (!rows.has_target_labels() && !unlabelled)
            refuse_unlabelled("discrepancy_kind = labelled");
        const auto kept = std::make_unique<PreparedProblem>(source, rows.target(), settings,
                                                            control, rows.target_features());
        PreparedProblem &prepared = *kept;
        if (rows.has_target_labels()) choose_auto(prepared, settings, false, control);
        result.discrepancy = estimate_discrepancy(prepared, settings, control);
    } else {
        const auto kept = std::make_unique<PrivateCall>(source, rows.target(), settings,
                                                        Wanted::discrepancy, control);
        PrivateCall &call = *kept;
        call.charge(problem.ledger);
        result.discrepancy.value = call.release_discrepancy(nullptr);
        result.deviation = call.plan().find(privacy::ReleaseKind::discrepancy)->deviation();
    }
    check_finite(result.discrepancy);
    return result;
}

void check_usable(const Estimate &given, const PrivacySettings &settings,
                  const privacy::Ledger &ledger) {
    if (settings.domains == 0) return;
    if ((given.domains & settings.domains) != settings.domains)
        throw Error(DPA_E_OPTION,
                    "discrepancy must have been released privately for the same private_domain, "
                    "but was estimated without: the fit would publish it");
    if (given.ledger != ledger.id())
        throw Error(DPA_E_OPTION,
                    "discrepancy was paid from the budget of another problem: pass its "
                    "value by option discrepancy if it is about other people");
}

namespace {

void add_counts(const char *sample, const sums::Counts &found, std::vector<std::string> &lines) {
    const auto add = [&](std::uint64_t count, const char *what) {
        if (count > 0)
            lines.push_back(std::string(sample) + ": " + std::to_string(count) + " of " +
                            std::to_string(found.seen) + " records " + what);
    };
    add(found.not_finite,
        "count as zeros: a number that is not finite, or a label that has no meaning.");
    add(found.scaled, "have features beyond feature_radius, and are scaled down.");
    add(found.clamped_labels, "have a label beyond label_bound, which is clamped.");
}

}  // namespace

std::vector<std::string> inspect(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = make_settings(values, Wanted::fit);
    const privacy::Domains domains = settings.privacy.domains;
    const Usage::Hold hold(problem.usage, true);
    if (problem.locked())
        throw Error(DPA_E_STATE, "the problem is locked: its private records stay unseen");
    if ((domains & privacy::kTarget) != 0 && problem.target().remote() != nullptr &&
        problem.target().persons() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's persons are elsewhere: an inspection counts rows, and a sum "
                    "there counts persons");
    std::unique_ptr<const PrivateProblem> prepared;
    const PublicRows rows(problem.source(), problem.target(), settings);
    if (domains != 0)
        prepared =
            std::make_unique<PrivateProblem>(rows.source(), rows.target(), settings, control);
    problem.ledger.unprotected_use().inspected = true;  // with private_domain = none as well
    std::vector<std::string> lines;
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if ((domains & domain) != 0)
            add_counts(
                domain == privacy::kSource ? "Source" : "Target",
                records::Reader(*prepared, domain).sum(records::CountTask{prepared->choice()}),
                lines);
    if (problem.source().remote() == nullptr && problem.target().remote() == nullptr)
        for (std::string &line :
             slips(problem.source(), problem.target(), has_numbers(settings.loss)))
            lines.push_back(std::move(line));
    return lines;
}

namespace {

bool is_finite(double value) { return std::isfinite(value); }
bool is_weight(double value) { return value >= 0.0 && is_finite(value); }

[[noreturn]] void fail(const char *what) {
    throw Error(DPA_E_NUMERICAL, std::string(what) +
                                     " beyond double precision: scale the data, or "
                                     "choose less extreme options");
}

}  // namespace

void check_finite(const Solution &solution, bool has_objective) {
    for (const std::vector<double> *values :
         {&solution.coefficients, &solution.intercept, &solution.parameters})
        if (!std::all_of(values->begin(), values->end(), is_finite)) fail("the predictor is");
    for (const std::vector<double> *weights : {&solution.source_weights, &solution.target_weights})
        if (!std::all_of(weights->begin(), weights->end(), is_weight)) fail("the weights are");
    if (std::isinf(solution.objective) || (has_objective && std::isnan(solution.objective)))
        fail("the objective is");
}

// An upper bound may be infinite: nobody knows one.
void check_finite(const Discrepancy &discrepancy) {
    const Predictor &maximizer = discrepancy.maximizer;
    if (!is_finite(discrepancy.value) || !is_finite(discrepancy.lower) ||
        std::isnan(discrepancy.upper) || !maximizer.coefficients.is_finite() ||
        !is_finite(maximizer.intercept))
        fail("the discrepancy is");
}

}  // namespace dpadapt::engine
