#include "select/private_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/permute_and_flip.hpp"
#include "solution/predict.hpp"

namespace dpadapt::select {

namespace {

double bound_of(const SelectionSettings &settings, SelectionLoss loss) {
    if (settings.bound) return *settings.bound;
    if (loss == SelectionLoss::error) return 1.0;
    throw Error(DPA_E_OPTION,
                "option selection_bound must be a number: private losses are clipped to it");
}

double epsilon_of(const SelectionSettings &settings) {
    if (settings.epsilon) return *settings.epsilon;
    throw Error(DPA_E_OPTION,
                "option selection_epsilon must be set, there is no default for it (or set "
                "private_domain to none to select without any privacy protection)");
}

void check_labels(const Solution &candidate, const Sample &rows) {
    const auto loss = loss::make_loss(candidate.loss, loss::Reading::public_records);
    for (std::size_t i = 0; i < rows.rows(); ++i)
        if (!loss->accepts(rows.y()[i]))
            throw Error(DPA_E_LABEL, "validation row " + std::to_string(i) + ": the label " +
                                         to_text(rows.y()[i]) +
                                         " has no meaning for selection_loss = logistic");
}

}  // namespace

PrivateSelection::PrivateSelection(const Sample &rows, const Settings &settings, SelectionLoss loss,
                                   std::size_t candidates)
    : PaidCall(settings),
      rows_(rows, settings),
      loss_(loss),
      bound_(bound_of(settings.selection, loss)) {
    sums::Tally::check(rows_.rows());
    const double epsilon = epsilon_of(settings.selection);
    privacy::Plan plan;
    plan.releases = {privacy::plan_selection(epsilon, bound_, candidates, privacy::kTarget,
                                             settings.privacy.neighbours)};
    plan.total = plan.releases.front().cost();
    plan.budget = privacy::certify_budget(epsilon, 0.0, plan.total, settings.privacy.neighbours);
    set_plan(std::move(plan));
}

std::size_t PrivateSelection::release(std::span<const Solution *const> candidates, Control &control,
                                      privacy::ReleaseTrace *trace) const {
    random::Stream stream(key(), random::Purpose::selector, 0, 0);
    records::ScoreTask task{{}, loss_, bound_};
    for (const Solution *candidate : candidates)
        task.candidates.push_back(predictor_of(*candidate));
    const sums::Tally sums = rows_.sum(task, [&](std::size_t done) {
        control.report({"selection", done, candidates.size()});
    });
    const std::span<const std::int64_t> scores = sums.sums();
    const std::size_t chosen = privacy::permute_and_flip(scores, plan().releases.front(), stream);
    if (trace == nullptr) return chosen;
    return static_cast<std::size_t>(
        trace->on_release(random::Purpose::selector, 0, scores, {static_cast<double>(chosen)})
            .front());
}

double mean_loss(const Solution &candidate, const Sample &rows, SelectionLoss loss) {
    if (loss == SelectionLoss::logistic) check_labels(candidate, rows);
    const std::vector<double> losses =
        validation_losses(candidate, rows, loss, Evaluation::in_blocks);
    const std::vector<double> weights = rows.relative_weights();
    double sum = 0.0;
    for (std::size_t i = 0; i < losses.size(); ++i)
        sum += weights.empty() ? losses[i] : weights[i] == 0.0 ? 0.0 : weights[i] * losses[i];
    return std::isfinite(sum) ? sum / static_cast<double>(rows.rows())
                              : std::numeric_limits<double>::infinity();
}

std::size_t least_mean(std::span<const double> means) {
    const auto least = std::min_element(means.begin(), means.end());
    if (least == means.end() || !std::isfinite(*least))
        throw Error(DPA_E_NUMERICAL, "no candidate has a finite loss on the validation rows");
    return static_cast<std::size_t>(least - means.begin());
}

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
    const auto times = static_cast<std::size_t>(
        std::ranges::count(candidates, loss::Kind::survival, &loss::Choice::kind));
    const bool own = wanted == SelectionLoss::automatic || wanted == SelectionLoss::logistic;
    if (times > 0 && (times < candidates.size() || !own))
        throw Error(DPA_E_UNSUPPORTED,
                    "fits by loss = survival are chosen among themselves, by their own likelihood: "
                    "selection_loss = logistic");
    if (times > 0) return SelectionLoss::logistic;
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
