#include <dpadapt/select.h>

#include <limits>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "capi/selection.hpp"
#include "select/least_mean.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

std::vector<const Solution *> solutions(const dpa_solution *const *candidates, std::size_t count) {
    constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
    if (count == 0) throw Error(DPA_E_EMPTY, "count must be at least 1, but is 0");
    if (count > kMost) throw Error(DPA_E_OVERFLOW, "count must be below 2^31");
    required(candidates, "candidates");
    std::vector<const Solution *> list(count);
    for (std::size_t k = 0; k < count; ++k)
        list[k] = &checked(candidates[k], "every candidate").value;
    return list;
}

std::vector<loss::Choice> choices(std::span<const Solution *const> candidates) {
    std::vector<loss::Choice> list;
    for (const Solution *candidate : candidates) list.push_back(candidate->loss);
    return list;
}

std::size_t select_privately(dpa_problem &validation, std::span<const Solution *const> candidates,
                             const Settings &settings, Control &control) {
    const SelectionLoss loss = select::common_loss(choices(candidates), settings.selection.loss);
    select::PrivateSelection selection(*validation.target, settings, loss, candidates.size());
    selection.charge(validation.ledger);
    return selection.release(candidates, control);
}

}  // namespace

const Sample &dpadapt::capi::validation_rows(const dpa_problem *validation) {
    const dpa_problem &handle = checked(validation, "validation");
    if (!handle.target)
        throw Error(DPA_E_STATE, "validation has no target sample yet: its rows are needed");
    return *handle.target;
}

void dpadapt::capi::check_features(const Sample &rows, std::size_t features, const char *what) {
    if (rows.features() == features) return;
    throw Error(DPA_E_DIMENSION,
                std::string(what) + " must have the features of the validation rows, " +
                    std::to_string(rows.features()) + ", but has " + std::to_string(features));
}

std::vector<double> dpadapt::capi::mean_losses(dpa_problem &validation,
                                               std::span<const Solution *const> candidates,
                                               const Settings &settings, Control &control) {
    const SelectionLoss loss = select::common_loss(choices(candidates), settings.selection.loss);
    if (settings.privacy.domains == 0)
        validation.ledger.mark_unprotected();
    else
        validation.ledger.bind(settings.privacy.domains);  // its target is public
    const Sample &rows = check_finite(*validation.target, "validation", settings.threads);
    std::vector<double> means;
    for (const Solution *candidate : candidates) {
        control.report({"selection", static_cast<std::int64_t>(means.size()),
                        static_cast<std::int64_t>(candidates.size())});
        means.push_back(select::mean_loss(*candidate, rows, loss));
    }
    return means;
}

dpa_status dpa_select(dpa_problem *validation, const dpa_solution *const *candidates, size_t count,
                      const dpa_options *options, size_t *chosen) {
    return guard("dpa_select", [&] {
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        const Settings settings = make_settings(used.values, Wanted::fit);
        const Usage::Hold hold(checked(validation, "validation").usage,
                               settings.privacy.domains != 0);
        const Sample &rows = validation_rows(validation);
        const std::vector<const Solution *> list = solutions(candidates, count);
        for (const Solution *candidate : list)
            check_features(rows, candidate->features(), "every candidate");
        std::size_t &result = required(chosen, "chosen");
        Caller caller(used);
        result = selects_privately(settings)
                     ? select_privately(*validation, list, settings, caller)
                     : select::least_mean(mean_losses(*validation, list, settings, caller));
    });
}
