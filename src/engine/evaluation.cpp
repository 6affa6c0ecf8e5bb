#include "engine/evaluation.hpp"

#include "engine/candidates.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "evaluate/private_evaluation.hpp"

namespace dpadapt::engine {
namespace {

evaluate::Measured evaluate_privately(Problem &rows, std::span<const Solution *const> solutions,
                                      const Settings &settings, Control &control) {
    const bool reference = settings.privacy.domains == privacy::kTarget && rows.has_source();
    evaluate::PrivateEvaluation evaluation(
        rows.target(),
        reference ? &check_finite(rows.source(), "source", settings.threads) : nullptr, settings,
        solutions);
    evaluation.charge(rows.ledger);
    return evaluation.release(control);
}

}  // namespace

evaluate::Measured evaluate_solutions(Problem &rows, std::span<const Solution *const> solutions,
                                      const OptionValues &values, Control &control) {
    const Settings settings = make_settings(values, Wanted::fit);
    const Usage::Hold hold(rows.usage, settings.privacy.domains != 0);
    refuse_row_weights(rows, "an evaluation");
    rows.admit(settings.privacy, values);
    const Sample &target = rows.target("rows");
    for (const Solution *solution : solutions)
        check_features(target, solution->features(), "every solution");
    evaluate::check_measurable(solutions);
    if ((settings.privacy.domains & privacy::kTarget) != 0)
        return evaluate_privately(rows, solutions, settings, control);
    rows.use_public_target(settings.privacy);
    return evaluate::evaluate_publicly(check_finite(target, "rows", settings.threads), solutions,
                                       settings.evaluation.confidence);
}

}  // namespace dpadapt::engine
