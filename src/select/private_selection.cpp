#include "select/private_selection.hpp"

#include "base/error.hpp"
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

}  // namespace

PrivateSelection::PrivateSelection(const Sample &rows, const Settings &settings, SelectionLoss loss,
                                   std::size_t candidates)
    : PaidCall(settings),
      rows_(rows, {}, settings.threads,
            settings.privacy.rows_per_person.value_or(records::kAllRows)),
      loss_(loss),
      bound_(bound_of(settings.selection, loss)) {
    records::Tally::check(rows_.rows());
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
    const records::Tally sums = rows_.sum(task, [&](std::size_t done) {
        control.report({"selection", static_cast<std::int64_t>(done),
                        static_cast<std::int64_t>(candidates.size())});
    });
    const std::vector<std::int64_t> &scores = sums.sums();
    const std::size_t chosen = privacy::permute_and_flip(scores, plan().releases.front(), stream);
    if (trace == nullptr) return chosen;
    return static_cast<std::size_t>(
        trace->on_release(random::Purpose::selector, 0, scores, {static_cast<double>(chosen)})
            .front());
}

}  // namespace dpadapt::select
