#include "cli/price.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpadapt::cli {
namespace {

constexpr const char *kMuSquare = "mu_square_units_of_2^-80";
constexpr const char *kLaplace = "laplace_epsilon_units_of_2^-40";
constexpr const char *kFailure = "failure_units_of_2^-120";
constexpr const char *kPure = "pure_epsilon_units_of_2^-40";

double up(double value) { return std::nextafter(value, std::numeric_limits<double>::infinity()); }

Uint128 sum(Uint128 a, Uint128 b) {
    Uint128 result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw Contradiction("a price is too large");
    return result;
}

Uint128 product(Uint128 a, Uint128 b) {
    Uint128 result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw Contradiction("a price is too large");
    return result;
}

/** value 2^exponent, which must be whole. */
Uint128 shifted(Uint128 value, std::int64_t exponent) {
    if (exponent < 0 || exponent > 100) throw Contradiction("a grid has too many bits, or too few");
    return product(value, Uint128{1} << exponent);
}

Uint128 whole(const Json &value) {
    if (!value.is_number_unsigned()) throw Contradiction("a whole number is missing");
    return value.get<std::uint64_t>();
}

Uint128 decimal(const Json &value) {
    const std::string digits = value.is_string() ? value.get<std::string>() : std::string();
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        throw Contradiction("a price in whole units is missing");
    Uint128 result = 0;
    for (const char digit : digits) result = sum(product(result, 10), Uint128(digit - '0'));
    return result;
}

std::string in_decimal(Uint128 value) {
    std::string digits;
    do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    while ((value /= 10) != 0);
    return digits;
}

double mu_of(Uint128 square) {
    return square == 0 ? 0.0 : up(up(std::ldexp(std::sqrt(static_cast<double>(square)), -40)));
}

double epsilon_of_units(Uint128 units) { return std::ldexp(static_cast<double>(units), -40); }

double failure_of(const Price &price) {
    return std::min(1.0, up(std::ldexp(static_cast<double>(price.failure), -120)));
}

/** (mu^2 + epsilon^2 of each kind)/2, each operation rounded up. */
double rho_of(double mu, double laplace, double pure) {
    const auto square = [](double value) { return value == 0.0 ? 0.0 : up(value * value); };
    const auto add = [](double a, double b) { return a + b == 0.0 ? 0.0 : up(a + b); };
    return 0.5 * add(square(mu), add(square(laplace), square(pure)));
}

Price of_group(const Price &price, unsigned records) {
    return {product(price.mu_square, Uint128{records} * records), product(price.laplace, records),
            product(price.pure, records), price.failure};
}

/** delta at epsilon; of a pure release, which tells one of two things, the mean. */
double delta_of(const Price &price, double epsilon) {
    const double pure = epsilon_of_units(price.pure);
    const double likely = 1.0 / (1.0 + std::exp(-pure));
    double sum = failure_of(price);
    for (const auto &[share, loss] : {std::pair(likely, pure), std::pair(1.0 - likely, -pure)}) {
        double delta = 1.0;
        (void)dpa_privacy_delta(epsilon - loss, epsilon_of_units(price.laplace),
                                mu_of(price.mu_square), &delta);
        sum += share * delta;
    }
    return std::min(sum, 1.0);
}

/** The least value of a function with one valley. */
template <typename Function>
double least(const Function &function) {
    constexpr double kSteepest = 40.0;
    double low = 0.0;
    double high = kSteepest;
    double best = function(low);
    for (int round = 0; round < 60; ++round) {
        const double third = (high - low) / 3.0;
        const double left = function(low + third);
        const double right = function(high - third);
        best = std::min({best, left, right});
        if (left < right)
            high -= third;
        else
            low += third;
    }
    return best;
}

}  // namespace

Price &Price::operator+=(const Price &other) {
    mu_square = sum(mu_square, other.mu_square);
    laplace = sum(laplace, other.laplace);
    pure = sum(pure, other.pure);
    failure = sum(failure, other.failure);
    return *this;
}

bool Price::within(const Price &cap) const {
    return mu_square <= cap.mu_square && laplace <= cap.laplace && pure <= cap.pure &&
           failure <= cap.failure;
}

Price price_in(const Json &member) {
    return {decimal(member.at(kMuSquare)), whole(member.at(kLaplace)), whole(member.at(kPure)),
            member.contains(kFailure) ? decimal(member.at(kFailure)) : 0};
}

/** Of steps into which records are drawn: what the accountant says of the integers, which rounds
 *  logarithms as the platform does, may be less than what was paid, but not more. */
Price price_of_sampled(const Json &release) {
    const Json &rate = release.at("sampling_rate_units_of_2^-32");
    const Price paid = price_in(release.at("cost"));
    const bool taken_out = release.at("relation") == "zero_out";
    const auto most =
        static_cast<double>(whole(release.at("integer_sensitivity"))) / (taken_out ? 1.0 : 2.0);
    const auto bits = static_cast<int>(whole(release.at("bits")));
    double mu = 0.0;
    if (release.at("mechanism") != "Gaussian" || bits > 100 || most == 0.0 ||
        dpa_privacy_sampled_mu(std::ldexp(1.0 / most, bits),
                               std::ldexp(static_cast<double>(whole(rate)), -32),
                               static_cast<std::int64_t>(whole(release.at("steps"))),
                               taken_out ? DPA_NEIGHBOURS_ZERO_OUT : DPA_NEIGHBOURS_REPLACE,
                               std::ldexp(static_cast<double>(paid.failure), -120), &mu) != DPA_OK)
        throw Contradiction("a sampled release is none that has a price");
    if (mu > mu_of(paid.mu_square) * (1.0 + 1e-6))
        throw Contradiction("a sampled release has paid too little");
    return paid;
}

Price price_of(const Json &release) {
    if (release.contains("sampling_rate_units_of_2^-32")) return price_of_sampled(release);
    const Uint128 sensitivity = whole(release.at("integer_sensitivity"));
    const Uint128 steps = whole(release.at("steps"));
    const auto bits = static_cast<std::int64_t>(whole(release.at("bits")));
    const std::string mechanism = release.at("mechanism");
    if (mechanism == "Gaussian")
        return {product(shifted(product(sensitivity, sensitivity), 80 - 2 * bits), steps), 0, 0};
    const Uint128 epsilon = product(shifted(sensitivity, 40 - bits), steps);
    if (mechanism == "Laplace") return {0, epsilon, 0};
    if (mechanism == "pure") return {0, 0, epsilon};
    throw Contradiction("there is no mechanism " + mechanism);
}

Price larger(const Price &a, const Price &b) {
    return {std::max(a.mu_square, b.mu_square), std::max(a.laplace, b.laplace),
            std::max(a.pure, b.pure), std::max(a.failure, b.failure)};
}

Json described(const Price &price) {
    const double mu = mu_of(price.mu_square);
    const double laplace = epsilon_of_units(price.laplace);
    const double pure = epsilon_of_units(price.pure);
    Json json = {{"mu", mu},
                 {"laplace_epsilon", laplace},
                 {"pure_epsilon", pure},
                 {"rho", rho_of(mu, laplace, pure)},
                 {kMuSquare, in_decimal(price.mu_square)},
                 {kLaplace, static_cast<std::uint64_t>(price.laplace)},
                 {kPure, static_cast<std::uint64_t>(price.pure)}};
    if (price.failure == 0) return json;
    json["rho"] = nullptr;
    json["failure"] = failure_of(price);
    json[kFailure] = in_decimal(price.failure);
    return json;
}

Json epsilon_of(const Price &price, double delta, unsigned records) {
    if (price.failure > 0) {
        const double left = (delta - failure_of(price)) * (1.0 - 0x1p-40);
        if (records > 1 || left < 1e-300) return {};
        return epsilon_of({price.mu_square, price.laplace, price.pure, 0}, left);
    }
    const Price group = of_group(price, records);
    double epsilon = 0.0;
    const dpa_status status =
        dpa_privacy_group_epsilon(delta, epsilon_of_units(group.laplace), mu_of(group.mu_square),
                                  epsilon_of_units(group.pure), 1, &epsilon);
    return status == DPA_OK ? Json(epsilon) : Json();
}

double most_found(const Price &price, double misled, unsigned records) {
    if (price.failure > 0 && records > 1) return 1.0;
    const Price group = of_group(price, records);
    const double first = least(
        [&](double epsilon) { return std::exp(epsilon) * misled + delta_of(group, epsilon); });
    const double second = least([&](double epsilon) {
        return 1.0 - std::exp(-epsilon) * (1.0 - misled - delta_of(group, epsilon));
    });
    return std::clamp(std::min(first, second), misled, 1.0);
}

}  // namespace dpadapt::cli
