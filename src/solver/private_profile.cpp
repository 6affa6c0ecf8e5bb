#include "solver/private_profile.hpp"

#include <algorithm>
#include <cmath>

#include "random/noise.hpp"
#include "random/normal.hpp"

namespace dpadapt {
namespace {

/** Adds r zeta of the records of a chunk, shrunk to norm C each: their own values and released ones only. */
void add_terms(const PrivateRows &rows, const arma::vec &v, double clip, std::size_t begin,
               std::size_t end, privacy::VectorSum &sum) {
    const std::size_t d = rows.dimension();
    std::vector<double> term(d);
    for (std::size_t i = begin; i < end; ++i) {
        const double *zeta = rows.row(i);
        double residual = -rows.label(i);
        double square = 0.0;
        for (std::size_t k = 0; k < d; ++k) {
            residual += v(k) * zeta[k];
            square += zeta[k] * zeta[k];
        }
        const double norm = std::abs(residual) * std::sqrt(square);
        const double factor = norm > clip ? residual * (clip / norm) : residual;
        for (std::size_t k = 0; k < d; ++k) term[k] = factor * zeta[k];
        sum.add(term);
    }
}

privacy::VectorSum sum_terms(const PrivateRows &rows, const arma::vec &v, double clip,
                             const privacy::VectorGrid &grid, std::size_t threads) {
    constexpr std::size_t kChunk = 1024;
    const std::size_t chunks = (rows.rows() + kChunk - 1) / kChunk;
    std::vector<privacy::VectorSum> parts(chunks, privacy::VectorSum(rows.dimension(), grid));
    parallel_for(chunks, threads, [&](std::size_t chunk) {
        add_terms(rows, v, clip, chunk * kChunk, std::min(rows.rows(), (chunk + 1) * kChunk),
                  parts[chunk]);
    });
    privacy::VectorSum total(rows.dimension(), grid);
    for (const privacy::VectorSum &part : parts) total.merge(part);
    return total;
}

/** Share of the distance to the public solution that noise and sampling cannot explain. */
double kept_share(double distance_square, double variance, double d, double z) {
    const double explained = variance * d * (1.0 + z * std::sqrt(2.0 / d));
    return distance_square > explained ? 1.0 - explained / distance_square : 0.0;
}

}  // namespace

PrivateFit fit_private(const PrivateRows &rows, const PublicMetric &metric, const PrivatePlan &plan,
                       const random::Key &key, std::size_t threads, Control &control,
                       ReleaseTrace *trace) {
    const auto n = static_cast<double>(rows.rows());
    const auto d = static_cast<double>(rows.dimension());
    const double noise_deviation = plan.grid.sigma() / n;
    const double sampling_variance = metric.term_square / d / n;
    arma::vec v = metric.fit;
    arma::vec estimate(v.n_elem, arma::fill::zeros);
    double kept = 0.0;
    std::vector<std::int64_t> noise(rows.dimension());
    for (std::size_t step = 1; step <= plan.steps; ++step) {
        control.report({"private steps", static_cast<std::int64_t>(step - 1),
                        static_cast<std::int64_t>(plan.steps)});
        // All noise of a step is drawn before its private rows are read.
        random::fill_with_noise(noise, random::normal, static_cast<unsigned>(plan.grid.bits), key,
                                random::Purpose::gaussian_w, step, threads);
        const privacy::VectorSum sum = sum_terms(rows, v, metric.clip, plan.grid, threads);
        std::vector<double> released = sum.release(noise, rows.rows());
        if (trace != nullptr) released = trace->on_release(step, sum, std::move(released));

        const auto t = static_cast<double>(step);
        estimate += (v - arma::vec(released) / n - estimate) / t;
        const double variance = noise_deviation * noise_deviation / t + sampling_variance;
        const arma::vec distance = estimate - metric.fit;
        kept = kept_share(arma::dot(distance, distance), variance, d, plan.shrinkage);
        v = metric.fit + kept * distance;
    }
    return {metric.inverse_root * v, 1.0 - kept};
}

}  // namespace dpadapt
