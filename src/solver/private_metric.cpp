#include "solver/private_metric.hpp"

#include <cmath>

#include "problem/quantile.hpp"
#include "solver/private_sum.hpp"

namespace dpadapt {
namespace {

/** The upper triangle column after column, off-diagonal entries times sqrt(2): the norm is Frobenius'. */
constexpr double kOffDiagonal = 1.4142135623730951;

void pack(const double *zeta, std::size_t d, double factor, double *out) {
    for (std::size_t j = 0; j < d; ++j) {
        const double side = factor * kOffDiagonal * zeta[j];
        for (std::size_t i = 0; i < j; ++i) *out++ = side * zeta[i];
        *out++ = factor * zeta[j] * zeta[j];
    }
}

arma::mat unpack(const arma::vec &packed, arma::uword d) {
    arma::mat matrix(d, d);
    arma::uword k = 0;
    for (arma::uword j = 0; j < d; ++j) {
        for (arma::uword i = 0; i < j; ++i) matrix(i, j) = packed(k++) / kOffDiagonal;
        matrix(j, j) = packed(k++);
    }
    return arma::symmatu(matrix);
}

/** Noisy mean of the private records' shrunken zeta zeta', in units of `most`. */
arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const PrivateRows rows = run.problem.private_rows(domain, metric.map);
    privacy::VectorSum sum(d * (d + 1) / 2, *run.plan.moments);
    add_terms(
        rows, run.threads,
        [&](std::size_t i, std::vector<double> &out) {
            const double norm = rows.norm(i);
            const double term = std::abs(rows.residual(i, metric.start.memptr())) * norm;
            const double weight = term > metric.clip ? metric.clip / term : 1.0;
            const double square = norm * norm;
            pack(rows.row(i), d, (square * weight > most ? most / square : weight) / most,
                 out.data());
        },
        sum);
    return unpack(release(run, random::Purpose::gaussian_moments, 0, sum, noise), d) /
           static_cast<double>(rows.rows());
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
    const double noise =
        run.plan.steps == 0
            ? 0.0
            : share / n * run.plan.gradient.sigma() / std::sqrt(static_cast<double>(run.plan.steps));
    auto [metric, moments] =
        make_public_metric(run.problem, settings, noise, n, run.plan.steps,
                           run.plan.moments.has_value());
    if (!run.plan.moments) return metric;

    std::vector<double> square = run.problem.public_sample()->rows().mapped_norms(metric.map);
    for (double &norm : square) norm *= norm;
    double most = quantile(std::move(square), settings.clip_quantile);
    if (!(most > 0.0)) most = 1.0;
    const auto d = static_cast<double>(moments.n_elem);
    const double edge = most * run.plan.moments->sigma() / n * std::sqrt(2.0 * d);
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
