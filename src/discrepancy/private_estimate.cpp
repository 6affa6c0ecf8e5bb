#include "discrepancy/private_estimate.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "discrepancy/certified.hpp"
#include "random/noise.hpp"
#include "records/reader.hpp"

namespace dpadapt {

namespace {

/** Distance from the origin within which the compared predictors lie. */
double reach(const DiscrepancyBall &ball, const Settings &settings) {
    return settings.discrepancy_kind == DiscrepancyKind::unlabelled
               ? 2.0 * ball.radius
               : arma::norm(ball.center) + ball.radius;
}

/** Predictions are compared without labels. */
Moments private_moments(const PrivateProblem &problem, privacy::Domains domain,
                        DiscrepancyKind kind) {
    const double label_bound =
        kind == DiscrepancyKind::unlabelled ? 0.0 : problem.clipping().label_bound;
    const records::MomentTask task{problem.record_radius(), label_bound};
    const records::Reader rows(problem, domain, {}, unlabelled_records(task));
    return to_moments(rows.sum(task).means());
}

}  // namespace

DiscrepancyBall discrepancy_ball(const PrivateProblem &problem, const Settings &settings) {
    const PublicSample *sample = problem.public_sample();
    return {center_of_ball(problem.preprocess(), sample != nullptr ? sample->fit() : arma::vec(),
                           settings),
            settings.discrepancy_radius.value_or(problem.hyperparameters().radius)};
}

double least_tolerance(const PrivateProblem &problem, const Settings &settings, double loss_bound) {
    const DiscrepancyBall ball = discrepancy_ball(problem, settings);
    if (ball.radius != 0.0 && !is_moderate(ball.radius))
        throw Error(DPA_E_OPTION,
                    "the radius of a private discrepancy must be 0 or between 1e-60 and 1e60");
    double bound = loss_bound;
    if (const PublicSample *sample = problem.public_sample())
        bound = std::max(bound, loss_size(sample->moments(), reach(ball, settings)));
    return proven_rounding(problem.dimension(), bound);
}

double release_discrepancy(const PrivateProblem &problem, const Settings &settings,
                           const privacy::Plan &plan, double loss_bound, const random::Key &key,
                           Control &control, privacy::ReleaseTrace *trace) {
    control.report({"discrepancy"});
    const DiscrepancyRelease release(*plan.discrepancy, plan.discrepancy_noise, key);
    const auto moments = [&](privacy::Domains domain) {
        return problem.is_private(domain)
                   ? private_moments(problem, domain, settings.discrepancy_kind)
                   : problem.public_sample()->moments();
    };
    const DiscrepancyBall ball = discrepancy_ball(problem, settings);
    const LossDifference difference =
        loss_difference(moments(privacy::kTarget), moments(privacy::kSource), ball.center);
    const double value =
        settings.discrepancy_kind == DiscrepancyKind::unlabelled
            ? certified_unlabelled_discrepancy(difference.second, ball.radius, plan.tolerance,
                                               settings.discrepancy_side)
            : certified_discrepancy(difference, ball.radius, plan.tolerance,
                                    settings.discrepancy_side);
    return release(value, loss_bound, trace);
}

double bound_labelled(const PrivateProblem &problem, const Settings &settings, double unlabelled,
                      Control &control) {
    const DiscrepancyBall ball = discrepancy_ball(problem, settings);
    if (ball.radius == 0.0) return std::numeric_limits<double>::infinity();
    const PublicSample &source = *problem.public_sample();
    return bound_labelled(source.moments(),
                          {source.fit(), *settings.labelling_disagreement, source.moments().second,
                           unlabelled / (4.0 * ball.radius * ball.radius)},
                          ball.center, ball.radius, settings.discrepancy_side, control);
}

DiscrepancyRelease::DiscrepancyRelease(const privacy::NumberGrid &grid,
                                       privacy::Mechanism mechanism, const random::Key &key)
    : grid_(grid) {
    // mutant: noise_of_the_other_kind
    const bool gaussian = mechanism == privacy::Mechanism::gaussian;
    // mutant: discrepancy_at_half_its_noise
    random::fill_with_noise({&noise_, 1}, gaussian ? random::normal : random::laplace,
                            static_cast<unsigned>(grid.bits), key, random::Purpose::discrepancy, 0);
}

double DiscrepancyRelease::operator()(double value, double bound,
                                      privacy::ReleaseTrace *trace) const {
    const double released = privacy::release_number(value, bound, grid_, noise_);
    if (trace == nullptr) return released;
    const std::int64_t integer = privacy::floor_quotient(std::clamp(value, 0.0, bound), grid_.unit);
    return trace->on_release(random::Purpose::discrepancy, 0, {&integer, 1}, {released}).at(0);
}

}  // namespace dpadapt
