#include "select/common_loss.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dpadapt::select {
namespace {

bool predicts_quantile(const loss::Choice &candidate) {
    return candidate.kind == loss::Kind::pinball;
}

bool predict_one_quantile(std::span<const loss::Choice> candidates) {
    if (candidates.empty()) return false;
    return std::all_of(candidates.begin(), candidates.end(), [&](const loss::Choice &candidate) {
        return predicts_quantile(candidate) &&
               candidate.quantile_level == candidates.front().quantile_level;
    });
}

}  // namespace

SelectionLoss common_loss(std::span<const loss::Choice> candidates, SelectionLoss wanted) {
    std::size_t classifiers = 0;
    for (const loss::Choice &candidate : candidates) {
        if (candidate.kind == loss::Kind::custom)
            throw Error(DPA_E_UNSUPPORTED,
                        "the loss is a function of the caller, who alone knows what a candidate "
                        "predicts");
        if (loss::predicts_classes(candidate)) ++classifiers;
    }
    const bool all = classifiers == candidates.size();
    if (wanted == SelectionLoss::logistic && !all)
        throw Error(
            DPA_E_UNSUPPORTED,
            "selection_loss = logistic needs probabilities, but a candidate has no classes");
    const bool one_quantile = predict_one_quantile(candidates);
    if (wanted == SelectionLoss::pinball && !one_quantile)
        throw Error(DPA_E_UNSUPPORTED,
                    "selection_loss = pinball needs candidates of the pinball loss and of one "
                    "quantile_level");
    if (wanted != SelectionLoss::automatic) return wanted;
    if (one_quantile) return SelectionLoss::pinball;
    if (std::any_of(candidates.begin(), candidates.end(), predicts_quantile))
        throw Error(DPA_E_OPTION,
                    "option selection_loss must be given: some candidates predict quantiles, and "
                    "not all of them that of one quantile_level");
    if (!all && classifiers != 0)
        throw Error(DPA_E_OPTION,
                    "option selection_loss must be given: some candidates are classifiers, and "
                    "some are not");
    return all ? SelectionLoss::error : SelectionLoss::squared;
}

}  // namespace dpadapt::select
