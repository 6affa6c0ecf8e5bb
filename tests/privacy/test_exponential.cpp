// The accountant's exponential against the platform's in long double.
#include "core/core.hpp"
#include "privacy/permute_and_flip.hpp"

using dpadapt::privacy::exponential;
using dpadapt::privacy::exponential_minus_one;

namespace {

constexpr double kError = 0x1p-51;

void known_values() {
    check_true("e^0", exponential(0.0) == 1.0 && exponential_minus_one(0.0) == 0.0);
    check_close("e", exponential(1.0), 2.7182818284590452354, kError);
    check_close("e^-700", exponential(-700.0), 9.8596765437597708567e-305, kError);
    check_close("e^700", exponential(700.0), 1.0142320547350045095e304, kError);
    check_close("e^-1e-10 - 1", exponential_minus_one(-1e-10), -9.9999999995e-11, kError);
}

void beyond_the_range_of_doubles() {
    check_true("0", exponential(-746.0) == 0.0 && exponential(-HUGE_VAL) == 0.0);
    check_true("infinity", exponential(710.0) == HUGE_VAL && exponential(HUGE_VAL) == HUGE_VAL);
    check_true("-1", exponential_minus_one(-HUGE_VAL) == -1.0);
    check_true("not a number", std::isnan(exponential(std::nan(""))));
}

void agrees_with_long_double() {
    std::mt19937_64 random(7);
    for (int k = 0; k < 200'000; ++k) {
        const double size = std::uniform_real_distribution(-12.0, 2.845)(random);
        const double x = (k % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, size);
        const long double wide = x;
        check_close("e^" + std::to_string(x), exponential(x), static_cast<double>(std::exp(wide)),
                    kError);
        check_close("e^x - 1 at " + std::to_string(x), exponential_minus_one(x),
                    static_cast<double>(std::expm1(wide)), 1.5 * kError);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(known_values),
        core_test(beyond_the_range_of_doubles),
        core_test(agrees_with_long_double),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
