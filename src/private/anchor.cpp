#include "private/anchor.hpp"

#include <cmath>

#include "problem/defaults.hpp"
#include "problem/quantile.hpp"
#include "records/reader.hpp"
#include "records/release.hpp"

namespace dpadapt {
namespace {

std::vector<arma::vec> candidates(const PublicSample &sample, Control &control) {
    std::vector<arma::vec> all{sample.fit()};
    for (const double ridge : defaults::kAnchorRidges)
        all.push_back(sample.ridge_fit(ridge, control));
    return all;
}

double loss_bound(const PublicSample &sample) {
    constexpr double kQuantile = 0.95;
    std::vector<double> losses(sample.rows().rows());
    sample.loss_rows().losses(sample.fit(), losses.data());
    const double bound = quantile(std::move(losses), kQuantile);
    return bound > 0.0 && std::isfinite(bound) ? bound : 1.0;
}

}  // namespace

arma::vec choose_anchor(const PrivateRun &run) {
    const PublicSample &sample = *run.problem.public_sample();
    if (!run.plan.comparison) return sample.fit();
    constexpr auto kPurpose = random::Purpose::comparison;
    const std::vector<arma::vec> all = candidates(sample, run.control);
    const SecretVector<std::int64_t> noise = gaussian_noise(run, kPurpose, 0, all.size());
    const records::Reader rows(run.problem, privacy::kTarget);
    const privacy::VectorSum sum = rows.sum(records::ComparisonTask{
        run.problem.choice(), all, loss_bound(sample), *run.plan.comparison});
    arma::vec mean = release(run, kPurpose, 0, sum, noise, rows.rows());
    mean.tail(all.size() - 1) += privacy::kComparisonMargin * run.plan.comparison->sigma();
    return all[mean.index_min()];
}

}  // namespace dpadapt
