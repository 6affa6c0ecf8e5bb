#include "privacy/release.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"

namespace dpadapt::privacy {

namespace {

constexpr int kMuSquareBits = 80;

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() - b
               ? std::numeric_limits<std::uint64_t>::max()
               : a + b;
}

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

Cost &Cost::operator+=(const Cost &other) {
    mu_square += std::min(other.mu_square, ~Uint128{0} - mu_square);
    laplace = saturating_sum(laplace, other.laplace);
    pure = saturating_sum(pure, other.pure);
    failure += std::min(other.failure, ~Uint128{0} - failure);
    return *this;
}

bool Cost::within(const Cost &cap) const {
    // mutant: cap_off_by_one
    return mu_square <= cap.mu_square && laplace <= cap.laplace && pure <= cap.pure &&
           failure <= cap.failure;
}

Totals Cost::totals() const {
    // Exact: no total in use has more than 53 bits.
    const auto epsilon = [](std::uint64_t units) {
        return std::ldexp(static_cast<double>(units), -kEpsilonBits);
    };
    const double mu = std::ldexp(std::sqrt(static_cast<double>(mu_square)), -kMuSquareBits / 2);
    // Conversion and root are each off by half a unit in the last place at most.
    const double failed = std::ldexp(static_cast<double>(failure), -kFailureBits);
    return {epsilon(laplace), mu_square == 0 ? 0.0 : up(up(mu)), epsilon(pure),
            failure == 0 ? 0.0 : std::min(1.0, up(failed))};
}

Totals Cost::totals_below() const {
    Totals below = totals();
    for (int step = 0; step < 4; ++step) below.mu = std::nextafter(below.mu, 0.0);
    return below;
}

Uint128 mu_square_units(double mu) {
    // The significand is split off: its square is exact in 106 bits.
    if (!(mu > 0.0)) return 0;
    int exponent = 0;
    const auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(mu, &exponent), 53));
    const Uint128 square = Uint128{significand} * significand;
    const int shift = 2 * (exponent - 53) + kMuSquareBits;
    if (shift <= -128) return 0;
    return shift < 0 ? square >> -shift : square << std::min(shift, 21);
}

std::uint64_t epsilon_units(double epsilon) {
    return static_cast<std::uint64_t>(
        std::floor(std::ldexp(std::clamp(epsilon, 0.0, 1e6), kEpsilonBits)));
}

Cost cost_of_group(const Cost &cost, unsigned records) {
    const auto times = [](auto units, auto factor) {
        const auto most = static_cast<decltype(units)>(~decltype(units){0});
        return units > most / factor ? most : static_cast<decltype(units)>(units * factor);
    };
    // mutant: groups_as_if_independent
    const Uint128 square = Uint128{records} * records;
    return {times(cost.mu_square, square), times(cost.laplace, std::uint64_t{records}),
            times(cost.pure, std::uint64_t{records}),
            cost.failure > 0 && records > 1 ? Uint128{1} << kFailureBits : cost.failure};
}

Cost larger_cost(const Cost &a, const Cost &b) {
    return {std::max(a.mu_square, b.mu_square), std::max(a.laplace, b.laplace),
            std::max(a.pure, b.pure), std::max(a.failure, b.failure)};
}

Cost left_of(const Cost &cap, const Cost &spent) {
    return {cap.mu_square - std::min(spent.mu_square, cap.mu_square),
            cap.laplace - std::min(spent.laplace, cap.laplace),
            cap.pure - std::min(spent.pure, cap.pure),
            cap.failure - std::min(spent.failure, cap.failure)};
}

std::int64_t norms_moved(Neighbours neighbours) {
    // mutant: relations_mixed_up
    return neighbours == Neighbours::zero_out ? 1 : 2;
}

const char *purpose(ReleaseKind kind) {
    constexpr std::array kPurposes{
        "discrepancy",
        "mean losses of public predictors, and, unless it is told, how many records have a label",
        "second moments",
        "gradient of the predictor",
        "gradient of the predictor in an epoch: a sum of each of its disjoint batches",
        "gradient of the predictor in a batch, into which each record is drawn by itself",
        "gradient of the source weights",
        "gradient of the target weights",
        "selection of a candidate by permute-and-flip",
        "histograms of the sizes of errors",
        "errors of solutions",
        "curvature and squares of the gradients, for intervals",
        "sum of the records' weights, each over its bound",
        "second moments, for columns that the source lacks",
        "numbers of records by the size of their error, for prediction intervals",
        "answers of teachers, each of whom knows a part of the records"};
    return kPurposes.at(static_cast<std::size_t>(kind));
}

Cost Release::cost() const {
    if (rate > 0) return sampled;
    const auto sensitivity = static_cast<Uint128>(integer_sensitivity);
    if (mechanism == Mechanism::gaussian)
        return {(sensitivity * sensitivity << (kMuSquareBits - 2 * bits)) * steps, 0, 0};
    const auto epsilon = static_cast<std::uint64_t>((sensitivity << (kEpsilonBits - bits)) * steps);
    return mechanism == Mechanism::laplace ? Cost{0, epsilon, 0} : Cost{0, 0, epsilon};
}

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
