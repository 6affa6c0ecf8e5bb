// A private fit (alpha = auto, 20 steps) beside the same steps in plain doubles: no grid, no
// certificate, no noise. Alternating in one run; columns: seconds (minimum over rounds) and their
// ratio, the price of exactness.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>

#include "engine/settings.hpp"
#include "instance.hpp"
#include "private/call.hpp"
#include "private/public_metric.hpp"

using namespace dpadapt;

namespace {

std::size_t sample_rows = 100000;  // of each sample
constexpr std::size_t kCols = 100;
constexpr std::size_t kSteps = 20;

struct NoControl : Control {
    void report(const Progress & /*progress*/) override {}
};

double seconds(const std::function<void()> &work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Setting {
    explicit Setting(std::size_t threads) : instance(2 * sample_rows, kCols, sample_rows) {
        engine::OptionValues values;
        values.parse(engine::find_option("epsilon"), "1");
        values.parse(engine::find_option("delta"), "1e-5");
        values.parse(engine::find_option("threads"), std::to_string(threads));
        settings = engine::make_settings(values, Wanted::fit);
        source = Sample::lend({instance.x, sample_rows, kCols, kCols, true}, instance.y.data());
        target = Sample::lend({instance.x + sample_rows * kCols, sample_rows, kCols, kCols, true},
                              instance.y.data() + sample_rows);
    }
    Instance instance;
    Settings settings;
    Sample source;
    Sample target;
    NoControl control;
};

void private_fit(Setting &setting) {
    PrivateCall call(setting.source, setting.target, setting.settings, Wanted::fit,
                     setting.control);
    privacy::Ledger ledger;
    call.charge(ledger);
    benchmark::DoNotOptimize(solve_private(call, std::nullopt).coefficients.data());
}

/** The target's records in a metric, as a program without privacy would keep them. */
struct PlainRows {
    PlainRows(const PrivateCall &call, const Sample &target, const arma::mat &map) {
        PreparedSample sample(target, call.problem().preprocess(), 1);
        sample.clip(call.problem().clipping());
        sample.fill(0, sample.rows(), zeta);
        zeta = map * zeta;
        labels = sample.labels();
        for (arma::uword i = 0; i < zeta.n_cols; ++i) norms.push_back(arma::norm(zeta.col(i)));
    }
    [[nodiscard]] double residual(std::size_t i, const arma::vec &v) const {
        const double *row = zeta.colptr(i);
        return std::inner_product(v.begin(), v.end(), row, 0.0) - labels[i];
    }

    arma::mat zeta;  ///< one a column
    std::vector<double> labels;
    std::vector<double> norms;
};

/** Sums of terms over chunks. */
template <typename Term>
arma::vec plain_sum(const PlainRows &rows, std::size_t dimension, std::size_t threads,
                    const Term &term) {
    constexpr std::size_t kChunk = 1024;
    const std::size_t chunks = (rows.labels.size() + kChunk - 1) / kChunk;
    std::vector<arma::vec> parts(chunks, arma::vec(dimension, arma::fill::zeros));
    parallel_for(chunks, threads, [&](std::size_t chunk) {
        std::vector<double> out(dimension);
        const std::size_t end = std::min(rows.labels.size(), (chunk + 1) * kChunk);
        for (std::size_t i = chunk * kChunk; i < end; ++i) {
            term(i, out);
            double *sum = parts[chunk].memptr();
            for (std::size_t k = 0; k < dimension; ++k) sum[k] += out[k];
        }
    });
    arma::vec total(dimension, arma::fill::zeros);
    for (const arma::vec &part : parts) total += part;
    return total;
}

void plain_fit(Setting &setting) {
    const PrivateCall call(setting.source, setting.target, setting.settings, Wanted::fit,
                           setting.control);
    const std::size_t threads = setting.settings.threads;
    const std::size_t d = call.problem().dimension();
    const auto n = static_cast<double>(sample_rows);
    const PrivacySettings &privacy = setting.settings.privacy;
    const PublicSample &sample = *call.problem().public_sample();
    const PublicTerms terms(sample, sample.fit());
    const Metric first =
        make_hessian_metric(sample, terms, privacy, {n, 1e-4, kSteps, true}).metric;
    std::vector<double> bound = sample.rows().mapped_norms(first.map);
    benchmark::DoNotOptimize(bound.data());
    const PlainRows unmapped(call, setting.target, first.map);
    const arma::vec second =
        plain_sum(unmapped, d * (d + 1) / 2, threads, [&](std::size_t i, std::vector<double> &out) {
            const double term = std::abs(unmapped.residual(i, first.start)) * unmapped.norms[i];
            const double weight = term > first.clip ? first.clip / term : 1.0;
            const double *zeta = unmapped.zeta.colptr(i);
            double *to = out.data();
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t k = 0; k <= j; ++k) *to++ = weight * zeta[j] * zeta[k];
        });
    benchmark::DoNotOptimize(second.memptr());
    const Metric metric =
        metric_of_basis(sample, terms, privacy, first.map, first.inverse, first.map, {});
    const PlainRows rows(call, setting.target, metric.map);
    arma::vec v = metric.start;
    for (std::size_t step = 0; step < kSteps; ++step) {
        const auto clipped = [&](std::size_t i, std::vector<double> &out) {
            const double r = rows.residual(i, v);
            const double norm = std::abs(r) * rows.norms[i];
            const double factor = norm > metric.clip ? r * (metric.clip / norm) : r;
            const double *zeta = rows.zeta.colptr(i);
            for (std::size_t k = 0; k < d; ++k) out[k] = factor * zeta[k];
        };
        v -= plain_sum(rows, d, threads, clipped) / n;
    }
    benchmark::DoNotOptimize(v.memptr());
}

void exactness(benchmark::State &state) {
    Setting setting(static_cast<std::size_t>(state.range(0)));
    double exact = 1e9;
    double plain = 1e9;
    for (auto _ : state) {
        exact = std::min(exact, seconds([&] { private_fit(setting); }));
        plain = std::min(plain, seconds([&] { plain_fit(setting); }));
    }
    state.counters["private fit"] = exact;
    state.counters["plain doubles"] = plain;
    state.counters["ratio"] = exact / plain;
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    if (smoke) {
        sample_rows = 2000;
        argc = 1;
    }
    for (const auto threads : {1, 2})
        benchmark::RegisterBenchmark("exactness", exactness)
            ->Arg(threads)
            ->Iterations(smoke ? 1 : 7);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
