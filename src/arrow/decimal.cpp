// Numbers that the machine has not: decimals and halves, each as the nearest double.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "arrow/column.hpp"
#include "arrow/load.hpp"
#include "base/int128.hpp"

namespace dpadapt::arrow {
namespace {

constexpr std::array<double, 23> kTens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/** value * 10^-scale, rounded once. */
double decimal(Int128 value, int scale) {
    constexpr Int128 kExact = Int128{1} << 53U;
    if (value >= -kExact && value <= kExact && scale >= 0 && scale < int{kTens.size()})
        return static_cast<double>(value) / kTens[static_cast<std::size_t>(scale)];
    std::array<char, 64> text{};  // 39 digits, the sign, and the exponent
    char *const exponent = text.data() + 44;
    *exponent = 'e';
    const char *const end = std::to_chars(exponent + 1, text.data() + text.size(), -scale).ptr;
    char *at = exponent;
    auto rest = static_cast<Uint128>(value);
    if (value < 0) rest = -rest;
    do *--at = static_cast<char>('0' + static_cast<int>(rest % 10));
    while ((rest /= 10) > 0);
    if (value < 0) *--at = '-';
    double number = 0.0;
    const auto result = std::from_chars(at, end, number);
    return result.ec == std::errc{} ? number : std::numeric_limits<double>::quiet_NaN();
}

/** A number of 16 bits: sign, 5 of the exponent, 10 of the fraction. */
double half(std::uint16_t bits) {
    constexpr unsigned kInfinite = 31;
    const unsigned exponent = (bits >> 10U) & kInfinite;
    const unsigned fraction = bits & 0x3FFU;
    double number = 0.0;
    if (exponent == kInfinite)
        number = fraction == 0 ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
    else if (exponent == 0)
        number = std::ldexp(fraction, -24);
    else
        number = std::ldexp(fraction + 0x400U, static_cast<int>(exponent) - 25);
    return (bits & 0x8000U) != 0 ? -number : number;
}

}  // namespace

bool Column::read_decimals(std::size_t first, std::size_t count, double *out,
                           std::size_t stride) const {
    const auto each = [&](const auto &number) {
        for (std::size_t i = 0; i < count; ++i) out[i * stride] = number(rows_.begin + first + i);
        return true;
    };
    switch (kind_) {
        case Kind::half_precision:
            return each([&](std::size_t at) { return half(load<std::uint16_t>(values_, at)); });
        case Kind::decimal32:
            return each(
                [&](std::size_t at) { return decimal(load<std::int32_t>(values_, at), scale_); });
        case Kind::decimal64:
            return each(
                [&](std::size_t at) { return decimal(load<std::int64_t>(values_, at), scale_); });
        case Kind::decimal128:
            return each([&](std::size_t at) { return decimal(load<Int128>(values_, at), scale_); });
        default:
            return false;
    }
}

}  // namespace dpadapt::arrow
