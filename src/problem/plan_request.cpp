#include "problem/plan_request.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "problem/defaults.hpp"
#include "problem/public_network.hpp"

namespace dpadapt {

namespace {

double square(double x) { return x * x; }

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
#define DPA_LOSS_NUMBER(type, name)                                       \
    if (loss::in_units_of_labels(loss::Number::name) && !settings.name) { \
        settings.name = static_cast<type>(1);                             \
        open = open || loss::has(choice, loss::Number::name);             \
    }
#include "loss/numbers.def"
    if (settings.kind != loss::Kind::survival) return open;
    settings.baseline = {{1.0}, {1.0}};
    return true;
}

double number_or_unknown(const Bound &bound) {
    return bound.kind == Bound::Kind::number ? bound.value : privacy::kUnknown;
}

}  // namespace

bool adapts_alpha(const Settings &settings) {
    constexpr privacy::Domains kBoth = privacy::kSource | privacy::kTarget;
    if (settings.privacy.method != Method::profile || settings.alpha) return false;
    if (settings.privacy.domains == kBoth)
        return loss::is_linear(settings.loss.kind) &&
               settings.privacy.metric != MetricKind::gradients;
    return settings.privacy.domains != 0;
}

bool couples_weights(const Settings &settings) {
    if (adapts_alpha(settings)) return false;
    return settings.penalty == PenaltyKind::linear
               ? settings.lambda_2 > 0.0 || settings.lambda_inf > 0.0
               : settings.kappa_2 > 0.0 || settings.kappa_inf > 0.0;
}

bool keeps_reference(const Settings &settings) {
    return settings.penalty == PenaltyKind::linear && !settings.lambda_1;
}

bool fits_last_layer(const Settings &settings) {
    return settings.loss.kind == loss::Kind::perceptron && adapts_alpha(settings) &&
           settings.privacy.metric != MetricKind::gradients;
}

Part private_part(const Settings &settings, const privacy::SampleSizes &sizes) {
    constexpr privacy::Domains kBoth = privacy::kSource | privacy::kTarget;
    if (fits_last_layer(settings)) return Part::last_layer;
    const bool span = adapts_alpha(settings) && settings.privacy.domains != kBoth &&
                      loss::is_linear(settings.loss.kind) && uses_hessian(settings) &&
                      settings.preprocess != PreprocessKind::whiten &&
                      settings.own_columns == OwnColumnsKind::constant &&
                      settings.inference != InferenceKind::yes &&
                      sizes.features > sizes.source_rows + sizes.target_rows;
    return span ? Part::span : Part::whole;
}

bool uses_hessian(const Settings &settings) {
    const bool linear = loss::is_linear(settings.loss.kind) || fits_last_layer(settings);
    const MetricKind usual = linear ? MetricKind::hessian : MetricKind::gradients;
    return settings.privacy.metric.value_or(usual) == MetricKind::hessian;
}

bool compares_anchors(const Settings &settings) {
    return adapts_alpha(settings) && settings.privacy.domains == privacy::kTarget &&
           uses_hessian(settings) && settings.privacy.anchor == AnchorKind::automatic;
}

privacy::Counted counted(const Settings &settings) {
    if (!adapts_alpha(settings)) return privacy::Counted::nothing;
    if (settings.privacy.domains == privacy::kTarget)
        return settings.privacy.labelled_share || sums_weights(settings)
                   ? privacy::Counted::nothing
                   : privacy::Counted::records;
    return settings.privacy.domains != privacy::kSource && settings.loss.kind == loss::Kind::squared
               ? privacy::Counted::short_terms
               : privacy::Counted::nothing;
}

bool releases_inference(const Settings &settings) {
    return settings.inference == InferenceKind::yes &&
           (settings.privacy.domains & privacy::kTarget) != 0;
}

void check_inference(const Sample &target, const Settings &settings, Wanted wanted) {
    if (settings.inference != InferenceKind::yes || wanted == Wanted::discrepancy) return;
    const auto refuse = [](const char *reason) {
        throw Error(DPA_E_UNSUPPORTED, std::string("option inference = yes: ") + reason);
    };
    if (wanted == Wanted::baseline) refuse("baselines have no intervals");
    if (!has_one_linear_score(settings)) refuse("intervals need a loss with one linear score");
    if (target.persons() != nullptr) refuse("intervals count records, and rows belong to persons");
    if ((settings.privacy.domains & privacy::kTarget) == 0) return;
    if (settings.loss.kind == loss::Kind::pinball)
        refuse(
            "intervals of a private target need a loss that is not pinball: of quantiles a "
            "clipped gradient vanishes elsewhere");
    if (!adapts_alpha(settings) || !uses_hessian(settings))
        refuse(
            "intervals of a private target need method = profile, alpha = auto, a public source "
            "and the metric of the Hessian");
}

bool has_one_linear_score(const Settings &settings) {
    return loss::is_linear(settings.loss.kind) && settings.loss.kind != loss::Kind::softmax;
}

bool releases_discrepancy(const Settings &settings, Wanted wanted) {
    if (wanted == Wanted::discrepancy) return true;
    // A discrepancy that no weight is charged with is not computed.
    return wanted == Wanted::fit && !settings.discrepancy && !adapts_alpha(settings) &&
           settings.alpha != 0.0 && !keeps_reference(settings);
}

bool sums_weights(const Settings &settings) {
    return settings.privacy.row_weight_bound && !settings.privacy.labelled_share;
}

void check_persons(const Sample &target, const Settings &settings, Wanted wanted) {
    const privacy::Domains domains = settings.privacy.domains;
    if (target.persons() == nullptr || (domains & privacy::kTarget) == 0) return;
    const auto refuse = [](const char *reason) {
        throw Error(DPA_E_UNSUPPORTED,
                    std::string("the target's rows belong to persons, but ") + reason);
    };
    if (domains != privacy::kTarget)
        refuse(
            "private_domain is both: only the target can have persons, and the source is public");
    if (wanted == Wanted::baseline || wanted == Wanted::discrepancy) return;
    if (settings.privacy.method == Method::paper)
        refuse("method = paper releases a weight for every record");
    if (couples_weights(settings))
        refuse("kappa_2, kappa_inf, lambda_2 and lambda_inf couple the weights of records");
}

double discrepancy_share(const Settings &settings, Wanted wanted, bool gradients) {
    if (settings.privacy.discrepancy_share) return *settings.privacy.discrepancy_share;
    if (wanted == Wanted::fit_with_given_discrepancy) return defaults::kDiscrepancyShare;
    if (!releases_discrepancy(settings, wanted)) return 0.0;
    return wanted == Wanted::fit && !gradients ? 1.0 : defaults::kDiscrepancyShare;
}

double unused_discrepancy_epsilon(const Settings &settings, Wanted wanted) {
    const PrivacySettings &privacy = settings.privacy;
    if (privacy.domains == 0 || wanted == Wanted::fit_with_given_discrepancy ||
        releases_discrepancy(settings, wanted))
        return 0.0;
    if (privacy.laplace_epsilon) return *privacy.laplace_epsilon;
    return privacy.discrepancy_share.value_or(0.0) * privacy.epsilon.value_or(1.0);
}

void check_discrepancy_share(const Settings &settings, Wanted wanted) {
    if (unused_discrepancy_epsilon(settings, wanted) == 0.0) return;
    const bool by_number = settings.privacy.laplace_epsilon.has_value();
    throw Error(DPA_E_OPTION,
                std::string("option ") + (by_number ? "laplace_epsilon" : "discrepancy_share") +
                    " keeps a part of epsilon for a discrepancy that this call does not release, "
                    "so nothing could spend it: leave it out (fits release one where alpha is a "
                    "number above 0 and the weights of records can change; a budget that several "
                    "calls share may keep some)");
}

bool needs_bounds(const Settings &settings, Wanted wanted) {
    if (wanted == Wanted::baseline) return true;
    if (settings.loss.kind == loss::Kind::custom) return false;
    return settings.privacy.method == Method::paper ||
           (has_exact_discrepancy(settings.loss.kind) && releases_discrepancy(settings, wanted));
}

double discrepancy_bound(const Settings &settings, const PlanFacts &facts) {
    if (!has_exact_discrepancy(settings.loss.kind)) return facts.general_bound;
    const double radius = settings.discrepancy_radius.value_or(facts.radius);
    if (settings.discrepancy_kind == DiscrepancyKind::unlabelled)
        return square(2.0 * radius * facts.record_radius);
    return square((facts.center_norm + radius) * facts.record_radius + facts.label_bound);
}

privacy::PlanRequest plan_request(const Settings &settings, const PlanFacts &facts, Wanted wanted) {
    const PrivacySettings &options = settings.privacy;
    privacy::PlanRequest request{options};
    request.source_rows = facts.source_rows;
    request.target_rows = facts.target_rows;
    request.dimension = facts.parameters;
    request.moments_dimension = facts.dimension;
    request.discrepancy = releases_discrepancy(settings, wanted);
    request.discrepancy_bound = discrepancy_bound(settings, facts);

    // Where alpha follows from the fit, gradients are of a private sample alone, or of each.
    const bool adapts = adapts_alpha(settings);
    request.apart = adapts;
    request.labelled_share = options.labelled_share.value_or(1.0);
    const auto weight_of = [&](privacy::Domains domain, double fixed, std::size_t rows) {
        const bool is_private = (options.domains & domain) != 0;
        const double share = !adapts ? fixed : is_private ? 1.0 : 0.0;
        return share / ((is_private ? request.labelled_share : 1.0) * static_cast<double>(rows));
    };
    request.source_weight = weight_of(privacy::kSource, facts.alpha, facts.source_rows);
    request.target_weight = weight_of(privacy::kTarget, 1.0 - facts.alpha, facts.target_rows);
    request.weighs_records = options.row_weight_bound.has_value();
    const bool gradients =
        wanted != Wanted::discrepancy && wanted != Wanted::baseline &&
        (((options.domains & privacy::kSource) != 0 && request.source_weight > 0.0) ||
         ((options.domains & privacy::kTarget) != 0 && request.target_weight > 0.0));
    request.discrepancy_share = discrepancy_share(settings, wanted, gradients);
    if (!gradients) return request;
    const bool paper = options.method == Method::paper;
    request.steps =
        settings.iterations.value_or(paper ? defaults::kPaperSteps : defaults::kPrivateSteps);
    // Of a term in units of p_i: of a gradient, or of half a gradient in units of C.
    request.clip = paper ? facts.bounds.lipschitz : couples_weights(settings) ? kCoupledTerm : 1.0;
    request.sums_weights = sums_weights(settings);
    request.weights = paper;
    if (!paper && uses_hessian(settings) && options.calibration == privacy::Calibration::exact)
        request.moments_share = options.moments_share;
    if (compares_anchors(settings)) {
        request.candidates = 1 + defaults::kAnchorRidges.size();
        if (loss::predicts_classes({.kind = settings.loss.kind, .output = settings.loss.output}))
            ++request.candidates;  // zero
        request.counts_labels = !options.labelled_share && !request.sums_weights;
        request.comparison_share = options.anchor_share;
    }
    if (settings.own_columns == OwnColumnsKind::regressed)
        request.own_columns_share = defaults::kOwnColumnsShare;
    if (releases_inference(settings)) request.inference_share = defaults::kInferenceShare;
    request.loss_bound = facts.bounds.value;
    request.extra_coordinates = !paper && couples_weights(settings) ? 2 : 0;
    request.counts = counted(settings);
    return request;
}

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
        facts.dimension = widen(settings.loss.hidden_units, features).units.back() + 1;
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
