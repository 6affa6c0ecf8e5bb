// The Laplace release: integers at most K apart for values at most the sensitivity apart.
#include <array>
#include <limits>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "discrepancy/private_estimate.hpp"
#include "privacy/release.hpp"
#include "random/noise.hpp"

using namespace dpadapt;
using privacy::floor_quotient;
using privacy::NumberGrid;

namespace {

void the_plan_is_on_the_safe_side() {
    Random random(1);
    for (int trial = 0; trial < 20000; ++trial) {
        const double epsilon = std::exp2(-15 + 20 * random.uniform());
        const double sensitivity = std::exp2(-40 + 50 * random.uniform());
        const int bits = 26 + trial % 15;
        const NumberGrid grid = privacy::plan_laplace(epsilon, sensitivity, bits);
        const auto most = static_cast<double>(grid.most);
        const double price = std::ldexp(most, -bits);
        check_true("epsilon", price <= epsilon);
        check_true("nothing is wasted", price > epsilon - std::ldexp(1.0, -bits));
        check_true("g K >= sensitivity", std::fma(grid.unit, most, -sensitivity) >= 0.0);
        check_close("g", grid.unit, sensitivity / most, 0x1p-51);
        check_close("scale", std::ldexp(grid.unit, grid.bits), sensitivity / price, 0x1p-50);
    }
    check_true("known", privacy::plan_laplace(0.1, 1.0, 32).most == 429496729);
}

template <typename Call>
bool refused(const Call &call) {
    try {
        call();
    } catch (const Error &error) {
        return error.status() == DPA_E_OPTION;
    }
    return false;
}

void bad_plans_are_refused() {
    for (const double epsilon : {1e-8, 0.0, -1.0, 0x1p21, kInf, kNan})
        check_true("epsilon", refused([&] { (void)privacy::plan_laplace(epsilon, 1.0, 32); }));
    for (const double sensitivity : {0.0, -1.0, kInf, kNan, 1e-310})
        check_true("sensitivity",
                   refused([&] { (void)privacy::plan_laplace(1.0, sensitivity, 32); }));
    check_true("smallest", privacy::plan_laplace(0x1p-22, 1.0, 32).most == 1024);
    const NumberGrid grid = privacy::plan_laplace(1.0, 1.0, 32);
    check_true("too many records",
               refused([&] { (void)privacy::release_number(0.0, 0x1p31, grid, 0); }));
    check_true("undefined bound",
               refused([&] { (void)privacy::release_number(0.0, kNan, grid, 0); }));
}

/** mantissa 2^exponent >= the other, by shifting: exponents of the tests are close. */
bool at_least(Int128 mantissa, int exponent, Int128 other, int other_exponent) {
    const int least = std::min(exponent, other_exponent);
    return mantissa << (exponent - least) >= other << (other_exponent - least);
}

void quotients_are_exact() {
    check_true("zero", floor_quotient(0.0, 0.3) == 0);
    check_true("tiny", floor_quotient(5e-324, 1e300) == 0);
    check_true("denormal", floor_quotient(1e-320, 5e-324) == 2024);
    check_true("largest", floor_quotient(0x1p62, 1.0) == std::int64_t{1} << 62);
    check_true("just below", floor_quotient(std::nextafter(3.0, 0.0), 1.0) == 2);
    check_true("0.3 is above 3 times 0.1 rounded down, and below 3 of the double 0.1",
               floor_quotient(0.3, 0.1) == 2);
    Random random(2);
    for (int trial = 0; trial < 100000; ++trial) {
        // unit = u, value = v 2^e; D is the floor if and only if D u <= v 2^e < (D + 1) u.
        const auto u = static_cast<std::int64_t>(std::exp2(20 + 10 * random.uniform()));
        const auto v = static_cast<std::int64_t>(std::exp2(52 * random.uniform()));
        const int e = static_cast<int>(25 * random.uniform());
        const std::int64_t quotient =
            floor_quotient(std::ldexp(static_cast<double>(v), e), static_cast<double>(u));
        check_true("not above", at_least(v, e, Int128{quotient} * u, 0));
        check_true("not below", !at_least(v, e, Int128{quotient + 1} * u, 0));
    }
}

/** The largest double that is not above a + b, for a, b >= 0. */
double sum_down(double a, double b) {
    const double sum = a + b;
    const double shadow = sum - a;
    const double rest = (a - (sum - shadow)) + (b - shadow);
    return rest < 0.0 ? std::nextafter(sum, 0.0) : sum;
}

/** Values and neighbours: random, at grid points and one bit off them. */
void integer_sensitivity_is_most() {
    Random random(4);
    for (int trial = 0; trial < 20000; ++trial) {
        const double bound = std::exp2(4 * random.normal());
        const double rows = std::exp2(24 * random.uniform());
        const double sensitivity = bound / rows * 1.002;
        const int bits = 24 + trial % 9;
        const NumberGrid grid =
            privacy::plan_laplace(std::exp2(-6 + 6 * random.uniform()), sensitivity, bits);
        const double point = random.uniform() * (bound - sensitivity);
        const auto index = static_cast<double>(floor_quotient(point < 0 ? 0 : point, grid.unit));
        const double on_grid = grid.unit * index;
        for (const double value :
             {point, on_grid, std::nextafter(on_grid, 0.0), std::nextafter(on_grid, kInf), 0.0}) {
            if (value < 0.0) continue;
            const std::int64_t moved = floor_quotient(sum_down(value, sensitivity), grid.unit) -
                                       floor_quotient(value, grid.unit);
            check_true("sensitivity", moved >= 0 && moved <= grid.most);
        }
    }
}

void a_value_just_beyond_the_sensitivity_shows() {
    // The bound is tight: 0 and the sensitivity are K apart, one ulp and a grid unit more are not.
    const NumberGrid grid = privacy::plan_laplace(1.0, 0x1p-10, 32);
    check_true("attained", floor_quotient(0x1p-10, grid.unit) == grid.most);
    check_true("beyond", floor_quotient(0x1p-10 + grid.unit, grid.unit) == grid.most + 1);
}

void neighbours_with_replayed_noise() {
    const NumberGrid grid = privacy::plan_laplace(0.5, 0.01, 32);
    const std::array<std::uint8_t, random::Key::kSize> bytes = {7, 1, 2, 3};
    const random::Key key = random::Key::unsafe_from_bytes(bytes);
    std::vector<std::int64_t> noise(2000);
    random::fill_with_noise(noise, random::laplace, 32, key, random::Purpose::discrepancy, 0);
    double mean = 0.0;
    for (const std::int64_t n : noise) {
        const double one = privacy::release_number(2.0, 4.0, grid, n);
        const double other = privacy::release_number(2.01, 4.0, grid, n);
        check_true("in range", one >= 0.0 && one <= 4.0);
        check_true("moves by the sensitivity at most", std::abs(one - other) <= 0.01 * (1 + 1e-9));
        mean += std::abs(one - 2.0) / 2000.0;
    }
    check_close("mean absolute deviation is the scale", mean, std::ldexp(grid.unit, grid.bits),
                0.15);
}

/** Mean square and kurtosis of released noise: 2 and 6 of Laplace's, 1 and 3 of the Gaussian. */
std::pair<double, double> shape_of_noise(privacy::Mechanism mechanism) {
    const NumberGrid grid = privacy::plan_number(0x1p32, 1.0, 32);
    constexpr int kDraws = 40000;
    double square = 0.0;
    double fourth = 0.0;
    for (int draw = 0; draw < kDraws; ++draw) {
        std::array<std::uint8_t, random::Key::kSize> bytes = {3, 1, 4};
        for (unsigned k = 0; k < 4; ++k) bytes[8 + k] = static_cast<std::uint8_t>(draw >> 8 * k);
        const random::Key key = random::Key::unsafe_from_bytes(bytes);
        const double noise =
            DiscrepancyRelease(grid, mechanism, key)(500.0, 1000.0, nullptr) - 500.0;
        square += noise * noise / kDraws;
        fourth += noise * noise * noise * noise / kDraws;
    }
    return {square, fourth / (square * square)};
}

void noise_is_of_the_kind_that_was_paid_for() {
    const auto [laplace, laplace_kurtosis] = shape_of_noise(privacy::Mechanism::laplace);
    const auto [gaussian, gaussian_kurtosis] = shape_of_noise(privacy::Mechanism::gaussian);
    check_close("Laplace variance", laplace, 2.0, 0.05);
    check_close("Laplace kurtosis", laplace_kurtosis, 6.0, 0.1);
    check_close("Gaussian variance", gaussian, 1.0, 0.03);
    check_close("Gaussian kurtosis", gaussian_kurtosis, 3.0, 0.05);
}

void releases_are_clamped() {
    const NumberGrid grid = privacy::plan_laplace(1.0, 0.01, 32);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const double value : {0.0, -1.0, 3.0, 5.0, kInf, -kInf, kNan}) {
        check_true("above", privacy::release_number(value, 4.0, grid, most) == 4.0);
        check_true("below", privacy::release_number(value, 4.0, grid, least) == 0.0);
    }
    const auto at = [&](double value) { return privacy::release_number(value, 4.0, grid, 12345); };
    check_true("undefined counts as zero", at(kNan) == at(0.0) && at(-1.0) == at(0.0));
    check_true("above the bound counts as the bound", at(5.0) == at(4.0) && at(kInf) == at(4.0));
    const auto index = static_cast<double>(floor_quotient(3.0, grid.unit));
    check_true("value", at(3.0) == grid.unit * (index + 12345.5));
    check_true("no bound, no value", privacy::release_number(1.0, 0.0, grid, 99) == 0.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_plan_is_on_the_safe_side),
        core_test(bad_plans_are_refused),
        core_test(quotients_are_exact),
        core_test(integer_sensitivity_is_most),
        core_test(a_value_just_beyond_the_sensitivity_shows),
        core_test(neighbours_with_replayed_noise),
        core_test(noise_is_of_the_kind_that_was_paid_for),
        core_test(releases_are_clamped),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
