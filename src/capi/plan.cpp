#include <dpadapt/privacy.h>

#include <cmath>
#include <string_view>

#include "base/text.hpp"
#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "capi/reports.hpp"
#include "privacy/accountant.hpp"
#include "problem/public_loss.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

Settings private_settings(const dpa_options *options) {
    const dpa_options defaults;
    Settings settings = make_settings(options_or_defaults(options, defaults).values, Wanted::fit);
    if (settings.privacy.domains == 0)
        throw Error(DPA_E_OPTION, "option private_domain is none: there is nothing to plan");
    return settings;
}

double number_or_unknown(const Bound &bound) {
    return bound.kind == Bound::Kind::number ? bound.value : privacy::kUnknown;
}

/** The facts that options give without data. */
PlanFacts facts_from_options(const Settings &settings, std::size_t source_rows,
                             std::size_t target_rows, std::size_t features) {
    PlanFacts facts;
    facts.source_rows = source_rows;
    facts.target_rows = target_rows;
    facts.dimension = features + (settings.intercept ? 1 : 0);
    facts.alpha = settings.alpha ? *settings.alpha : default_alpha(source_rows, target_rows);
    facts.radius = settings.radius.value_or(privacy::kUnknown);
    facts.record_radius =
        std::hypot(number_or_unknown(settings.feature_radius), settings.intercept ? 1.0 : 0.0);
    facts.label_bound = number_or_unknown(settings.label_bound);
    if (settings.center_kind != CenterKind::zero) facts.center_norm = privacy::kUnknown;
    LossSettings known = settings.loss;
    if (!known.huber_threshold) known.huber_threshold = 1.0;  // sizes do not depend on it
    const auto loss =
        loss::make_loss(choose_loss(known, "for a plan that is made without the public data"),
                        loss::Reading::private_records);
    facts.parameters = loss->parameters(facts.dimension);
    if (settings.loss.kind == loss::Kind::huber && !settings.loss.huber_threshold) return facts;
    facts.bounds = loss_bounds(*loss, facts);
    if (!has_exact_discrepancy(settings.loss.kind) &&
        settings.privacy.domains == (privacy::kSource | privacy::kTarget) &&
        settings.center_kind == CenterKind::zero) {
        PlanFacts ball = facts;
        ball.radius = settings.discrepancy_radius.value_or(facts.radius);
        facts.general_bound = loss_bounds(*loss, ball).value;
    }
    return facts;
}

/** The release whose purpose begins with these words. */
const privacy::Release *find(const privacy::Plan &plan, std::string_view purpose) {
    for (const privacy::Release &release : plan.releases)
        if (std::string_view(release.purpose).starts_with(purpose)) return &release;
    return nullptr;
}

/** The library's limit for samples. */
void check_size(const char *name, std::size_t size) {
    constexpr std::size_t kMost = (std::size_t{1} << 31) - 1;
    if (size == 0) throw Error(DPA_E_EMPTY, std::string(name) + " must be at least 1");
    if (size > kMost)
        throw Error(DPA_E_OVERFLOW,
                    std::string(name) + " must be less than 2^31, but is " + std::to_string(size));
}

double plan_value(const privacy::Plan &plan, std::string_view name) {
    const privacy::Releases totals = plan.total.releases();
    const privacy::Release *gradient = find(plan, "gradient of the predictor");
    if (gradient == nullptr) gradient = find(plan, "second moments");  // of a baseline
    const privacy::Release *discrepancy = find(plan, "discrepancy");
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

const dpa_plan &plan_of(const dpa_plan *plan) { return checked(plan, "plan"); }

}  // namespace

dpa_status dpa_plan_create(size_t source_rows, size_t target_rows, size_t features,
                           const dpa_options *options, dpa_plan **out) {
    return guard("dpa_plan_create", [&] {
        dpa_plan *&result = output(out);
        check_size("source_rows", source_rows);
        check_size("target_rows", target_rows);
        check_size("features", features);
        const Settings settings = private_settings(options);
        const PlanFacts facts = facts_from_options(settings, source_rows, target_rows, features);
        auto handle = std::make_unique<dpa_plan>();
        handle->value = privacy::make_plan(plan_request(settings, facts, Wanted::fit));
        handle->facts = report_facts(settings, facts, features);
        result = handle.release();
    });
}

dpa_status dpa_plan_for_problem(const dpa_problem *problem, const dpa_options *options,
                                dpa_plan **out) {
    return guard("dpa_plan_for_problem", [&] {
        dpa_plan *&result = output(out);
        const Usage::Hold hold(checked(problem, "problem").usage, false);
        const auto &[source, target] = both_samples(problem);
        const Settings settings = private_settings(options);
        const dpa_options defaults;
        Caller caller(options_or_defaults(options, defaults));
        const PrivateCall call(source, target, settings, Wanted::fit, caller);
        auto handle = std::make_unique<dpa_plan>();
        handle->value = call.plan();
        handle->facts = report_facts(settings, call.facts(), source.features());
        result = handle.release();
    });
}

void dpa_plan_destroy(dpa_plan *plan) { destroy(plan); }

dpa_status dpa_plan_value(const dpa_plan *plan, const char *name, double *value) {
    return guard("dpa_plan_value", [&] {
        const double number = plan_value(plan_of(plan).value, &required(name, "name"));
        if (std::isnan(number))
            throw Error(DPA_E_STATE, std::string(name) +
                                         " depends on public data that the plan was made without");
        required(value, "value") = number;
    });
}

dpa_status dpa_plan_delta(const dpa_plan *plan, double epsilon, double *delta) {
    return guard("dpa_plan_delta", [&] {
        const privacy::Releases totals = plan_of(plan).value.total.releases();
        required(delta, "delta") = privacy::delta(epsilon, totals);
    });
}

dpa_status dpa_plan_epsilon(const dpa_plan *plan, double delta, double *epsilon) {
    return guard("dpa_plan_epsilon", [&] {
        const privacy::Releases totals = plan_of(plan).value.total.releases();
        required(epsilon, "epsilon") = privacy::epsilon(delta, totals);
    });
}

dpa_status dpa_plan_check(const dpa_plan *plan, double epsilon, double delta, int32_t *holds) {
    return guard("dpa_plan_check", [&] {
        const privacy::Releases totals = plan_of(plan).value.total.releases();
        required(holds, "holds") = privacy::holds(epsilon, delta, totals) ? 1 : 0;
    });
}

dpa_status dpa_plan_report(const dpa_plan *plan, int32_t form, char *out, size_t out_len,
                           size_t *needed) {
    return guard("dpa_plan_report", [&] {
        const dpa_plan &handle = plan_of(plan);
        fill_text(privacy::write_plan(handle.value, handle.facts, report_form(form)), out, out_len,
                  needed);
    });
}
