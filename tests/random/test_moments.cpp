// Moments, signs and correlations of a million draws, each within 4.9 standard deviations (1e-6).
#include "core/core.hpp"
#include "draws.hpp"

using namespace dpadapt::random;

namespace {

constexpr std::size_t kSize = 1000000;

/** The mean of size independent terms with the given expectation and variance. */
void check_mean(const std::string &what, double sum, std::size_t size, double expectation,
                double variance) {
    constexpr double kDeviations = 4.891638475698591;
    const auto n = static_cast<double>(size);
    const double deviation = (sum / n - expectation) / std::sqrt(variance / n);
    check_true(what + ": " + std::to_string(deviation) + " standard deviations",
               std::abs(deviation) < kDeviations);
}

/** moment[p] = E X^p for p = 0..8. */
void check_moments(const std::string &name, Draw draw, const std::array<double, 9> &moment) {
    const Key key = counting_key();
    const std::vector<double> sample = reals(kSize, draw, key);
    std::array<double, 5> sum{};
    for (const double x : sample) {
        double power = 1.0;
        for (std::size_t p = 1; p <= 4; ++p) sum[p] += power *= x;
    }
    for (std::size_t p = 1; p <= 4; ++p)
        check_mean(name + ", power " + std::to_string(p), sum[p], kSize, moment[p],
                   moment[2 * p] - moment[p] * moment[p]);
}

void moments() {
    check_moments("normal", normal, {1, 0, 1, 0, 3, 0, 15, 0, 105});
    check_moments("Laplace", laplace, {1, 0, 2, 0, 24, 0, 720, 0, 40320});
}

/** Signs are fair, and independent from one draw to the next. */
void signs() {
    const Key key = counting_key();
    for (const Draw draw : {normal, laplace}) {
        const std::vector<double> sample = reals(kSize, draw, key);
        double negative = 0.0;
        double changes = 0.0;
        for (std::size_t i = 1; i < kSize; ++i) {
            negative += sample[i] < 0.0 ? 1.0 : 0.0;
            changes += (sample[i] < 0.0) != (sample[i - 1] < 0.0) ? 1.0 : 0.0;
        }
        check_mean("negative", negative, kSize - 1, 0.5, 0.25);
        check_mean("changes of sign", changes, kSize - 1, 0.5, 0.25);
    }
}

void check_uncorrelated(const std::string &what, const std::vector<double> &a,
                        const std::vector<double> &b, std::size_t lag, double variance) {
    double sum = 0.0;
    for (std::size_t i = lag; i < a.size(); ++i) sum += a[i] * b[i - lag];
    check_mean(what, sum, a.size() - lag, 0.0, variance * variance);
}

void correlations() {
    const Key key = counting_key();
    const Key other = counting_key(1);
    for (const Draw draw : {normal, laplace}) {
        const double variance = draw == normal ? 1.0 : 2.0;
        const std::vector<double> sample = reals(kSize, draw, key);
        for (const std::size_t lag : {1U, 2U, 256U})
            check_uncorrelated("lag " + std::to_string(lag), sample, sample, lag, variance);
        check_uncorrelated("steps", sample, reals(kSize, draw, key, Purpose::gaussian_w, 1), 0,
                           variance);
        check_uncorrelated("purposes", sample, reals(kSize, draw, key, Purpose::gaussian_u), 0,
                           variance);
        check_uncorrelated("keys", sample, reals(kSize, draw, other), 0, variance);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(moments),
        core_test(signs),
        core_test(correlations),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
