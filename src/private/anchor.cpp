#include "private/anchor.hpp"

#include <cmath>

#include "private/comparison.hpp"
#include "private/left_out_rows.hpp"
#include "problem/defaults.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt {
namespace {

/** Where rows are few for the features, the ridge that they choose. With many its gain is small
 *  beside what the other domain may make of it. */
arma::vec plain_fit(const PublicSample &sample, std::uint64_t seed) {
    constexpr double kClearly = 0.05;
    if (!few_rows(sample)) return sample.fit();
    return LeftOutRows(sample, seed).own_fit(kClearly).theta;
}

std::vector<arma::vec> candidates(const PublicSample &sample, arma::vec plain, Control &control) {
    std::vector<arma::vec> all{std::move(plain)};
    for (const double ridge : defaults::kAnchorRidges)
        all.push_back(sample.ridge_fit(ridge, control));
    return all;
}

double loss_bound(const PublicSample &sample) {
    constexpr double kQuantile = 0.95;
    std::vector<double> losses(sample.rows().rows());
    sample.loss_rows().losses(sample.fit(), losses.data());
    const double bound = sample.rows().quantile(std::move(losses), kQuantile);
    return bound > 0.0 && std::isfinite(bound) ? bound : 1.0;
}

}  // namespace

Anchor choose_anchor(const PrivateRun &run, const Settings &settings) {
    const PublicSample &sample = *run.problem.public_sample();
    if (!compares_anchors(settings)) return {sample.fit(), run.labelled};
    arma::vec plain = plain_fit(sample, settings.loss.start_seed);
    if (!run.plan.comparison) return {plain, run.labelled};
    const Comparison comparison(
        run, candidates(sample, std::move(plain), run.control), loss_bound(sample),
        !settings.privacy.labelled_share && !run.labelled, settings.privacy.anchor_share);
    return {comparison.best(), comparison.labelled(), comparison.steps()};
}

}  // namespace dpadapt
