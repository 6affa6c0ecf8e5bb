// Coins with probability exp(-x), x a number with so many binary digits, exactly.
#include "core/core.hpp"
#include "draws.hpp"
#include "random/noise.hpp"

using namespace dpadapt;
using namespace dpadapt::random;

namespace {

constexpr int kDraws = 400000;

/** A frequency is within 5 deviations of the probability. */
void check_frequency(const std::string &what, Uint128 numerator, unsigned bits, double x,
                     Stream &stream) {
    int heads = 0;
    for (int i = 0; i < kDraws; ++i) heads += exponential_coin(numerator, bits, stream) ? 1 : 0;
    const double p = std::exp(-x);
    const double deviation = std::sqrt(p * (1.0 - p) / kDraws);
    check_true(what + ": x = " + std::to_string(x),
               std::abs(heads / static_cast<double>(kDraws) - p) <= 5.0 * deviation);
}

void frequencies_are_those_of_the_exponential() {
    const Key key = counting_key(7);
    Stream stream(key, Purpose::selector, 0, 0);
    for (const double x : {0.0, 0.0625, 0.5, 0.8125, 1.0, 1.5, 2.0, 4.75})
        for (const unsigned bits : {4U, 31U, 32U, 33U, 71U, 96U})
            check_frequency("bits " + std::to_string(bits),
                            static_cast<Uint128>(16.0 * x) << (bits - 4), bits, x, stream);
    check_frequency("whole", 1, 0, 1.0, stream);
    check_frequency("a third", (Uint128{1} << 71) / 3, 71, 1.0 / 3.0, stream);
}

/** Nothing is rounded: an exponent far below what a double resolves beside 1 shows only in the
 *  limit. */
void extreme_exponents() {
    const Key key = counting_key(8);
    Stream stream(key, Purpose::selector, 0, 0);
    for (int i = 0; i < 10000; ++i) {
        check_true("0", exponential_coin(0, 71, stream));
        check_true("2^-71", exponential_coin(1, 71, stream));
        check_true("2^56", !exponential_coin(~Uint128{0}, 71, stream));
    }
}

void the_bits_decide() {
    const auto draw = [](std::uint8_t first) {
        const Key key = counting_key(first);
        Stream stream(key, Purpose::selector, 0, 0);
        std::vector<bool> heads;
        for (int i = 0; i < 200; ++i) heads.push_back(exponential_coin(1, 1, stream));
        return heads;
    };
    check_true("same key", draw(3) == draw(3));
    check_true("other key", draw(3) != draw(4));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(frequencies_are_those_of_the_exponential),
        core_test(extreme_exponents),
        core_test(the_bits_decide),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
