#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace dpadapt {

/** `count` different numbers below n, in an order that random numbers of 64 bits decide. */
std::vector<std::size_t> draw_numbers(auto &&random, std::size_t n, std::size_t count) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random() % (n - i)]);
    all.resize(count);
    return all;
}

/** SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): public random numbers, the same everywhere.
 *  Never for noise that protects records. */
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() { return mixed(state_ += 0x9e3779b97f4a7c15); }

    /** A number for each number, as random as they are. */
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    /** Uniform in [-1, 1). */
    double symmetric() { return static_cast<double>((*this)() >> 11) * 0x1p-52 - 1.0; }

    /** `count` different numbers below n, in random order. */
    std::vector<std::size_t> draw(std::size_t n, std::size_t count) {
        return draw_numbers(*this, n, count);
    }

  private:
    std::uint64_t state_;
};

}  // namespace dpadapt
