#include <dpadapt/solution.h>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/fits.hpp"
#include "capi/guard.hpp"
#include "capi/reports.hpp"
#include "discrepancy/estimate.hpp"
#include "objective/solve.hpp"
#include "private/solve.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** Throws unless a private fit may use that estimate. */
void check_discrepancy(const dpa_discrepancy *given, const PrivacySettings &settings,
                       const privacy::Ledger &ledger) {
    if (given == nullptr || settings.domains == 0) return;
    if ((checked(given, "discrepancy").domains & settings.domains) != settings.domains)
        throw Error(DPA_E_OPTION,
                    "discrepancy must have been released privately for the same private_domain, "
                    "but was estimated without: the fit would publish it");
    if (given->ledger != ledger.id())
        throw Error(DPA_E_OPTION,
                    "discrepancy was paid from the budget of another problem: pass its "
                    "value by option discrepancy if it is about other people");
    if (given->seeded && !settings.unsafe_seed && !ledger.seeded())
        throw Error(DPA_E_OPTION,
                    "discrepancy was released with unsafe_seed, so it is not private, "
                    "and no fit that uses it can be");
}

Solution solve_plain(dpa_problem &problem, const dpa_discrepancy *given, const Settings &settings,
                     Control &control) {
    const Sample &source = *problem.source;
    const Sample &target = *problem.target;
    problem.ledger.mark_unprotected();
    const PreparedProblem prepared(source, target, settings, control);
    std::optional<double> d = settings.discrepancy;
    if (given != nullptr) d = given->value.value;
    if (!d && !keeps_reference(settings))
        d = estimate_discrepancy(prepared, settings, control).value;
    Solution solution = dpadapt::solve(prepared, d, settings, control);
    solution.privacy = unprotected(source.rows(), target.rows(), source.features());
    return solution;
}

Solution solve_with_privacy(dpa_problem &problem, const dpa_discrepancy *given, Wanted wanted,
                            const Settings &settings, Control &control,
                            const std::string &choice = {}) {
    PrivateCall call(*problem.source, *problem.target, settings, wanted, control);
    call.charge(problem.ledger);
    Solution solution = solve_private(
        call, given != nullptr ? std::optional<double>(given->value.value) : settings.discrepancy);
    const auto facts = report_facts(settings, call.facts(), problem.source->features());
    solution.privacy = privacy_record(problem.ledger, with_choice(facts, choice));
    return solution;
}

}  // namespace

privacy::Plan dpadapt::capi::plan_fit(const dpa_problem &problem, const OptionValues &values,
                                      Control &control) {
    const Settings settings = make_settings(values, Wanted::fit);
    return PrivateCall(*problem.source, *problem.target, settings, Wanted::fit, control).plan();
}

Solution dpadapt::capi::fit(dpa_problem &problem, const OptionValues &values, Control &control,
                            const std::string &choice) {
    const Settings settings = make_settings(values, Wanted::fit);
    return settings.privacy.domains == 0
               ? solve_plain(problem, nullptr, settings, control)
               : solve_with_privacy(problem, nullptr, Wanted::fit, settings, control, choice);
}

dpa_status dpa_solve(dpa_problem *problem, const dpa_discrepancy *discrepancy,
                     const dpa_options *options, dpa_solution **out) {
    return guard("dpa_solve", [&] {
        dpa_solution *&result = output(out);
        dpa_problem &own = checked(problem, "problem");
        (void)both_samples(problem);
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        if (discrepancy != nullptr) checked(discrepancy, "discrepancy");
        const Wanted wanted =
            discrepancy != nullptr ? Wanted::fit_with_given_discrepancy : Wanted::fit;
        const Settings settings = make_settings(used.values, wanted);
        check_discrepancy(discrepancy, settings.privacy, problem->ledger);
        Caller caller(used);
        const Usage::Hold hold(own.usage, settings.privacy.domains != 0);
        auto handle = std::make_unique<dpa_solution>();
        handle->value = settings.privacy.domains == 0
                            ? solve_plain(own, discrepancy, settings, caller)
                            : solve_with_privacy(own, discrepancy, wanted, settings, caller);
        result = handle.release();
    });
}
