// The price of sampled releases: against another library's numbers, against integrals of the laws
// themselves, and its shape.
#include <array>

#include "base/error.hpp"
#include "privacy/accountant.hpp"
#include "privacy/privacy.hpp"
#include "privacy/privacy_curve.hpp"
#include "privacy/sampled_gaussian.hpp"

using namespace dpadapt;
using privacy::Neighbours;
using privacy::sampled_mu;
using privacy::SampledSteps;

namespace {

constexpr double kFailure = 1e-5 / 64;

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * M_PI); }

/** epsilon at 1e-5 of Google's dp-accounting 0.6.0 (PLDAccountant, add or remove one). */
void as_another_accountant_says() {
    const struct {
        double rate;
        std::uint64_t steps;
        double sigma, epsilon, loose;
    } rows[] = {{0.1, 200, 3.0, 2.00365, 1.01},
                {0.01, 2000, 1.2, 1.8599, 1.03},
                {0.01, 10000, 1.0, 6.18774, 1.04},
                {0.25, 80, 4.0, 2.38368, 1.01},
                {0.01, 1000, 0.8, 3.14102, 1.08},
                {0.001, 100000, 2.0, 0.60569, 1.015},
                {256.0 / 60000, 14062, 1.1, 2.38169, 1.08}};
    for (const auto &row : rows) {
        const SampledSteps steps{row.rate, row.steps, Neighbours::zero_out};
        const double mu = sampled_mu(steps, 1.0 / row.sigma, kFailure);
        const double epsilon = privacy::epsilon(1e-5, {0.0, mu, 0.0, kFailure});
        // The other library rounds by about 1e-4 as well.
        check_true("not below: " + std::to_string(epsilon), epsilon >= row.epsilon * (1 - 1e-4));
        check_true("hardly above: " + std::to_string(epsilon), epsilon <= row.epsilon * row.loose);
    }
}

/** Of every record, and of nearly every one. Where parts are large, losses are far apart. */
void without_sampling_it_is_the_gaussian_price() {
    for (const double most : {0.01, 0.3, 1.5, 4.0})
        for (const std::uint64_t steps : {1U, 7U, 100U}) {
            const double exact = most * std::sqrt(static_cast<double>(steps));
            if (exact > 6.0 && steps > 1) continue;
            const double one = sampled_mu({1.0, steps, Neighbours::zero_out}, most, 1e-8);
            const double two = sampled_mu({1.0, steps, Neighbours::replace}, most, 1e-8);
            const double near = sampled_mu({1.0 - 1e-12, steps, Neighbours::replace}, most, 1e-8);
            check_true("nearly all: " + std::to_string(near / two),
                       near >= two * (1 - 1e-3) && near <= two * (1 + 1e-3));
            check_true("taken out: " + std::to_string(one / exact),
                       one >= exact * (1 - 1e-6) && one <= 1.02 * exact);
            check_true("replaced: " + std::to_string(two / exact),
                       two >= 2 * exact * (1 - 1e-6) && two <= 2.03 * exact);
        }
}

/** P and Q of one step on a line. */
struct Laws {
    double rate, most;
    Neighbours neighbours;

    [[nodiscard]] double p(double z) const {
        return (1 - rate) * density(z) + rate * density(z - most);
    }
    [[nodiscard]] double q(double z) const {
        return neighbours == Neighbours::zero_out
                   ? density(z)
                   : (1 - rate) * density(z) + rate * density(z + most);
    }
};

const std::array<Laws, 6> kLaws = {{{0.3, 1.2, Neighbours::zero_out},
                                    {0.05, 0.4, Neighbours::zero_out},
                                    {0.01, 2.5, Neighbours::zero_out},
                                    {0.3, 1.2, Neighbours::replace},
                                    {0.05, 0.4, Neighbours::replace},
                                    {0.01, 2.5, Neighbours::replace}}};

/** delta of two steps by integrating over both results, in both directions: never above what the
 *  price allows, at any epsilon. */
void two_steps_by_integration() {
    constexpr int kPoints = 601;
    for (const Laws &laws : kLaws) {
        const double mu = sampled_mu({laws.rate, 2, laws.neighbours}, laws.most, 1e-6);
        const double width = (20.0 + 2 * laws.most) / (kPoints - 1);
        std::vector<double> p;
        std::vector<double> q;
        for (int k = 0; k < kPoints; ++k) {
            const double z = -10.0 - laws.most + k * width;
            p.push_back(width * laws.p(z));
            q.push_back(width * laws.q(z));
        }
        double tightest = 1.0;
        for (double epsilon = 0.0; epsilon < 12.0; epsilon = 1.04 * epsilon + 0.03) {
            const double factor = std::exp(epsilon);
            double forward = 0.0;
            double backward = 0.0;
            for (int i = 0; i < kPoints; ++i)
                for (int j = 0; j < kPoints; ++j) {
                    const double a = p[i] * p[j];
                    const double b = q[i] * q[j];
                    forward += std::max(0.0, a - factor * b);
                    backward += std::max(0.0, b - factor * a);
                }
            const double allowed = privacy::delta(epsilon, {0.0, mu, 0.0, 1e-6});
            // The integrals are exact to about 1e-6 of the kinks.
            check_true("forward", forward <= allowed * (1 + 1e-4) + 1e-9);
            check_true("backward", backward <= allowed * (1 + 1e-4) + 1e-9);
            const double there = std::max(forward, backward) - 1e-6;
            if (there > 5e-8) tightest = std::min(tightest, 1.0 - there / (allowed - 1e-6));
        }
        check_true("attained somewhere: " + std::to_string(tightest), tightest < 0.15);
    }
}

/** In the plane records may differ in direction: no pair of them is easier to tell apart than
 *  opposite ones on a line. */
void no_direction_is_worse() {
    Random random(5);
    constexpr int kPoints = 161;
    const double rate = 0.2;
    const double most = 1.3;
    const auto delta = [&](double x0, double x1, double y0, double y1, double factor) {
        const double width = 14.0 / (kPoints - 1);
        double sum = 0.0;
        for (int i = 0; i < kPoints; ++i)
            for (int j = 0; j < kPoints; ++j) {
                const double a = -7.0 + i * width;
                const double b = -7.0 + j * width;
                const double base = (1 - rate) * density(a) * density(b);
                const double p = base + rate * density(a - x0) * density(b - x1);
                const double q = base + rate * density(a - y0) * density(b - y1);
                sum += width * width * std::max(0.0, p - factor * q);
            }
        return sum;
    };
    for (const double epsilon : {0.0, 0.1, 0.4, 1.0}) {
        const double factor = std::exp(epsilon);
        const double line = delta(most, 0.0, -most, 0.0, factor);
        for (int draw = 0; draw < 40; ++draw) {
            const double angle = 6.2832 * random.uniform();
            const double one = most * std::sqrt(random.uniform());
            const double two = draw % 2 == 0 ? most : most * random.uniform();
            check_true("not worse", delta(one, 0.0, two * std::cos(angle), two * std::sin(angle),
                                          factor) <= line * (1 + 1e-3));
        }
    }
}

void prices_are_monotone() {
    const auto price = [](double rate, std::uint64_t steps, double most) {
        return sampled_mu({rate, steps, Neighbours::replace}, most, 1e-7);
    };
    const double middle = price(0.05, 300, 0.5);
    check_true("rate", price(0.04, 300, 0.5) < middle && middle < price(0.06, 300, 0.5));
    check_true("steps", price(0.05, 250, 0.5) < middle && middle < price(0.05, 350, 0.5));
    check_true("part", price(0.05, 300, 0.45) < middle && middle < price(0.05, 300, 0.55));
    check_true("relation", sampled_mu({0.05, 300, Neighbours::zero_out}, 0.5, 1e-7) < middle);
    const double least = sampled_mu({1e-6, 10'000'000, Neighbours::zero_out}, 1e-6, 1e-9);
    check_close("as without sampling", least, 1e-6 * std::sqrt(1e7), 1e-9);
}

void the_largest_part_is_found() {
    for (const Neighbours neighbours : {Neighbours::replace, Neighbours::zero_out})
        for (const double mu : {0.05, 0.27, 1.0, 2.5}) {
            const SampledSteps steps{0.05, 400, neighbours};
            const double most = privacy::sampled_most(steps, mu, kFailure);
            const double price = sampled_mu(steps, most, kFailure);
            check_true("within: " + std::to_string(price / mu), price <= mu && price > 0.98 * mu);
        }
}

/** Of losses so far apart that delta at a place is the mass above it: products and sums that
 *  doubles round down. */
void rounded_masses_stay_upper_bounds() {
    const double a = 0.1;
    const double b = 0.7;
    check_true("rounded down", std::fma(a, b, -(a * b)) > 0.0);
    const auto losses = [](double mass, double infinite) {
        return privacy::LossDistribution(1024.0, 0, {0.0, mass}, infinite, 0.0);
    };
    const privacy::LossDistribution sum = losses(a, 0.0) + losses(b, 0.0);
    check_true("a product", std::fma(-a, b, sum.curve()[0]) >= 0.0);
    const double tiny = 0x1p-60;
    check_true("a sum", (losses(0.0, a) + losses(0.0, tiny)).infinite() - a >= tiny);
    privacy::LossDistribution cut = losses(b, a);
    cut.cut(b);
    check_true("what is cut", cut.infinite() - a >= b);
}

void a_failure_is_a_part_of_delta() {
    const double without = privacy::delta(1.0, {0.0, 0.3, 0.0});
    check_close("delta", privacy::delta(1.0, {0.0, 0.3, 0.0, 1e-6}), without + 1e-6, 1e-9);
    const double epsilon = privacy::epsilon(1e-5, {0.0, 0.3, 0.0, 1e-6});
    check_close("epsilon", epsilon, privacy::epsilon(9e-6, {0.0, 0.3, 0.0}), 1e-9);
    check_true("no epsilon", !privacy::known_epsilon(1e-7, {0.0, 0.3, 0.0, 1e-6}));
    check_true("no groups",
               !privacy::known_epsilon(1e-5, privacy::totals_of_group({0.0, 0.3, 0.0, 1e-9}, 2)));
    check_true("one is no group",
               privacy::known_epsilon(1e-5, privacy::totals_of_group({0.0, 0.3, 0.0, 1e-9}, 1))
                   .has_value());
}

void what_is_out_of_range_is_refused() {
    const auto refused = [](double rate, std::uint64_t steps, double most, double failure) {
        try {
            (void)sampled_mu({rate, steps, Neighbours::replace}, most, failure);
        } catch (const Error &error) {
            return error.status() == DPA_E_INVALID_ARGUMENT;
        }
        return false;
    };
    const double nan = std::nan("");
    check_true("rate",
               refused(0.0, 1, 1, 1e-6) && refused(1.1, 1, 1, 1e-6) && refused(nan, 1, 1, 1e-6));
    check_true("steps", refused(0.1, 0, 1, 1e-6) && refused(0.1, 20'000'000, 1, 1e-6));
    check_true("part", refused(0.1, 1, 0, 1e-6) && refused(0.1, 1, 11, 1e-6));
    check_true("failure", refused(0.1, 1, 1, 0.0) && refused(0.1, 1, 1, 0.5));
    check_true("beyond every mu",
               std::isinf(sampled_mu({1.0, 10000, Neighbours::replace}, 10.0, 1e-6)));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(as_another_accountant_says),
        core_test(without_sampling_it_is_the_gaussian_price),
        core_test(two_steps_by_integration),
        core_test(no_direction_is_worse),
        core_test(prices_are_monotone),
        core_test(the_largest_part_is_found),
        core_test(rounded_masses_stay_upper_bounds),
        core_test(a_failure_is_a_part_of_delta),
        core_test(what_is_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
