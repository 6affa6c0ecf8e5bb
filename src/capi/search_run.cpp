#include <dpadapt/select.h>

#include "base/text.hpp"
#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/candidates.hpp"
#include "capi/guard.hpp"
#include "capi/selection.hpp"
#include "select/least_mean.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

/** For the report of a fit, whose promise is about the records that it was fitted on. */
std::string choice_in_words(std::size_t candidates, const dpa_problem &validation,
                            const Settings &settings) {
    return "one of " + std::to_string(candidates) + " fits, chosen by " +
           std::to_string(validation.target->rows()) +
           " private validation rows at selection_epsilon = " +
           to_text(*settings.selection.epsilon) +
           ": the promise above does not cover these rows, which have the budget and the report of "
           "their own problem";
}

/** What all candidates share. The other options need not go together before a point of the grid is
 *  set in them. */
Settings common_settings(const OptionValues &values) {
    OptionValues common;
    for (const Option option : kCommonOptions) common.parse(option, values.text(option));
    common.parse(Option::threads, values.text(Option::threads));
    return make_settings(common, Wanted::fit);
}

SearchTable run_plainly(Candidates &candidates, dpa_problem &validation, const Settings &settings,
                        Control &control, Solution &best) {
    (void)check_finite(*validation.target, "validation", settings.threads);
    const bool may_leave_out = settings.privacy.domains == 0;
    (void)select::common_loss(candidates.choices(may_leave_out), settings.selection.loss);
    if (settings.privacy.domains != 0) candidates.check_prices();
    candidates.fit_all(may_leave_out, {});
    const std::vector<double> means = mean_losses(validation, candidates.fits(), settings, control);
    const std::size_t chosen = select::least_mean(means);
    best = candidates.take(chosen);
    return candidates.table(chosen, means);
}

SearchTable run_privately(Candidates &candidates, dpa_problem &validation, const Settings &settings,
                          Control &control, Solution &best) {
    const std::vector<loss::Choice> choices = candidates.choices(false);
    const SelectionLoss loss = select::common_loss(choices, settings.selection.loss);
    select::PrivateSelection selection(*validation.target, settings, loss, choices.size());
    check_price(validation.ledger, selection.plan().budget, selection.plan().releases);
    candidates.check_prices();
    candidates.fit_all(false, choice_in_words(choices.size(), validation, settings));
    selection.charge(validation.ledger);
    const std::size_t chosen = selection.release(candidates.fits(), control);
    best = candidates.take(chosen);
    return candidates.table(chosen, {});
}

}  // namespace

dpa_status dpa_search_run(dpa_search *search, dpa_problem *problem, dpa_problem *validation,
                          const char *method, const dpa_options *options, dpa_solution **out) {
    return guard("dpa_search_run", [&] {
        dpa_solution *&result = output(out);
        dpa_search &own = checked(search, "search");
        dpa_problem &fitted = checked(problem, "problem");
        dpa_problem &rows = checked(validation, "validation");
        if (problem == validation)
            throw Error(DPA_E_INVALID_ARGUMENT, "validation must be another problem than problem");
        const dpa_options defaults;
        const dpa_options used =
            options_or_defaults(options, defaults);  // a callback may change them
        const baseline::MethodSpec *spec =
            method == nullptr ? nullptr : &baseline::find_method(method);
        const Settings settings = common_settings(used.values);
        const bool exclusive = settings.privacy.domains != 0;
        const Usage::Hold search_hold(own.usage, true);
        const Usage::Hold hold(fitted.usage, exclusive);
        const Usage::Hold validation_hold(rows.usage, exclusive);
        check_features(validation_rows(validation), both_samples(problem).first.features(),
                       "problem");
        if (exclusive)
            for (dpa_problem *each : {&fitted, &rows})
                each->ledger.check_domains(settings.privacy.domains);
        Caller caller(used);
        auto handle = std::make_unique<dpa_solution>();
        Candidates candidates(own.grid, fitted, spec, used.values, caller);
        const auto run = selects_privately(settings) ? run_privately : run_plainly;
        own.table = run(candidates, rows, settings, caller, handle->value);
        result = handle.release();
    });
}
