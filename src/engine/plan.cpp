#include "engine/plan.hpp"

#include <cmath>
#include <string>

#include "base/text.hpp"
#include "engine/fit.hpp"
#include "engine/report.hpp"
#include "private/call.hpp"

namespace dpadapt::engine {
namespace {

Settings private_settings(const baseline::MethodSpec *method, const OptionValues &values) {
    Settings settings = fit_settings(method, values);
    if (settings.privacy.domains == 0)
        throw Error(DPA_E_OPTION, "option private_domain is none: there is nothing to plan");
    return settings;
}

/** The release that a plan is about, besides the discrepancy; null: there is none. */
const privacy::Release *main_release(const privacy::Plan &plan) {
    using privacy::ReleaseKind;
    for (const ReleaseKind kind :
         {ReleaseKind::gradient, ReleaseKind::epoch_gradient, ReleaseKind::second_moments})
        if (const privacy::Release *release = plan.find(kind)) return release;
    return nullptr;
}

/** The same, whether it is known or not. */
double number(const privacy::Plan &plan, std::string_view name) {
    const privacy::Totals totals = plan.total.totals();
    const privacy::Release *gradient = main_release(plan);
    const privacy::Release *discrepancy = plan.find(privacy::ReleaseKind::discrepancy);
    const auto of = [](const privacy::Release *release, auto member) {
        return release == nullptr ? 0.0 : (release->*member)();
    };
    if (name == "mu") return totals.mu;
    if (name == "laplace_epsilon") return totals.laplace_epsilon;
    if (name == "steps") return static_cast<double>(plan.steps);
    if (name == "noise_multiplier") return gradient == nullptr ? 0.0 : 1.0 / gradient->step_price();
    if (name == "sigma") return of(gradient, &privacy::Release::scale);
    if (name == "sensitivity") return of(gradient, &privacy::Release::sensitivity);
    if (name == "laplace_scale") return of(discrepancy, &privacy::Release::scale);
    if (name == "discrepancy_sensitivity") return of(discrepancy, &privacy::Release::sensitivity);
    if (name == "tau") return discrepancy == nullptr ? 0.0 : discrepancy->tolerance;
    throw Error(DPA_E_OPTION_NAME, "a plan has no number " + quoted(name));
}

}  // namespace

Plan plan_fit(const Problem &problem, const baseline::MethodSpec *method,
              const OptionValues &values, Control &control) {
    const Usage::Hold hold(problem.usage, false);
    return plan_fit_held(problem, method, values, control);
}

Plan plan_fit_held(const Problem &problem, const baseline::MethodSpec *method,
                   const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = private_settings(method, values);
    problem.check_allowed(
        settings.privacy);  // bounds come from the sample that is said to be public
    const Sample &source = problem.source();
    const Sample &target = problem.target();
    if (method != nullptr) {
        const auto call = baseline::prepare_private(*method, source, target, settings, control);
        return {call->plan(), report_facts(*method, *call), {}};
    }
    const PrivateCall call(source, target, settings, Wanted::fit, control);
    return {call.plan(), report_facts(settings, call.facts(), source.features()), {}};
}

Plan plan_fit(std::size_t source_rows, std::size_t target_rows, std::size_t features,
              const OptionValues &values) {
    const Settings settings = private_settings(nullptr, values);
    const PlanFacts facts = plan_facts(settings, source_rows, target_rows, features);
    return {privacy::make_plan(plan_request(settings, facts, Wanted::fit)),
            report_facts(settings, facts, features),
            {}};
}

Plan plan_forecast(const Problem &problem, std::size_t target_rows, const OptionValues &values,
                   Control &control) {
    const Usage::Hold hold(problem.usage, false);
    const Sample &source = problem.source();
    const OptionValues paid = with_budget(values);
    const Settings settings = private_settings(nullptr, paid);
    problem.check_allowed(settings.privacy);
    check_forecast(source, settings);
    // A plan reads no private record, and there is none.
    const Sample target =
        Sample::lend({nullptr, target_rows, source.features(), source.features(), true}, nullptr);
    const PrivateCall call(source, target, settings, Wanted::fit, control);
    Plan plan{call.plan(), report_facts(settings, call.facts(), source.features()), {}};
    OptionValues known = values;  // a part of the rows may lack a class
    if (loss::counts_classes(call.problem().choice()))
        known.set_integer(Option::classes,
                          static_cast<std::int64_t>(call.problem().choice().classes));
    plan.forecast = forecast(source, target_rows, known, control);
    plan.facts.forecast = plan.forecast.document();
    return plan;
}

double plan_value(const Plan &plan, std::string_view name) {
    if (name == "forecasts") return static_cast<double>(plan.forecast.cells.size());
    const double value = number(plan.plan, name);
    if (std::isnan(value))
        throw Error(DPA_E_STATE,
                    std::string(name) + " depends on public data that the plan was made without");
    return value;
}

}  // namespace dpadapt::engine
