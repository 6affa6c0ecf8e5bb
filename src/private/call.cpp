#include "private/call.hpp"

#include <cmath>
#include <initializer_list>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "discrepancy/private_estimate.hpp"

namespace dpadapt {
namespace {

/** What a fit needs from the options where no sample is public. */
void check_numbers(const PrivateProblem &problem, const PrivacySettings &settings) {
    if (problem.public_sample() != nullptr) return;
    const bool profile = settings.method == Method::profile;
    const auto check = [](const char *name, bool given) {
        if (given) return;
        throw Error(DPA_E_OPTION, std::string("option ") + name +
                                      " must be a number when both samples are private: no public "
                                      "data can supply it");
    };
    check("kappa_1", !std::isnan(problem.hyperparameters().kappa_1));
    check("feature_radius", std::isfinite(problem.record_radius()));
    check("clip_bound", settings.clip_bound || !profile);
}

/** What the public rows show by themselves is seen before it is paid for. */
void check_losses(const PublicSample *sample) {
    if (sample == nullptr) return;
    std::vector<double> losses(sample->rows().rows());
    sample->loss_rows().losses(sample->fit(), losses.data());
    if (!std::isfinite(std::accumulate(losses.begin(), losses.end(), 0.0)))
        throw Error(DPA_E_NUMERICAL, "the losses of the public sample overflow; scale the data");
}

/** Predictions can be compared without labels, losses cannot. */
void check_labels(const Sample &source, const Sample &target, const Settings &settings,
                  Wanted wanted) {
    if (wanted == Wanted::discrepancy && settings.discrepancy_kind == DiscrepancyKind::unlabelled)
        return;
    const char *what =
        wanted == Wanted::discrepancy ? "discrepancy_kind = labelled" : "a private fit";
    if (source.unlabelled() || target.unlabelled()) refuse_unlabelled(what);
}

/** The paper's method clips to B and G, and its steps follow from beta. */
void check_bounds(const loss::Bounds &bounds) {
    if (!std::isfinite(bounds.value) || !std::isfinite(bounds.lipschitz) ||
        !std::isfinite(bounds.smoothness))
        throw Error(DPA_E_OPTION,
                    "method = paper needs finite bounds of the loss, its gradient and its Hessian: "
                    "feature_radius and label_bound must be given, and for loss = custom all "
                    "three bounds of the function");
    if (!(bounds.value > 0.0))
        throw Error(DPA_E_OPTION, "the bound of the loss is 0: there is nothing to fit");
}

/** Beyond these sizes a private discrepancy could overflow or vanish for some records and not for
 *  others. */
void check_scale(std::initializer_list<double> sizes) {
    constexpr double kLeastSize = 1e-60;
    constexpr double kMostSize = 1e60;
    for (const double size : sizes)
        if (size != 0.0 && !(size >= kLeastSize && size <= kMostSize))
            throw Error(DPA_E_OPTION,
                        "the bounds of a private discrepancy must be between 1e-60 and "
                        "1e60: scale features and labels");
}

/** Rows that stand for more of them elsewhere do not span what these do. */
Part part_of(const Sample &source, const Sample &target, const Settings &settings, Wanted wanted) {
    if (wanted == Wanted::discrepancy) return Part::whole;
    const bool all = source.population() == nullptr && target.population() == nullptr;
    return private_part(settings, {source.units(), target.units(), all ? source.features() : 0});
}

}  // namespace

PrivateCall::PrivateCall(const Sample &source, const Sample &target, const Settings &settings,
                         Wanted wanted, Control &control)
    : ProblemCall(source,
                  (check_persons(target, settings, wanted),
                   check_inference(target, settings, wanted), target),
                  settings, control, part_of(source, target, settings, wanted)),
      source_(source),
      target_(target) {
    check_labels(source, target, settings, wanted);
    if (settings.privacy.method == Method::paper && wanted != Wanted::discrepancy)
        problem().check_numbered("method = paper");
    const bool exact = has_exact_discrepancy(settings.loss.kind);
    if (exact) own_facts().center_norm = arma::norm(discrepancy_ball(problem(), settings).center);
    if (!exact && releases_discrepancy(settings, wanted)) {
        finite_.emplace(problem(), settings, control);
        own_facts().general_bound = finite_->bound;
    }
    if (wanted != Wanted::discrepancy) check_numbers(problem(), settings.privacy);
    if (wanted != Wanted::discrepancy) check_losses(problem().public_sample());
    if (settings.own_columns == OwnColumnsKind::regressed && wanted != Wanted::discrepancy)
        own_columns_.emplace(source, settings.own_spread);
    request_ = plan_request(settings, facts(), wanted);
    if (request_.discrepancy && finite_) check_scale({finite_->bound});
    if (request_.discrepancy && !finite_)
        check_scale({facts().record_radius, facts().label_bound, facts().radius,
                     facts().center_norm, request_.discrepancy_bound});
    if (settings.privacy.method == Method::paper && settings.penalty == PenaltyKind::linear &&
        wanted != Wanted::discrepancy)
        check_bounds(facts().bounds);
    if (settings.privacy.method == Method::paper && !(facts().bounds.lipschitz > 0.0))
        throw Error(DPA_E_OPTION,
                    "the bounds of features and labels are 0: there is nothing to fit");
    if (request_.discrepancy)
        request_.least_tolerance =
            finite_ ? finite_->least_tolerance()
                    : least_tolerance(problem(), settings, request_.discrepancy_bound);
    set_plan(privacy::make_plan(request_));
}

PrivateCall::PrivateCall(const PrivateCall &paid, const Sample &source)
    : ProblemCall(source, paid.target_, paid.settings(), paid.control(),
                  part_of(source, paid.target_, paid.settings(), Wanted::fit)),
      source_(source),
      target_(paid.target_),
      request_(paid.request_) {
    continue_call(paid);
}

double PrivateCall::further_numbers() const {
    constexpr double kMatrices = 4.0;  // the matrix, its eigenvectors and what finds them
    if (plan().steps == 0 || settings().privacy.method != Method::profile ||
        problem().public_sample() == nullptr || !uses_hessian(settings()))
        return 0.0;
    const auto d = static_cast<double>(problem().dimension());
    return kMatrices * d * d;
}

double PrivateCall::release_discrepancy(privacy::ReleaseTrace *trace) const {
    if (finite_)
        return release_general_discrepancy(problem(), *finite_, plan(), key(), control(), trace);
    return dpadapt::release_discrepancy(problem(), settings(), plan(), request_.discrepancy_bound,
                                        key(), control(), trace);
}

}  // namespace dpadapt
