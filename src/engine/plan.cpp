#include "engine/plan.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "base/text.hpp"
#include "engine/fit.hpp"
#include "engine/public_rows.hpp"
#include "engine/report.hpp"
#include "engine/settings.hpp"
#include "engine/survey.hpp"
#include "privacy/accountant.hpp"
#include "private/call.hpp"
#include "problem/plan_request.hpp"

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
    for (const ReleaseKind kind : {ReleaseKind::gradient, ReleaseKind::epoch_gradient,
                                   ReleaseKind::sampled_gradient, ReleaseKind::second_moments})
        if (const privacy::Release *release = plan.find(kind)) return release;
    return nullptr;
}

/** What the paper proves of the call; nothing of other methods, other private samples, or noise
 *  that no budget decides. */
std::optional<paper::Convergence> theory_of(const Settings &settings, const Hyperparameters &hyper,
                                            const PlanFacts &facts, const privacy::Plan &plan) {
    const PrivacySettings &privacy = settings.privacy;
    if (privacy.method != Method::paper || privacy.domains != privacy::kTarget ||
        privacy.neighbours != privacy::Neighbours::replace || !privacy.epsilon || !privacy.delta ||
        !(*privacy.delta > 0.0) || plan.steps == 0)
        return {};
    return paper::convergence(hyper, facts, *privacy.epsilon, *privacy.delta,
                              static_cast<double>(plan.steps));
}

Document describe(const paper::Convergence &theory) {
    const double error = theory.error();
    const bool known = !std::isnan(error) && !std::isnan(theory.trivial);
    return Document()
        .set("theorem", theory.theorem)
        .set("steps", theory.steps)
        .set("steps_of_theorem", theory.theorem_steps)
        .set("error", error)
        .set("error_by_predictor", theory.predictor)
        .set("error_by_private_weights", theory.private_weights)
        .set(theory.theorem == 1 ? "error_by_public_weights" : "error_by_steps", theory.rest)
        .set("trivial_error", theory.trivial)
        .set("says_nothing", known ? Document(error >= theory.trivial) : Document(nullptr));
}

void add_theory(const std::optional<paper::Convergence> &theory, Plan &plan) {
    plan.theory = theory;
    if (theory) plan.facts.theory = describe(*theory);
}

/** A number of what the paper proves; empty for other names. */
std::optional<double> theory_number(const std::optional<paper::Convergence> &theory,
                                    std::string_view name) {
    const paper::Convergence own = theory.value_or(paper::Convergence{.theorem = 0});
    for (const auto &[known, number] : {std::pair{"theorem", static_cast<double>(own.theorem)},
                                        {"theorem_steps", own.theorem_steps},
                                        {"theorem_error", own.error()},
                                        {"theorem_error_by_predictor", own.predictor},
                                        {"theorem_error_by_private_weights", own.private_weights},
                                        {"theorem_error_by_rest", own.rest},
                                        {"theorem_trivial_error", own.trivial}})
        if (name == known) return number;
    return {};
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
    if (name == "pure_epsilon") return totals.pure_epsilon;
    if (name == "failure") return totals.failure;
    if (name == "steps") return static_cast<double>(plan.steps);
    if (name == "passes") return static_cast<double>(plan.passes());
    if (name == "noise_multiplier") return gradient == nullptr ? 0.0 : 1.0 / gradient->step_price();
    if (name == "sigma") return of(gradient, &privacy::Release::scale);
    if (name == "sensitivity") return of(gradient, &privacy::Release::sensitivity);
    const bool laplace = plan.discrepancy_noise == privacy::Mechanism::laplace;
    if (name == "laplace_scale") return laplace ? of(discrepancy, &privacy::Release::scale) : 0.0;
    if (name == "discrepancy_deviation") return of(discrepancy, &privacy::Release::deviation);
    if (name == "discrepancy_sensitivity") return of(discrepancy, &privacy::Release::sensitivity);
    if (name == "tau") return discrepancy == nullptr ? 0.0 : discrepancy->tolerance;
    throw Error(DPA_E_OPTION_NAME, "a plan has no number " + in_quotes(name));
}

Plan plan_of(const PrivateCall &call, const Settings &settings, const PassSize &pass) {
    Plan plan{call.plan(), report_facts(settings, call.facts(), pass.features), {}, {}, pass};
    add_theory(theory_of(settings, call.problem().hyperparameters(), call.facts(), plan.plan),
               plan);
    return plan;
}

using privacy::Ledger;

const privacy::Budget &budget_of(const Ledger &ledger) {
    (void)ledger.left();  // that there is one
    return *ledger.budget();
}

privacy::Totals cap(const Ledger &ledger) { return budget_of(ledger).cap.totals(); }
privacy::Totals spent(const Ledger &ledger) { return ledger.spent().totals(); }
privacy::Totals left(const Ledger &ledger) { return ledger.left().totals_below(); }

/** At the budget's delta; infinite where nothing is promised. */
double spent_epsilon(const Ledger &ledger) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double delta = budget_of(ledger).delta;
    if (ledger.seeded()) return kInfinity;
    return privacy::known_epsilon(delta, spent(ledger)).value_or(kInfinity);
}

constexpr std::pair<std::string_view, double (*)(const Ledger &)> kNumbers[] = {
    {"epsilon", [](const Ledger &ledger) { return budget_of(ledger).epsilon; }},
    {"delta", [](const Ledger &ledger) { return budget_of(ledger).delta; }},
    {"neighbours",
     [](const Ledger &ledger) { return static_cast<double>(budget_of(ledger).neighbours); }},
    {"mu", [](const Ledger &ledger) { return cap(ledger).mu; }},
    {"laplace_epsilon", [](const Ledger &ledger) { return cap(ledger).laplace_epsilon; }},
    {"pure_epsilon", [](const Ledger &ledger) { return cap(ledger).pure_epsilon; }},
    {"spent_epsilon", spent_epsilon},
    {"spent_mu", [](const Ledger &ledger) { return spent(ledger).mu; }},
    {"spent_laplace_epsilon", [](const Ledger &ledger) { return spent(ledger).laplace_epsilon; }},
    {"spent_pure_epsilon", [](const Ledger &ledger) { return spent(ledger).pure_epsilon; }},
    {"left_mu", [](const Ledger &ledger) { return left(ledger).mu; }},
    {"left_laplace_epsilon", [](const Ledger &ledger) { return left(ledger).laplace_epsilon; }},
    {"left_pure_epsilon", [](const Ledger &ledger) { return left(ledger).pure_epsilon; }},
};

}  // namespace

Plan plan_fit(const Problem &problem, const baseline::MethodSpec *method,
              const OptionValues &values, Control &control) {
    const Usage::Hold hold(problem.usage, false);
    return plan_fit_held(problem, method, values, control);
}

Plan plan_fit_held(const Problem &problem, const baseline::MethodSpec *method,
                   const OptionValues &values, Control &control) {
    problem.check_complete();
    Settings settings = private_settings(method, values);
    const Wanted wanted = method != nullptr ? Wanted::baseline : Wanted::fit;
    check_samples(problem, method, settings, wanted);
    if (!problem.ledger.budget()) check_discrepancy_share(settings, wanted);
    problem.follow_budget(settings);
    problem.check_allowed(
        settings.privacy);  // bounds come from the sample that is said to be public
    const PublicRows rows(problem.source(), problem.target(), settings, method == nullptr);
    const Sample &source = rows.source();
    const Sample &target = rows.target();
    check_survey(source, settings, method);
    const PassSize pass =
        private_rows(settings.privacy.domains, source.rows(), target.units(), source.features());
    if (method != nullptr) {
        const auto call = baseline::prepare_private(*method, source, target, settings, control);
        return {call->plan(), report_facts(*method, *call), {}, {}, pass};
    }
    const auto call = std::make_unique<PrivateCall>(source, target, settings, Wanted::fit, control);
    return plan_of(*call, settings, pass);
}

Plan plan_fit(std::size_t source_rows, std::size_t target_rows, std::size_t features,
              const OptionValues &values) {
    const Settings settings = private_settings(nullptr, values);
    if (settings.privacy.unit == privacy::Unit::person)
        throw Error(DPA_E_UNSUPPORTED,
                    "a plan for sizes alone is about records: plan for rows with ids, or for as "
                    "many records as there are persons");
    check_discrepancy_share(settings, Wanted::fit);
    const PlanFacts facts = plan_facts(settings, source_rows, target_rows, features);
    Plan plan{privacy::make_plan(plan_request(settings, facts, Wanted::fit)),
              report_facts(settings, facts, features),
              {},
              {},
              private_rows(settings.privacy.domains, source_rows, target_rows, features)};
    add_theory(
        theory_of(settings, hyperparameters(settings, facts.alpha, nullptr), facts, plan.plan),
        plan);
    return plan;
}

Plan plan_forecast(const Problem &problem, std::size_t target_rows, const OptionValues &values,
                   Control &control) {
    const Usage::Hold hold(problem.usage, false);
    const LabelledRows rows(problem.source());
    if (!rows.any()) throw Error(DPA_E_LABEL, "the source has no row with a label");
    const Sample &source = rows.rows();
    const OptionValues paid = with_budget(values);
    const Settings settings = private_settings(nullptr, paid);
    problem.check_allowed(settings.privacy);
    if (!problem.ledger.budget()) check_discrepancy_share(settings, Wanted::fit);
    check_forecast(source, settings);
    // A plan reads no private record, and there is none.
    const Sample target =
        Sample::lend({nullptr, target_rows, source.features(), source.features(), true}, nullptr);
    const auto call = std::make_unique<PrivateCall>(source, target, settings, Wanted::fit, control);
    Plan plan = plan_of(
        *call, settings,
        private_rows(settings.privacy.domains, source.rows(), target_rows, source.features()));
    OptionValues known = values;  // a part of the rows may lack a class
    if (loss::counts_classes(call->problem().choice()))
        known.set(Option::classes, static_cast<double>(call->problem().choice().classes));
    plan.forecast = forecast(source, target_rows, known, control);
    plan.facts.forecast = plan.forecast.document();
    plan.facts.sentence = plan.forecast.sentence();
    return plan;
}

double plan_value(const Plan &plan, std::string_view name) {
    if (name == "forecasts") return static_cast<double>(plan.forecast.cells.size());
    const std::optional<double> proven = theory_number(plan.theory, name);
    const auto passes = static_cast<double>(plan.plan.passes());
    if (name == "bytes") return passes * plan.pass.bytes();
    if (name == "seconds") return passes > 0.0 ? passes * plan.pass.seconds() : 0.0;
    const double value = proven ? *proven : number(plan.plan, name);
    if (std::isnan(value))
        throw Error(DPA_E_STATE,
                    std::string(name) + " depends on public data that the plan was made without");
    return value;
}

double budget_number(const Problem &problem, std::string_view name) {
    const Ledger now = problem.ledger;
    for (const auto &[known, value] : kNumbers)
        if (known == name) return value(now);
    throw Error(DPA_E_OPTION_NAME, "a budget has no number " + in_quotes(name));
}

PaidBudget make_budget(const OptionValues &values) {
    const Settings settings = make_settings(values, Wanted::fit);
    const PrivacySettings &privacy = settings.privacy;
    if (!privacy.epsilon || !privacy.delta)
        throw Error(DPA_E_OPTION, "options epsilon and delta must be set: they are the budget");
    const double share = discrepancy_share(settings, Wanted::fit, true);
    const privacy::DiscrepancyPrice discrepancy = privacy::price_of_discrepancy(
        *privacy.epsilon, *privacy.delta,
        privacy.laplace_epsilon.value_or(share * *privacy.epsilon), privacy.discrepancy_noise);
    return {privacy.domains,
            privacy::make_budget(*privacy.epsilon, *privacy.delta, discrepancy.laplace_epsilon,
                                 settings.selection.epsilon.value_or(0.0), privacy.neighbours),
            privacy.unit};
}

void set_budget(Problem &problem, const OptionValues &values) {
    const PaidBudget made = make_budget(values);
    const Usage::Hold hold(problem.usage, true);
    if (made.unit) problem.check_unit(*made.unit);
    problem.ledger.bind(made.domains);
    problem.ledger.set_budget(made.budget);
    if (made.unit) problem.fix_unit(*made.unit);
}

void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases) {
    if (ledger.budget()) return ledger.check(releases);
    if (!budget)
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set: private records need a budget");
    privacy::Ledger trial;
    trial.set_budget(*budget);
    trial.check(releases);
}

}  // namespace dpadapt::engine
