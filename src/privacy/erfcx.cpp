#include "privacy/erfcx.hpp"

#include <cstddef>
#include <iterator>

namespace dpadapt::privacy {
namespace {

constexpr double kCoefficients[] = {
    1.17748320053744869863,      -7.26079662030190047836e-3,  -8.12651232361849978580e-2,
    6.00921280412222499974e-2,   -2.87539355802766602710e-2,  1.05956633634728600140e-2,
    -3.13692729455426423827e-3,  7.45649437253618404312e-4,   -1.36969650301005406814e-4,
    1.71838616003009371129e-5,   -7.15836462345034686333e-7,  -2.42613994424495320144e-7,
    5.57657093957035640393e-8,   -2.10578695138094948135e-9,  -1.17178893518849568494e-9,
    1.90983551724566879201e-10,  1.40887176420881296646e-11,  -6.90110832048081495534e-12,
    9.16795836411129328616e-14,  2.14545082865545529912e-13,  -1.47165750270106242241e-14,
    -6.66867511877040792416e-15, 7.50459850988008302536e-16,  2.22009300666632003551e-16,
    -3.17048989563308883568e-17, -8.19357030988433233340e-18, 1.24598197331295743533e-18,
};

/** Clenshaw's recurrence: the sum of the coefficients times the Chebyshev polynomials at t. */
double chebyshev_sum(double t) noexcept {
    double next = 0.0;
    double after = 0.0;
    for (std::size_t k = std::size(kCoefficients) - 1; k > 0; --k) {
        const double value = 2.0 * t * next - after + kCoefficients[k];
        after = next;
        next = value;
    }
    return t * next - after + kCoefficients[0];
}

}  // namespace

double erfcx(double x) noexcept { return chebyshev_sum((x - 4.0) / (x + 4.0)) / (1.0 + 2.0 * x); }

}  // namespace dpadapt::privacy
