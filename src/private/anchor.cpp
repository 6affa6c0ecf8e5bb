#include "private/anchor.hpp"

#include <cmath>

#include "private/left_out_rows.hpp"
#include "problem/defaults.hpp"
#include "problem/plan_request.hpp"
#include "records/reader.hpp"
#include "records/release.hpp"

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

arma::vec choose_anchor(const PrivateRun &run, const Settings &settings) {
    const PublicSample &sample = *run.problem.public_sample();
    if (!compares_anchors(settings)) return sample.fit();
    arma::vec plain = plain_fit(sample, settings.loss.start_seed);
    if (!run.plan.comparison) return plain;
    constexpr auto kPurpose = random::Purpose::comparison;
    const std::vector<arma::vec> all = candidates(sample, std::move(plain), run.control);
    const SecretVector<std::int64_t> noise = gaussian_noise(run, kPurpose, 0, all.size());
    const records::Reader rows(run.problem, privacy::kTarget);
    const privacy::VectorSum sum = rows.sum(records::ComparisonTask{
        run.problem.choice(), all, loss_bound(sample), *run.plan.comparison});
    arma::vec mean = release(run, kPurpose, 0, sum, noise, rows.rows());
    mean.tail(all.size() - 1) += privacy::kComparisonMargin * run.plan.comparison->sigma();
    return all[mean.index_min()];
}

}  // namespace dpadapt
