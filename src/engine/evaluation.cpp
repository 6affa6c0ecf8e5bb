#include "engine/evaluation.hpp"

#include <cmath>

#include "engine/candidates.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "evaluate/calibrate.hpp"
#include "evaluate/private_evaluation.hpp"

namespace dpadapt::engine {
namespace {

/** Which weights of rows a call follows. */
enum class Weights { refused, of_public_rows };

/** A call about solutions and the target sample of `rows`, which none of them has seen, before it
 *  pays or reads. */
class UnseenRows {
  public:
    UnseenRows(Problem &rows, std::span<const Solution *const> solutions,
               const OptionValues &values, Weights followed)
        : settings(make_settings(values, Wanted::fit)),
          rows_(rows),
          hold_(rows.usage, settings.privacy.domains != 0) {
        if (followed == Weights::of_public_rows)
            check_unseen_weights(rows, settings, "a private evaluation");
        else
            refuse_row_weights(rows, "a calibration");
        rows.admit(settings.privacy, values,
                   followed == Weights::of_public_rows ? "evaluate" : "calibrate",
                   models(solutions));
        for (const Solution *solution : solutions)
            check_features(target(), solution->features(), "every solution");
        evaluate::check_measurable(solutions);
    }

    [[nodiscard]] bool are_private() const {
        return (settings.privacy.domains & privacy::kTarget) != 0;
    }
    [[nodiscard]] const Sample &target() const { return rows_.target("rows"); }
    /** Public rows beside private ones; null: there are none. */
    [[nodiscard]] const Sample *reference() const {
        if (settings.privacy.domains != privacy::kTarget || !rows_.has_source()) return nullptr;
        return &check_finite(rows_.source(), "source", settings.threads);
    }
    [[nodiscard]] const Sample &public_target() {
        rows_.use_public_target(settings.privacy);
        return check_finite(check_labelled(target()), "rows", settings.threads);
    }

    Settings settings;

  private:
    Problem &rows_;
    const Usage::Hold hold_;
};

/** Labels must be seen, and a saved predictor carries its promise: no calibration with less joins
 *  it. */
void check_promise(const Solution &solution, const UnseenRows &unseen) {
    if (solution.loss.kind == loss::Kind::survival)
        throw Error(DPA_E_UNSUPPORTED,
                    "a calibration needs fully observed labels, but times are censored: fit with "
                    "inference = yes for intervals of the survival curves");
    const PrivacyRecord &promise = solution.privacy;
    if (promise.protection != Protection::guaranteed) return;
    if (!unseen.are_private() || unseen.settings.privacy.unsafe_seed)
        throw Error(DPA_E_OPTION,
                    "the solution is private, and its promise would cover rows that nothing "
                    "protects: a calibration needs private_domain = target and no unsafe_seed");
    if (promise.statement->facts.persons && unseen.target().persons() == nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the solution protects persons, so its calibration needs the persons of its "
                    "rows");
    // mutant: calibration_of_other_neighbours
    if (unseen.settings.privacy.neighbours != promise.neighbours())
        throw Error(DPA_E_OPTION, std::string("the solution has neighbours = ") +
                                      privacy::name_of(promise.neighbours()) +
                                      ", so its calibration needs the same");
}

/** Its report lists all private rows that a model holds anything of. */
void add_to_report(Solution &solution, const PrivacySettings &settings) {
    if (solution.privacy.statement == nullptr) return;
    const Calibration &table = solution.calibration;
    privacy::Statement statement = *solution.privacy.statement;
    const bool is_private = std::isfinite(table.epsilon);
    Document told;
    told.set("private", is_private && !table.seeded)
        .set("epsilon", table.epsilon)
        .set("delta", table.delta)
        .set("unit", table.persons ? "person" : "record")
        .set("rows", std::llround(table.count))
        .set("relation", privacy::name_of(settings.neighbours));
    statement.facts.call.replace("calibration_of_intervals", std::move(told));
    solution.privacy.statement = std::make_shared<const privacy::Statement>(std::move(statement));
}

}  // namespace

evaluate::Measured evaluate_solutions(Problem &rows, std::span<const Solution *const> solutions,
                                      const OptionValues &values, Control &control) {
    UnseenRows unseen(rows, solutions, values, Weights::of_public_rows);
    control.report({"evaluation", 0, 1});
    if (!unseen.are_private())
        return evaluate::evaluate_publicly(unseen.public_target(), solutions,
                                           unseen.settings.evaluation.confidence);
    evaluate::PrivateEvaluation evaluation(unseen.target(), unseen.reference(), unseen.settings,
                                           solutions);
    evaluation.charge(rows.ledger);
    return evaluation.release(control);
}

Solution calibrate(Problem &rows, const Solution &solution, const OptionValues &values,
                   Control &control) {
    const Solution *one = &solution;
    UnseenRows unseen(rows, {&one, 1}, values, Weights::refused);
    check_promise(solution, unseen);
    Solution calibrated = solution;
    control.report({"evaluation", 0, 1});
    if (!unseen.are_private()) {
        calibrated.calibration =
            evaluate::calibrate_publicly(unseen.public_target(), unseen.settings, solution);
    } else {
        evaluate::PrivateCalibration calibration(unseen.target(), unseen.reference(),
                                                 unseen.settings, solution);
        calibration.charge(rows.ledger);
        calibrated.calibration = calibration.release();
    }
    add_to_report(calibrated, unseen.settings.privacy);
    return calibrated;
}

}  // namespace dpadapt::engine
