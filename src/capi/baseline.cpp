#include <dpadapt/baseline.h>

#include "baseline/method.hpp"
#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/fits.hpp"
#include "capi/guard.hpp"
#include "capi/reports.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** What a report says of the call. */
privacy::ReportFacts facts_of(const baseline::MethodSpec &method,
                              const baseline::PrivateBaseline &call, std::size_t features) {
    const PlanFacts &facts = call.facts();
    const bool given = call.settings().privacy.noise_multiplier.has_value();
    Document document;
    document.set("method", std::string("baseline ") + method.name)
        .set("calibration", given ? "given noise" : "exact")
        .set("radius", facts.radius)
        .set("record_radius", facts.record_radius)
        .set("label_bound", facts.label_bound);
    call.describe(document);
    return {dpa_version(),
            privacy::kTarget,
            facts.source_rows,
            facts.target_rows,
            features,
            std::move(document),
            false};
}

/** Throws unless the method and the options are both private, or neither is. */
void check_protection(const baseline::MethodSpec &method, const Settings &settings) {
    if (method.is_private == (settings.privacy.domains != 0)) return;
    throw Error(DPA_E_OPTION,
                std::string("baseline ") + method.name +
                    (method.is_private ? " protects the target: private_domain must be target"
                                       : " protects nobody: set private_domain to none"));
}

Solution solve_plain(dpa_problem &problem, const baseline::MethodSpec &method,
                     const Settings &settings, Control &control) {
    const Sample &source = *problem.source;
    const Sample &target = *problem.target;
    problem.ledger.mark_unprotected();
    const PreparedProblem prepared(source, target, settings, control);
    Solution solution = baseline::solve_without_privacy(method, prepared, settings, control);
    solution.privacy = unprotected(source.rows(), target.rows(), source.features());
    return solution;
}

Solution solve_with_privacy(dpa_problem &problem, const baseline::MethodSpec &method,
                            const Settings &settings, Control &control, const std::string &choice) {
    const auto call =
        baseline::prepare_private(method, *problem.source, *problem.target, settings, control);
    call->charge(problem.ledger);
    Solution solution = call->solve(nullptr);
    const auto facts = facts_of(method, *call, problem.source->features());
    solution.privacy = privacy_record(problem.ledger, with_choice(facts, choice));
    return solution;
}

/** As the method reads them. Private records need bounds: a quantile of the public ones where none
 *  is given. */
Settings settings_for(const baseline::MethodSpec &method, const OptionValues &values) {
    OptionValues read = values;
    const bool priced = values[Option::lambda_1].word.empty();  // a number: for best
    if (priced && values[Option::form].word == "auto") read.set_word(Option::form, "general");
    Settings settings = make_settings(read, Wanted::fit);
    settings.penalty = PenaltyKind::linear;
    check_protection(method, settings);
    if (!method.is_private) return settings;
    const Bound quantile{Bound::Kind::quantile, values[Option::bound_quantile].number};
    if (settings.feature_radius.kind == Bound::Kind::absent) settings.feature_radius = quantile;
    if (settings.label_bound.kind == Bound::Kind::absent && centers_labels(settings.loss))
        settings.label_bound = quantile;
    return settings;
}

}  // namespace

Settings dpadapt::capi::fit_settings(const baseline::MethodSpec *method,
                                     const OptionValues &values) {
    return method != nullptr ? settings_for(*method, values) : make_settings(values, Wanted::fit);
}

privacy::Plan dpadapt::capi::plan_baseline(const dpa_problem &problem,
                                           const baseline::MethodSpec &method,
                                           const OptionValues &values, Control &control) {
    const Settings settings = settings_for(method, values);
    return baseline::prepare_private(method, *problem.source, *problem.target, settings, control)
        ->plan();
}

Solution dpadapt::capi::fit_baseline(dpa_problem &problem, const baseline::MethodSpec &method,
                                     const OptionValues &values, Control &control,
                                     const std::string &choice) {
    const Settings settings = settings_for(method, values);
    return method.is_private ? solve_with_privacy(problem, method, settings, control, choice)
                             : solve_plain(problem, method, settings, control);
}

size_t dpa_baseline_count(void) { return baseline::methods().size(); }

const char *dpa_baseline_name(size_t index) {
    return index < dpa_baseline_count() ? baseline::methods()[index].name : nullptr;
}

const char *dpa_baseline_doc(size_t index) {
    return index < dpa_baseline_count() ? baseline::methods()[index].doc : nullptr;
}

dpa_status dpa_baseline_solve(dpa_problem *problem, const char *method, const dpa_options *options,
                              dpa_solution **out) {
    return guard("dpa_baseline_solve", [&] {
        dpa_solution *&result = output(out);
        (void)both_samples(problem);
        const baseline::MethodSpec &spec = baseline::find_method(&required(method, "method"));
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        Caller caller(used);
        const Usage::Hold hold(problem->usage, spec.is_private);
        auto handle = std::make_unique<dpa_solution>();
        handle->value = fit_baseline(*problem, spec, used.values, caller);
        result = handle.release();
    });
}

dpa_status dpa_baseline_plan(const dpa_problem *problem, const char *method,
                             const dpa_options *options, dpa_plan **out) {
    return guard("dpa_baseline_plan", [&] {
        dpa_plan *&result = output(out);
        const Usage::Hold hold(checked(problem, "problem").usage, false);
        const auto &[source, target] = both_samples(problem);
        const baseline::MethodSpec &spec = baseline::find_method(&required(method, "method"));
        if (!spec.is_private)
            throw Error(DPA_E_OPTION, std::string("baseline ") + spec.name +
                                          " protects nobody: there is nothing to plan");
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        const Settings settings = settings_for(spec, used.values);
        Caller caller(used);
        const auto call = baseline::prepare_private(spec, source, target, settings, caller);
        auto handle = std::make_unique<dpa_plan>();
        handle->value = call->plan();
        handle->facts = facts_of(spec, *call, source.features());
        result = handle.release();
    });
}
