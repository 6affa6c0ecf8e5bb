#include "private/left_out_rows.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {
namespace {

constexpr std::size_t kMostRows = 5000;  // that are left out, as without privacy

}  // namespace

bool has_left_out_rows(const PublicSample &sample) {
    return loss::is_linear(sample.choice().kind) && LossRows::has_passes_by_score(sample.loss());
}

bool few_rows(const PublicSample &sample) {
    constexpr double kMany = 20.0;  // a parameter
    const auto d = static_cast<double>(sample.fit().n_elem);
    return has_left_out_rows(sample) && static_cast<double>(sample.rows().rows()) < kMany * d;
}

LeftOutRows::LeftOutRows(const PublicSample &sample, std::uint64_t seed)
    : sample_(sample),
      closed_form_(sample.choice().kind == loss::Kind::squared),
      count_(sample.effective_rows()),
      rows_(some_rows(sample.rows(), kMostRows, seed)) {}

void LeftOutRows::try_sizes(SourcePrior prior, double most, double least, bool own,
                            Tried &tried) const {
    const double room = 4.0 * std::max({1.0, arma::norm(prior.center), arma::norm(sample_.fit())});
    const auto left_out =
        closed_form_ ? left_out_squared(prior, sample_.moments(), count_, rows_)
                     : left_out_newton(std::move(prior), *sample_.loss().output(), rows_, room);
    if (!left_out) return;
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): powers of 2 are exact
    for (double size = most; size >= least; size *= closed_form_ ? 0.5 : 0.25) {
        LeftOut fit = left_out->at(size);
        if (fit.losses.empty() || !fit.theta.is_finite()) continue;
        const double loss = rows_.mean(fit.losses);
        if (!std::isfinite(loss)) continue;
        // What the estimate is trusted comes first, then a ridge.
        tried.choice.add(own ? -1.0 / size : size, loss, fit.losses);
        tried.fits.push_back({std::move(fit.theta), own ? 0.0 : size / (size + count_), loss});
    }
}

void LeftOutRows::try_own(Tried &tried) const {
    constexpr double kMost = 10.0;  // ridges in units of the mean square of a feature
    constexpr double kLeast = 1e-6;
    constexpr double kIntercept = 1e-6;
    const arma::uword d = rows_.z.n_rows;
    const double square = arma::mean(arma::vec(arma::mean(arma::square(rows_.z), 1)));
    if (!(square > 0.0)) return;
    SourcePrior none;
    arma::vec sizes(d, arma::fill::value(square * sample_.loss().output()->largest_curvature()));
    if (sample_.preprocess().has_intercept()) sizes(d - 1) *= kIntercept;
    none.curvature = arma::diagmat(sizes);
    none.center.zeros(d);
    try_sizes(std::move(none), kMost * count_, kLeast * count_, true, tried);
}

LeftOutRows::Trust LeftOutRows::own_fit(double clearly) const {
    Tried tried;
    try_own(tried);
    if (tried.fits.empty()) return {sample_.fit()};
    const Trust &least = tried.fits.back();  // the plain fit, about
    const Trust &best = *std::min_element(
        tried.fits.begin(), tried.fits.end(),
        [](const Trust &one, const Trust &other) { return one.loss < other.loss; });
    if (best.loss < (1.0 - clearly) * least.loss) return best;
    return {sample_.fit(), 0.0, least.loss};
}

LeftOutRows::Trust LeftOutRows::trust(const arma::mat &curvature, const arma::vec &estimate,
                                      double most) const {
    constexpr double kRidges[] = {0.0, 0.01, 0.1, 1.0};
    constexpr double kLeastSize = 0.01;
    Tried tried;
    const arma::vec slope = curvature * estimate;
    const double mean = arma::mean(curvature.diag());
    for (const double ridge : kRidges) {
        SourcePrior prior;
        prior.curvature = curvature;
        prior.curvature.diag() += ridge * mean;
        prior.center =
            ridge > 0.0
                ? arma::vec(arma::solve(prior.curvature, slope, arma::solve_opts::likely_sympd))
                : estimate;
        try_sizes(std::move(prior), std::max(most, kLeastSize), kLeastSize, false, tried);
    }
    try_own(tried);
    const auto chosen = tried.choice();
    return chosen ? tried.fits[*chosen] : Trust{sample_.fit()};
}

}  // namespace dpadapt
