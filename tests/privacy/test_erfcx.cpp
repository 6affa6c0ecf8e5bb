// erfcx against values with 17 digits, Laplace's continued fraction and the complement identity.
#include "core/core.hpp"
#include "privacy/accountant.hpp"

using dpadapt::privacy::erfcx;

namespace {

void known_values() {
    constexpr double kTable[][2] = {{0, 1},
                                    {0.5, 0.61569034419292587},
                                    {1, 0.427583576155807},
                                    {3, 0.17900115118138995},
                                    {10, 0.056140992743822586},
                                    {26, 0.021683584850562907},
                                    {1000, 0.00056418930145338765},
                                    {1e8, 5.6418958354775626e-9}};
    for (const auto &[x, value] : kTable) check_close("erfcx", erfcx(x), value, 1e-15);
}

/** 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))) / sqrt(pi), from the inside out. */
long double continued_fraction(long double x) {
    long double tail = x;
    for (int k = 400; k > 0; --k) tail = x + 0.5L * k / tail;
    return 1.0L / (tail * std::sqrt(std::acos(-1.0L)));
}

void agrees_with_the_continued_fraction() {
    for (double x = 2.5; x < 1e9; x *= 1.001)
        check_close("erfcx(" + std::to_string(x) + ")", erfcx(x),
                    static_cast<double>(continued_fraction(x)), 1e-15);
}

void agrees_with_erfc() {
    for (double x = 0.0; x < 2.6; x += 1.0 / 4096) {
        const long double wide = x;
        check_close("erfcx(" + std::to_string(x) + ")", erfcx(x),
                    static_cast<double>(std::exp(wide * wide) * std::erfc(wide)), 1e-15);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(known_values),
        core_test(agrees_with_the_continued_fraction),
        core_test(agrees_with_erfc),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
