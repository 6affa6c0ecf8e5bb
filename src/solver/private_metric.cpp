#include "solver/private_metric.hpp"

#include <cmath>

#include "problem/quantile.hpp"
#include "solver/private_sum.hpp"

namespace dpadapt {
namespace {

/** Noisy mean of the private records' shrunken zeta zeta', in units of `most`. */
arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const PrivateRows rows = run.problem.private_rows(domain, metric.map);
    privacy::OuterSum sum(d, *run.plan.moments);
    add_terms(
        rows, run.threads, d,
        [&](std::size_t i, std::vector<double> &out) {
            const double norm = rows.norm(i);
            const double term = std::abs(rows.residual(i, metric.start.memptr())) * norm;
            const double weight = term > metric.clip ? metric.clip / term : 1.0;
            const double square = norm * norm;
            const double factor =
                std::sqrt((square * weight > most ? most / square : weight) / most);
            for (std::size_t k = 0; k < d; ++k) out[k] = factor * rows.row(i)[k];
        },
        sum);
    std::vector<double> released = sum.release(noise, rows.rows());
    if (run.trace != nullptr)
        released = run.trace->on_release(random::Purpose::gaussian_moments, 0, sum.packed(),
                                         std::move(released));
    arma::mat moments(d, d);
    auto entry = released.begin();
    for (arma::uword j = 0; j < d; ++j)
        for (arma::uword i = 0; i <= j; ++i) moments(i, j) = *entry++;
    return arma::symmatu(moments) / static_cast<double>(rows.rows());
}

/** Eigenvalues moved towards zero by `edge`. */
arma::mat shrink_spectrum(arma::mat matrix, double edge) {
    const linalg::Spectrum spectrum = linalg::decompose(std::move(matrix));
    const arma::vec kept = arma::sign(spectrum.values) %
                           arma::clamp(arma::abs(spectrum.values) - edge, 0.0, arma::datum::inf);
    return spectrum.vectors * arma::diagmat(kept) * spectrum.vectors.t();
}

}  // namespace

Metric choose_metric(const PrivateRun &run, const PrivacySettings &settings,
                     privacy::Domains domain, double share) {
    if (run.problem.public_sample() == nullptr)
        return make_metric_without_data(run.problem, settings);
    const auto n = static_cast<double>(run.problem.rows(domain));
    const double noise = run.plan.steps == 0 ? 0.0
                                             : share / n * run.plan.gradient.sigma() /
                                                   std::sqrt(static_cast<double>(run.plan.steps));
    auto [metric, moments] = make_public_metric(run.problem, settings, noise, n, run.plan.steps,
                                                run.plan.moments.has_value());
    if (!run.plan.moments) return metric;

    std::vector<double> square = run.problem.public_sample()->rows().mapped_norms(metric.map);
    for (double &norm : square) norm *= norm;
    double most = quantile(std::move(square), settings.clip_quantile);
    if (!(most > 0.0)) most = 1.0;
    const auto d = static_cast<double>(moments.n_elem);
    const double edge = most * run.plan.moments->deviation() / n * std::sqrt(2.0 * d);
    const arma::mat difference =
        most * release_moments(run, domain, metric, most) - arma::diagmat(moments);
    const linalg::Spectrum mixed =
        linalg::decompose(share * shrink_spectrum(difference, edge) + arma::diagmat(moments));
    // A shorter axis than the public one would only turn noise into steps.
    const arma::vec root = arma::sqrt(arma::clamp(mixed.values, 1.0, arma::datum::inf));
    return change_metric(run.problem, settings,
                         arma::diagmat(1.0 / root) * mixed.vectors.t() * metric.map,
                         arma::diagmat(root) * mixed.vectors.t() * metric.inverse);
}

}  // namespace dpadapt
