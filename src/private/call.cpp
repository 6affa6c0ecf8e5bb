#include "private/call.hpp"

#include <cmath>
#include <initializer_list>
#include <string>

#include "base/error.hpp"
#include "base/memory.hpp"
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
    constexpr double kLeast = 1e-60;
    constexpr double kMost = 1e60;
    for (const double size : sizes)
        if (size != 0.0 && !(size >= kLeast && size <= kMost))
            throw Error(DPA_E_OPTION,
                        "the bounds of a private discrepancy must be between 1e-60 and "
                        "1e60: scale features and labels");
}

}  // namespace

PrivateCall::PrivateCall(const Sample &source, const Sample &target, const Settings &settings,
                         Wanted wanted, Control &control)
    : settings_(settings), control_(control), problem_(source, target, settings, control) {
    const bool exact = has_exact_discrepancy(settings.loss.kind);
    facts_ = {source.rows(),
              target.rows(),
              problem_.dimension(),
              problem_.hyperparameters().alpha,
              problem_.hyperparameters().radius,
              problem_.record_radius(),
              problem_.clipping().label_bound,
              exact ? arma::norm(discrepancy_ball(problem_, settings).center) : 0.0,
              problem_.loss().parameters(problem_.dimension())};
    facts_.bounds = loss_bounds(problem_.loss(), facts_);
    if (!exact && releases_discrepancy(settings, wanted)) {
        finite_.emplace(problem_, settings, control);
        facts_.general_bound = finite_->bound;
    }
    if (wanted != Wanted::discrepancy) check_numbers(problem_, settings.privacy);
    request_ = plan_request(settings, facts_, wanted);
    if (request_.discrepancy && finite_) check_scale({finite_->bound});
    if (request_.discrepancy && !finite_)
        check_scale({facts_.record_radius, facts_.label_bound, facts_.radius, facts_.center_norm,
                     request_.discrepancy_bound});
    if (settings.privacy.method == Method::paper && settings.penalty == PenaltyKind::linear &&
        wanted != Wanted::discrepancy)
        check_bounds(facts_.bounds);
    if (settings.privacy.method == Method::paper && !(facts_.bounds.lipschitz > 0.0))
        throw Error(DPA_E_OPTION,
                    "the bounds of features and labels are 0: there is nothing to fit");
    if (request_.discrepancy)
        request_.least_tolerance =
            finite_ ? finite_->least_tolerance()
                    : least_tolerance(problem_, settings, request_.discrepancy_bound);
    plan_ = privacy::make_plan(request_);
}

double PrivateCall::metric_numbers() const {
    constexpr double kMatrices = 4.0;  // the matrix, its eigenvectors and what finds them
    if (plan_.steps == 0 || settings_.privacy.method != Method::profile ||
        problem_.public_sample() == nullptr || !uses_hessian(settings_))
        return 0.0;
    const auto d = static_cast<double>(problem_.dimension());
    return kMatrices * d * d;
}

void PrivateCall::charge(privacy::Ledger &ledger) {
    check_memory(metric_numbers());
    payment_.charge(plan_, settings_.privacy, ledger);
}

double PrivateCall::release_discrepancy(privacy::ReleaseTrace *trace) const {
    if (finite_)
        return release_general_discrepancy(problem_, *finite_, settings_, plan_, key(), control_,
                                           trace);
    return dpadapt::release_discrepancy(problem_, settings_, plan_, request_.discrepancy_bound,
                                        key(), control_, trace);
}

}  // namespace dpadapt
