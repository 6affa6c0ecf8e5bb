// Nanoseconds a draw of the noise at 32 bits, and a byte of its stream.
#include <benchmark/benchmark.h>

#include <vector>

#include "instance.hpp"
#include "random/noise.hpp"

using namespace dpadapt::random;

namespace {

std::size_t size = 100000;

void report(benchmark::State &state, const char *name, std::size_t count) {
    state.counters[name] =
        benchmark::Counter(static_cast<double>(count) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void draws(benchmark::State &state, Draw draw) {
    const Key key;
    std::vector<std::int64_t> noise(size);
    std::uint64_t step = 0;
    for (auto _ : state) {
        fill_with_noise(noise, draw, 32, key, Purpose::gaussian_w, step++);
        benchmark::DoNotOptimize(noise.data());
    }
    report(state, "s/draw", size);
}

void stream_bytes(benchmark::State &state) {
    const Key key;
    Stream stream(key, Purpose::selector, 0, 0);
    for (auto _ : state) {
        std::uint32_t all = 0;
        for (std::size_t i = 0; i < size; ++i) all ^= stream.bits(32);
        benchmark::DoNotOptimize(all);
    }
    report(state, "s/byte", 4 * size);
}

void new_key(benchmark::State &state) {
    for (auto _ : state) {
        const Key key;
        benchmark::DoNotOptimize(key.bytes());
    }
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    if (smoke) {
        size = 1000;
        argc = 1;
    }
    for (auto *benchmark : {benchmark::RegisterBenchmark("normal", draws, normal),
                            benchmark::RegisterBenchmark("laplace", draws, laplace),
                            benchmark::RegisterBenchmark("bytes", stream_bytes),
                            benchmark::RegisterBenchmark("key", new_key)})
        if (smoke) benchmark->Iterations(1);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
