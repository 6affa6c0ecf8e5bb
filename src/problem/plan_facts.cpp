#include "problem/plan_facts.hpp"

#include <cmath>

#include "problem/plan_request.hpp"
#include "problem/public_loss.hpp"

namespace dpadapt {
namespace {

/** Of that loss over the ball of predictors and the records that are clipped to the facts'
 *  bounds. */
loss::Bounds loss_bounds(const loss::Loss &loss, const PlanFacts &facts) {
    return loss.bounds({facts.radius, facts.record_radius,
                        std::isnan(facts.label_bound) ? 0.0 : facts.label_bound});
}

/** Numbers in units of labels, on which no size depends; whether the loss has an open one. */
bool fill_open_scales(LossSettings &settings) {
    const loss::Choice choice{.kind = settings.kind, .output = settings.output};
    bool open = false;
#define DPA_LOSS_NUMBER(type, name, scales)                   \
    if ((scales) > 0.0 && !settings.name) {                   \
        settings.name = static_cast<type>(1);                 \
        open = open || loss::has(choice, loss::Number::name); \
    }
#include "loss/numbers.def"
    return open;
}

double number_or_unknown(const Bound &bound) {
    return bound.kind == Bound::Kind::number ? bound.value : privacy::kUnknown;
}

}  // namespace

PlanFacts plan_facts(const PrivateProblem &problem) {
    const loss::Loss &loss = problem.loss();
    PlanFacts facts;
    facts.source_rows = problem.rows(privacy::kSource);
    facts.target_rows = problem.rows(privacy::kTarget);
    facts.persons = problem.protects_persons();
    facts.dimension = problem.dimension();
    facts.alpha = problem.hyperparameters().alpha;
    facts.radius = problem.hyperparameters().radius;
    facts.record_radius = problem.record_radius();
    facts.label_bound = problem.clipping().label_bound;
    facts.parameters = loss.parameters(facts.dimension);
    facts.bounds = loss_bounds(loss, facts);
    return facts;
}

PlanFacts plan_facts(const Settings &settings, std::size_t source_rows, std::size_t target_rows,
                     std::size_t features) {
    PlanFacts facts;
    facts.source_rows = source_rows;
    facts.target_rows = target_rows;
    facts.dimension = features + (settings.intercept ? 1 : 0);
    facts.alpha = settings.alpha ? *settings.alpha : default_alpha(source_rows, target_rows);
    facts.radius = settings.radius.value_or(privacy::kUnknown);
    facts.record_radius =
        std::hypot(number_or_unknown(settings.feature_radius), settings.intercept ? 1.0 : 0.0);
    facts.label_bound = number_or_unknown(settings.label_bound);
    if (settings.center_kind != CenterKind::zero) facts.center_norm = privacy::kUnknown;
    LossSettings known = settings.loss;
    const Part part = private_part(settings, {source_rows, target_rows, features});
    if (part == Part::span)
        facts.dimension -=
            features - (settings.privacy.domains == privacy::kTarget ? source_rows : target_rows);
    if (part == Part::last_layer) {
        facts.dimension = last_hidden_units(settings.loss.hidden_units) + 1;
        facts.record_radius = std::sqrt(static_cast<double>(facts.dimension));
        known = last_layer_loss(settings.loss);
    }
    const bool scaled = fill_open_scales(known);
    const auto loss =
        loss::make_loss(choose_loss(known, "for a plan that is made without the public data"),
                        loss::Reading::private_records);
    facts.parameters = loss->parameters(facts.dimension);
    if (scaled) return facts;
    facts.bounds = loss_bounds(*loss, facts);
    if (!has_exact_discrepancy(settings.loss.kind) &&
        settings.privacy.domains == (privacy::kSource | privacy::kTarget) &&
        settings.center_kind == CenterKind::zero) {
        PlanFacts ball = facts;
        ball.radius = settings.discrepancy_radius.value_or(facts.radius);
        facts.general_bound = loss_bounds(*loss, ball).value;
    }
    return facts;
}

}  // namespace dpadapt
