#include "engine/fit.hpp"

#include "engine/report.hpp"
#include "engine/settings.hpp"
#include "objective/solve.hpp"
#include "private/solve.hpp"

namespace dpadapt::engine {
namespace {

Wanted wanted(const Estimate *given) {
    return given != nullptr ? Wanted::fit_with_given_discrepancy : Wanted::fit;
}

/** Throws unless the method and the options are both private, or neither is. */
void check_protection(const baseline::MethodSpec &method, const Settings &settings) {
    if (method.is_private == (settings.privacy.domains != 0)) return;
    throw Error(DPA_E_OPTION,
                std::string("baseline ") + method.name +
                    (method.is_private ? " protects the target: private_domain must be target"
                                       : " protects nobody: set private_domain to none"));
}

/** A fit after all checks, of a problem that is held. */
struct Fit {
    Problem &problem;
    const baseline::MethodSpec *method;
    const Estimate *given;
    const Settings &settings;
    Control &control;

    [[nodiscard]] std::optional<double> discrepancy() const {
        return given != nullptr ? given->discrepancy.value : settings.discrepancy;
    }
    [[nodiscard]] Solution adapt(const PreparedProblem &prepared) const;
    [[nodiscard]] Solution without_privacy() const;
    [[nodiscard]] Solution with_privacy(const std::string &choice) const;

    [[nodiscard]] Solution run(const std::string &choice) const {
        return settings.privacy.domains == 0 ? without_privacy() : with_privacy(choice);
    }
};

Solution Fit::adapt(const PreparedProblem &prepared) const {
    std::optional<double> d = discrepancy();
    if (!d && !keeps_reference(settings)) d = estimate_discrepancy(prepared, settings, control).value;
    return solve(prepared, d, settings, control);
}

Solution Fit::without_privacy() const {
    const Sample &source = problem.source();
    const Sample &target = problem.target();
    problem.ledger.mark_unprotected();
    const PreparedProblem prepared(source, target, settings, control);
    Solution solution = method != nullptr
                            ? baseline::solve_without_privacy(*method, prepared, settings, control)
                            : adapt(prepared);
    solution.privacy = unprotected(source.rows(), target.rows(), source.features());
    return solution;
}

Solution Fit::with_privacy(const std::string &choice) const {
    const auto pay_and_solve = [&](auto &call, const auto &solve, privacy::ReportFacts facts) {
        call.charge(problem.ledger);
        Solution solution = solve();
        if (!choice.empty()) facts.call.set("choice", choice);
        solution.privacy = privacy_record(problem.ledger, facts);
        return solution;
    };
    if (method != nullptr) {
        const auto call = baseline::prepare_private(*method, problem.source(), problem.target(),
                                                    settings, control);
        return pay_and_solve(
            *call, [&] { return call->solve(nullptr); }, report_facts(*method, *call));
    }
    PrivateCall call(problem.source(), problem.target(), settings, wanted(given), control);
    return pay_and_solve(
        call, [&] { return solve_private(call, discrepancy()); },
        report_facts(settings, call.facts(), problem.source().features()));
}

}  // namespace

Settings fit_settings(const baseline::MethodSpec *method, const OptionValues &values,
                      const Estimate *given) {
    if (method == nullptr) return make_settings(values, wanted(given));
    Settings settings = make_settings(values, Wanted::baseline);
    check_protection(*method, settings);
    return settings;
}

Solution fit(Problem &problem, const baseline::MethodSpec *method, const Estimate *given,
             const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = fit_settings(method, values, given);
    const Usage::Hold hold(problem.usage, settings.privacy.domains != 0);
    if (given != nullptr) check_usable(*given, settings.privacy, problem.ledger);
    return Fit{problem, method, given, settings, control}.run({});
}

Solution fit_held(Problem &problem, const baseline::MethodSpec *method, const OptionValues &values,
                  Control &control, const std::string &choice) {
    const Settings settings = fit_settings(method, values);
    return Fit{problem, method, nullptr, settings, control}.run(choice);
}

}  // namespace dpadapt::engine
