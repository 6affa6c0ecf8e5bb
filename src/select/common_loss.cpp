#include "select/common_loss.hpp"

#include "base/error.hpp"

namespace dpadapt::select {

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
    if (wanted != SelectionLoss::automatic) return wanted;
    if (!all && classifiers != 0)
        throw Error(DPA_E_OPTION,
                    "option selection_loss must be given: some candidates are classifiers, and "
                    "some are not");
    return all ? SelectionLoss::error : SelectionLoss::squared;
}

}  // namespace dpadapt::select
