#include "engine/selection.hpp"

#include "engine/row_weights.hpp"
#include "engine/settings.hpp"
#include "select/least_mean.hpp"

namespace dpadapt::engine {
namespace {

SelectionLoss common_loss(std::span<const Solution *const> candidates, const Settings &settings) {
    std::vector<loss::Choice> choices;
    for (const Solution *candidate : candidates) choices.push_back(candidate->loss);
    return select::common_loss(choices, settings.selection.loss);
}

std::size_t select_privately(Problem &validation, std::span<const Solution *const> candidates,
                             const Settings &settings, Control &control) {
    select::PrivateSelection selection(validation.target(), settings,
                                       common_loss(candidates, settings), candidates.size());
    selection.charge(validation.ledger);
    return selection.release(candidates, control);
}

}  // namespace

void check_features(const Sample &rows, std::size_t features, const char *what) {
    if (rows.features() == features) return;
    throw Error(DPA_E_DIMENSION,
                std::string(what) + " must have the features of the validation rows, " +
                    std::to_string(rows.features()) + ", but has " + std::to_string(features));
}

bool selects_privately(const Settings &settings) {
    return (settings.privacy.domains & privacy::kTarget) != 0;
}

std::vector<double> mean_losses(Problem &validation, std::span<const Solution *const> candidates,
                                const Settings &settings, Control &control) {
    const SelectionLoss loss = common_loss(candidates, settings);
    validation.use_public_target(settings.privacy);
    const Sample &rows = check_finite(validation.target(), "validation", settings.threads);
    std::vector<double> means;
    for (const Solution *candidate : candidates) {
        control.report({"selection", static_cast<std::int64_t>(means.size()),
                        static_cast<std::int64_t>(candidates.size())});
        means.push_back(select::mean_loss(*candidate, rows, loss));
    }
    return means;
}

std::size_t select(Problem &validation, std::span<const Solution *const> candidates,
                   const OptionValues &values, Control &control) {
    const Settings settings = make_settings(values, Wanted::fit);
    const Usage::Hold hold(validation.usage, settings.privacy.domains != 0);
    refuse_row_weights(validation, "a selection");
    validation.admit(settings.privacy, values);
    const Sample &rows = validation.target("validation");
    for (const Solution *candidate : candidates)
        check_features(rows, candidate->features(), "every candidate");
    return selects_privately(settings)
               ? select_privately(validation, candidates, settings, control)
               : select::least_mean(mean_losses(validation, candidates, settings, control));
}

}  // namespace dpadapt::engine
