#include "privacy/number_release.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/int128.hpp"

namespace dpadapt::privacy {
namespace {

constexpr double kLeastUnits = 0x1p10;  // coarser grids would lose accuracy
constexpr double kMostUnits = 0x1p53;   // integers that a double still holds
constexpr double kRange = 0x1p62;       // of integer values, so that noise cannot overflow 128 bits
constexpr int kMostShift = 64;          // 2^53 2^64 < 2^127

/** mantissa 2^exponent, exact, for finite values >= 0. */
struct Dyadic {
    Uint128 mantissa;
    int exponent;
};

Dyadic dyadic(double value) {
    constexpr int digits = std::numeric_limits<double>::digits;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return {static_cast<Uint128>(std::ldexp(fraction, digits)), exponent - digits};
}

}  // namespace

double NumberGrid::scale() const { return std::ldexp(unit, bits); }

double NumberGrid::certified_price() const { return std::ldexp(static_cast<double>(most), -bits); }

NumberGrid plan_laplace(double epsilon, double sensitivity, int bits) {
    return plan_number(std::floor(std::ldexp(epsilon, bits)), sensitivity, bits);
}

NumberGrid plan_number(double most, double sensitivity, int bits) {
    if (!(most >= kLeastUnits && most < kMostUnits))
        throw Error(DPA_E_OPTION,
                    "the budget of a discrepancy is out of the range of the integer grid: "
                    "floor(price 2^bits) = " +
                        std::to_string(most));
    NumberGrid grid{bits, static_cast<std::int64_t>(most), sensitivity / most};
    if (!std::isnormal(grid.unit) || grid.unit < 0.0)
        throw Error(DPA_E_OPTION,
                    "the sensitivity of a released number must be positive, finite "
                    "and not tiny");
    if (std::fma(grid.unit, most, -sensitivity) < 0.0)
        grid.unit = std::nextafter(grid.unit, std::numeric_limits<double>::infinity());
    return grid;
}

std::int64_t floor_quotient(double value, double unit) {
    const Dyadic dividend = dyadic(value);
    const Dyadic divisor = dyadic(unit);
    const int shift = dividend.exponent - divisor.exponent;
    if (shift < -kMostShift) return 0;
    const Uint128 scaled = shift < 0 ? dividend.mantissa >> -shift : dividend.mantissa << shift;
    return static_cast<std::int64_t>(scaled / divisor.mantissa);
}

double release_number(double value, double bound, const NumberGrid &grid, std::int64_t noise) {
    if (!(bound >= 0.0 && bound / grid.unit <= kRange))
        throw Error(DPA_E_OPTION, "too many records for the integer grid of a released number");
    const double clamped = value > 0.0 ? std::min(value, bound) : 0.0;  // not a number counts as 0
    const Int128 noisy = Int128{floor_quotient(clamped, grid.unit)} + noise;
    return std::clamp(grid.unit * (static_cast<double>(noisy) + 0.5), 0.0, bound);
}

}  // namespace dpadapt::privacy
