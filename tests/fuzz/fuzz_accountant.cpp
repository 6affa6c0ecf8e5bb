// The accountant on any numbers: refused, or a price that its own curve confirms.
#include "fuzz/fuzz.hpp"

namespace {

/** Of any size, mostly one that a price can have. */
double number(fuzz::Input &input) {
    const double value = input.real();
    return value * std::pow(10.0, -static_cast<double>(input.below(13)));
}

/** A call whose only refusal is that of its numbers. */
bool is_done(dpa_status status) {
    REQUIRE(status == DPA_OK || status == DPA_E_INVALID_ARGUMENT);
    return status == DPA_OK;
}

double delta_at(double epsilon, double laplace, double mu) {
    double delta = -1.0;
    REQUIRE(dpa_privacy_delta(epsilon, laplace, mu, &delta) == DPA_OK);
    REQUIRE(delta >= 0.0 && delta <= 1.0);
    return delta;
}

void check_delta(double epsilon, double laplace, double mu) {
    double delta = -1.0;
    const bool in_range = std::fabs(epsilon) <= 600.0 && laplace >= 0.0 && laplace <= 300.0 &&
                          mu >= 0.0 && mu <= 50.0;
    REQUIRE(is_done(dpa_privacy_delta(epsilon, laplace, mu, &delta)) == in_range);
    REQUIRE(in_range ? delta >= 0.0 && delta <= 1.0 : delta == -1.0);
}

/** One record is no group, and more of them cost more. */
void check_epsilon(double delta, double laplace, double mu, double pure, std::int64_t records) {
    double one = -1.0;
    double alone = -1.0;
    double group = -1.0;
    const dpa_status priced = dpa_privacy_epsilon(delta, laplace, mu, 0, 1, &one);
    REQUIRE(dpa_privacy_epsilon(delta, laplace, mu, 0.0, 1, &alone) == priced);
    REQUIRE(alone == one);
    if (is_done(priced)) REQUIRE(one >= 0.0 && one <= 600.0 && delta_at(one, laplace, mu) <= delta);
    if (is_done(dpa_privacy_epsilon(delta, laplace, mu, pure, records, &group)))
        REQUIRE(records >= 1 && priced == DPA_OK && group >= one);
}

void check_noise(double epsilon, double delta, double laplace) {
    double mu = -1.0;
    if (is_done(dpa_privacy_mu(epsilon, delta, laplace, &mu)))
        REQUIRE(mu >= 1e-8 && mu < 50.0 && delta_at(epsilon, laplace, mu) <= delta);
}

/** Twice the noise, or a tenth of the records, costs no more than rounding does. */
void check_sampled(double noise, double rate, std::int64_t steps, std::int32_t neighbours,
                   double failure) {
    constexpr double kRounding = 1.1;
    double mu = -1.0;
    if (!is_done(dpa_privacy_sampled_mu(noise, rate, steps, neighbours, failure, &mu))) return;
    REQUIRE(mu >= 1e-4 && mu <= 50.0);
    double other = -1.0;
    if (is_done(dpa_privacy_sampled_mu(2.0 * noise, rate, steps, neighbours, failure, &other)))
        REQUIRE(other <= kRounding * mu);
    if (is_done(dpa_privacy_sampled_mu(noise, 0.1 * rate, steps, neighbours, failure, &other)))
        REQUIRE(other <= kRounding * mu);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    const std::size_t kind = input.below(4);
    const double epsilon = number(input);
    const double delta = number(input);
    const double laplace = number(input);
    const double mu = number(input);
    const auto count = static_cast<std::int64_t>(input.byte()) << input.below(24);
    if (kind == 0) check_delta(100.0 * epsilon, laplace, mu);
    if (kind == 1) check_epsilon(delta, laplace, mu, epsilon, count);
    if (kind == 2) check_noise(epsilon, delta, laplace);
    if (kind == 3) check_sampled(epsilon, mu, count, input.byte() % 3, delta);
    return 0;
}
