// Goodness of fit at level 1e-6 under known keys; one test with a key of the operating system.
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

using Distribution = double (*)(double);

double normal_distribution(double z) { return 0.5 * std::erfc(-z * std::sqrt(0.5)); }

double laplace_distribution(double l) {
    return l < 0.0 ? 0.5 * std::exp(l) : 1.0 - 0.5 * std::exp(-l);
}

void check_kolmogorov_smirnov(const std::string &name, Draw draw, Distribution distribution,
                              const Key &key) {
    constexpr double kCritical = 0.038051617888;  // 5000 draws
    std::vector<double> sample = reals(5000, draw, key);
    std::sort(sample.begin(), sample.end());
    const auto size = static_cast<double>(sample.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const double below = static_cast<double>(i) / size;
        const double p = distribution(sample[i]);
        distance = std::max({distance, p - below, below + 1.0 / size - p});
    }
    check_true(name + ": distance " + std::to_string(distance), distance < kCritical);
}

void kolmogorov_smirnov() {
    for (std::uint8_t i = 0; i < 20; ++i) {
        const Key key = counting_key(i);
        check_kolmogorov_smirnov("normal", normal, normal_distribution, key);
        check_kolmogorov_smirnov("Laplace", laplace, laplace_distribution, key);
    }
    const Key fresh;
    check_kolmogorov_smirnov("normal, fresh key", normal, normal_distribution, fresh);
    check_kolmogorov_smirnov("Laplace, fresh key", laplace, laplace_distribution, fresh);
}

constexpr std::size_t kDraws = 10000000;

/** floor(2^(8 - drop) X) in the cells below -last, -last, ..., last - 1, last and above. */
std::vector<double> count_cells(Draw draw, unsigned drop, std::int64_t last) {
    std::vector<double> count(static_cast<std::size_t>(2 * last + 2));
    const Key key = counting_key();
    constexpr std::size_t kPart = 1000000;
    for (std::size_t step = 0; step < kDraws / kPart; ++step)
        for (const std::int64_t number : integers(kPart, draw, 8, key, Purpose::gaussian_w, step)) {
            const std::int64_t cell = std::clamp(number >> drop, -last - 1, last);
            ++count[static_cast<std::size_t>(cell + last + 1)];
        }
    return count;
}

/** Pearson's statistic against the distribution with cells of the given width. */
double chi_square(const std::vector<double> &count, Distribution distribution, double width) {
    const double first = -0.5 * static_cast<double>(count.size());
    double statistic = 0.0;
    double below = 0.0;
    for (std::size_t i = 0; i < count.size(); ++i) {
        const double end = width * (first + static_cast<double>(i) + 1.0);
        const double p = i + 1 == count.size() ? 1.0 : distribution(end);
        const double expected = static_cast<double>(kDraws) * (p - below);
        check_true("expected count", expected >= 20.0);
        statistic += (count[i] - expected) * (count[i] - expected) / expected;
        below = p;
    }
    return statistic;
}

void chi_square_of_cells() {
    const double normal_statistic =
        chi_square(count_cells(normal, 5, 36), normal_distribution, 0.125);
    check_true("normal, 73 df: " + std::to_string(normal_statistic), normal_statistic < 145.412);
    const double laplace_statistic =
        chi_square(count_cells(laplace, 6, 44), laplace_distribution, 0.25);
    check_true("Laplace, 89 df: " + std::to_string(laplace_statistic), laplace_statistic < 167.347);
}

/** Pearson's statistic of one byte of the numbers against the uniform distribution. */
double byte_statistic(const std::vector<std::int64_t> &numbers, unsigned shift) {
    std::array<double, 256> count{};
    for (const std::int64_t number : numbers)
        ++count[static_cast<std::size_t>(number >> shift & 255)];
    const double expected = static_cast<double>(numbers.size()) / 256.0;
    double statistic = 0.0;
    for (const double n : count) statistic += (n - expected) * (n - expected) / expected;
    return statistic;
}

/** Below the leading eight bits after the point the density shows no longer. */
void chi_square_of_low_bits() {
    constexpr double kCritical = 377.078;  // 255 df
    const Key key = counting_key();
    for (const Draw draw : {normal, laplace})
        for (const unsigned bits : {31U, 32U, 40U}) {
            const std::vector<std::int64_t> numbers = integers(256000, draw, bits, key);
            for (unsigned shift = 0; shift + 16 <= bits; shift += 4) {
                const double statistic = byte_statistic(numbers, shift);
                check_true("low bits: " + std::to_string(statistic), statistic < kCritical);
            }
        }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(kolmogorov_smirnov),
        core_test(chi_square_of_cells),
        core_test(chi_square_of_low_bits),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
