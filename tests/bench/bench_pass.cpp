// One objective + gradient pass against reading the same matrix once, alternating in one run, and a
// whole solve counted in passes. Bound: memory bandwidth. Columns: seconds (minimum over rounds)
// and ratios.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "instance.hpp"
#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "linalg/passes.hpp"

using namespace dpadapt;

namespace {

std::size_t rows = 1000000;
constexpr std::size_t kCols = 100;

double seconds(const std::function<void()> &work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using Lanes = double __attribute__((vector_size(64), aligned(8), may_alias));

/** The fastest reading that we know: eight independent streams of vector additions. */
DPA_MULTIVERSION
double read(const double *x, std::size_t n) {
    Lanes sum[8] = {};
    for (std::size_t i = 0; i + 64 <= n; i += 64)
        for (std::size_t k = 0; k < 8; ++k)
            sum[k] += *reinterpret_cast<const Lanes *>(x + i + 8 * k);
    double total = 0.0;
    for (const Lanes &lanes : sum) total += lanes[0] + lanes[3] + lanes[7];
    return total;
}

void read_matrix(const Instance &instance, std::size_t threads) {
    const std::size_t size = instance.rows() * kCols;
    const std::size_t chunk = (size + 63) / 64;
    parallel_for(64, threads, [&](std::size_t k) {
        const std::size_t begin = std::min(size, k * chunk);
        const std::size_t end = std::min(size, begin + chunk);
        benchmark::DoNotOptimize(read(instance.x + begin, end - begin));
    });
}

linalg::AffineRows all_rows(const Instance &instance) {
    linalg::AffineRows affine;
    affine.x = {instance.x, instance.rows(), kCols, kCols, true};
    affine.label = instance.y.data();
    affine.center = arma::vec(kCols, arma::fill::value(0.01));
    affine.scale = arma::vec(kCols, arma::fill::value(3.0));
    affine.constant = true;
    return affine;
}

/** Value and a = 2 q r of a block for d = 0, as the solver computes them. */
DPA_MULTIVERSION
double weigh(std::size_t n, const double *residual, double kappa_1, double *a) {
    constexpr std::size_t kLanes = 8;
    const double root = std::sqrt(kappa_1);
    double value[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const double c = residual[i + k] * residual[i + k];
            const double norm = std::sqrt(c > kappa_1 ? c : kappa_1);
            a[i + k] = 2.0 * (root / norm) * residual[i + k];
            value[k] += c > kappa_1 ? 2.0 * root * norm - kappa_1 : c;
        }
    }
    for (; i < n; ++i) a[i] = 2.0 * residual[i];
    return value[0] + value[3] + value[7];
}

void pass(benchmark::State &state) {
    const auto threads = static_cast<std::size_t>(state.range(0));
    const Instance instance(rows, kCols);
    const linalg::AffineRows affine = all_rows(instance);
    const arma::vec w(affine.dimension(), arma::fill::value(0.1));
    std::vector<double> residual(instance.rows());
    double read_time = 1e300;
    double pass_time = 1e300;
    for (auto _ : state) {
        read_time = std::min(read_time, seconds([&] { read_matrix(instance, threads); }));
        pass_time = std::min(pass_time, seconds([&] {
                                 benchmark::DoNotOptimize(linalg::fused_pass(
                                     affine, w, threads, residual.data(),
                                     [](std::size_t begin, std::size_t end, const double *r,
                                        double *a) { return weigh(end - begin, r, 1.0, a); }));
                             }));
    }
    state.counters["read_s"] = read_time;
    state.counters["pass_s"] = pass_time;
    state.counters["pass/read"] = pass_time / read_time;
}

void whole_solve(benchmark::State &state) {
    const auto threads = static_cast<std::size_t>(state.range(0));
    const Instance instance(rows, kCols);
    const linalg::AffineRows affine = all_rows(instance);
    const arma::vec w(affine.dimension(), arma::fill::value(0.1));
    std::vector<double> residual(instance.rows(), 1.0);
    double pass_time = 1e300;
    double gram_time = 1e300;
    double solve_time = 1e300;
    std::int64_t iterations = 0;
    for (auto _ : state) {
        pass_time = std::min(pass_time, seconds([&] {
                                 benchmark::DoNotOptimize(linalg::fused_pass(
                                     affine, w, threads, residual.data(),
                                     [](std::size_t begin, std::size_t end, const double *r,
                                        double *a) { return weigh(end - begin, r, 1.0, a); }));
                             }));
        std::fill(residual.begin(), residual.end(), 1.0);
        gram_time = std::min(
            gram_time, seconds([&] {
                benchmark::DoNotOptimize(linalg::weighted_gram(affine, residual.data(), false));
            }));
        solve_time = std::min(solve_time,
                              seconds([&] { iterations = solve(instance, true, state.range(0)); }));
    }
    // One weighted Gram product an iteration, and one for the moments (source fit, discrepancy).
    const double products = static_cast<double>(iterations) + 1.0;
    state.counters["solve_s"] = solve_time;
    state.counters["gram_s"] = gram_time;
    state.counters["iterations"] = static_cast<double>(iterations);
    state.counters["passes besides Gram"] = (solve_time - products * gram_time) / pass_time;
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    if (smoke) {
        rows = 2000;
        argc = 1;
    }
    const int rounds = smoke ? 1 : 25;
    for (const auto threads : {1, 2}) {
        benchmark::RegisterBenchmark("pass", pass)->Arg(threads)->Iterations(rounds);
        benchmark::RegisterBenchmark("solve", whole_solve)->Arg(threads)->Iterations(smoke ? 1 : 3);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
