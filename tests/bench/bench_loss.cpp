// Loss and gradient of every record in one pass: logistic against squared, alternating in one run,
// both by score. Bound: memory bandwidth, as for the squared loss; what logistic adds is an
// exponential and a logarithm a row. Columns: seconds (minimum over rounds) and their ratio.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "instance.hpp"
#include "loss/scores.hpp"
#include "problem/loss_rows.hpp"

using namespace dpadapt;

namespace {

std::size_t rows = 1000000;
constexpr std::size_t kCols = 100;

double seconds(const LossRows &loss, const arma::vec &theta, const std::vector<double> &weight,
               std::vector<double> &losses) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(loss.gradient(theta, weight.data(), losses.data()));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void loss_pass(benchmark::State &state) {
    Instance instance(rows, kCols);
    for (double &label : instance.y) label = label < 0.0 ? -1.0 : 1.0;
    const Sample sample =
        Sample::lend({instance.x, instance.rows(), kCols, kCols, true}, instance.y.data());
    Settings settings{};
    settings.loss.kind = loss::Kind::logistic;
    settings.preprocess = PreprocessKind::standardize;
    settings.intercept = true;
    settings.threads = static_cast<std::size_t>(state.range(0));
    const Preprocess preprocess(sample, settings);
    const PreparedSample prepared(sample, preprocess, settings.threads);
    const loss::Logistic logistic;
    const loss::Squared squared;
    const LossRows logistic_rows(prepared, logistic, true);
    const LossRows squared_rows(prepared, squared, true);
    const arma::vec theta(prepared.dimension(), arma::fill::value(0.1));
    const std::vector<double> weight(prepared.rows(), 1e-6);
    std::vector<double> losses(prepared.rows());
    double logistic_time = 1e300;
    double squared_time = 1e300;
    for (auto _ : state) {
        squared_time = std::min(squared_time, seconds(squared_rows, theta, weight, losses));
        logistic_time = std::min(logistic_time, seconds(logistic_rows, theta, weight, losses));
    }
    state.counters["squared_s"] = squared_time;
    state.counters["logistic_s"] = logistic_time;
    state.counters["logistic/squared"] = logistic_time / squared_time;
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    if (smoke) {
        rows = 2000;
        argc = 1;
    }
    for (const auto threads : {1, 2})
        benchmark::RegisterBenchmark("loss_pass", loss_pass)
            ->Arg(threads)
            ->Iterations(smoke ? 1 : 25);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
