// Vectorised elementary functions against long double libm, and their bits against known ones.
#include <bit>
#include <functional>
#include <limits>
#include <vector>

#include "core.hpp"
#include "loss/score_loss.hpp"

namespace loss = dpadapt::loss;

namespace {

using Vectorised = void (*)(std::size_t, const double *, double *);
using Reference = std::function<long double(long double)>;
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

double ulps(double value, long double reference) {
    const int exponent = reference == 0.0L ? -2000 : std::ilogb(reference);
    return static_cast<double>(std::abs(value - reference) /
                               std::ldexp(1.0L, std::max(exponent - 52, -1074)));
}

/** Points from low to high, even steps with an odd part in the last bits, and both signs of sizes
 *  10^-320..10^2. */
std::vector<double> grid(double low, double high) {
    std::vector<double> x;
    constexpr int kPoints = 300007;
    for (int i = 0; i <= kPoints; ++i) x.push_back(low + (high - low) * i / kPoints);
    for (int i = -320000; i <= 2000; ++i) {
        const double size = std::pow(10.0, i / 1000.0);
        if (size <= high) x.push_back(size);
        if (-size >= low) x.push_back(-size);
    }
    return x;
}

void check_accuracy(const std::string &name, Vectorised function, const Reference &reference,
                    double low, double high, double most) {
    const std::vector<double> x = grid(low, high);
    std::vector<double> y(x.size());
    function(x.size(), x.data(), y.data());
    double worst = 0.0;
    double where = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = ulps(y[i], reference(x[i]));
        if (error > worst) {
            worst = error;
            where = x[i];
        }
    }
    std::printf("%s on [%g, %g]: %.3f ulp at %.17g\n", name.c_str(), low, high, worst, where);
    check_true(name + " is accurate", worst <= most);
}

long double softplus(long double x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
long double sigmoid(long double x) { return 1.0L / (1.0L + std::exp(-x)); }

void functions_are_accurate() {
    for (const double most : {1.0, 40.0, 800.0}) {
        check_accuracy(
            "exp", loss::exp, [](long double x) { return std::exp(x); }, -most,
            std::min(most, 709.78), 1.0);
        check_accuracy("log1p_exp", loss::log1p_exp, softplus, -most, most, 2.0);
        check_accuracy("logistic", loss::logistic, sigmoid, -most, most, 2.5);
        check_accuracy(
            "tanh", loss::tanh, [](long double x) { return std::tanh(x); }, -most, most, 2.5);
        check_accuracy(
            "log1p", loss::log1p, [](long double x) { return std::log1p(x); }, 0.0, most, 1.0);
    }
    check_accuracy(
        "log1p", loss::log1p, [](long double x) { return std::log1p(x); }, 0.0, 1e300, 1.0);
}

double at(Vectorised function, double x) {
    double y = 0.0;
    function(1, &x, &y);
    return y;
}

void check_value(const std::string &what, double value, double expected) {
    const bool same = std::isnan(expected) ? std::isnan(value)
                                           : std::bit_cast<std::uint64_t>(value) ==
                                                 std::bit_cast<std::uint64_t>(expected);
    check_true(what + ": " + std::to_string(value), same);
}

void limits_and_nan() {
    constexpr double kMost = std::numeric_limits<double>::max();
    for (const double most : {kInf, kMost, 1e5, 800.0}) {
        check_value("exp high", at(loss::exp, most), kInf);
        check_value("exp low", at(loss::exp, -most), 0.0);
        check_value("log1p_exp high", at(loss::log1p_exp, most), most);
        check_value("log1p_exp low", at(loss::log1p_exp, -most), 0.0);
        check_value("logistic high", at(loss::logistic, most), 1.0);
        check_value("logistic low", at(loss::logistic, -most), 0.0);
        check_value("tanh high", at(loss::tanh, most), 1.0);
        check_value("tanh low", at(loss::tanh, -most), -1.0);
    }
    for (const double zero : {0.0, -0.0, kTiny, -kTiny, 1e-310, -1e-310}) {
        check_value("exp at 0", at(loss::exp, zero), 1.0);
        check_value("log1p_exp at 0", at(loss::log1p_exp, zero), std::log(2.0));
        check_value("logistic at 0", at(loss::logistic, zero), 0.5);
        check_value("tanh at 0", at(loss::tanh, zero), zero);
        check_value("log1p at 0", at(loss::log1p, std::abs(zero)), std::abs(zero));
    }
    for (const auto function : {loss::exp, loss::log1p_exp, loss::logistic, loss::tanh})
        check_value("nan", at(function, kNan), kNan);
    check_value("smallest exp", at(loss::exp, -744.5), kTiny);
    check_value("smallest log1p_exp", at(loss::log1p_exp, -744.5), kTiny);
}

/** Whatever the length of the block, the position in it, and in place. */
void every_position_gives_the_same_bits() {
    Random random(3);
    std::vector<double> x(67);
    for (double &value : x) value = 10 * random.normal();
    for (const auto function : {loss::exp, loss::log1p_exp, loss::logistic, loss::tanh})
        for (std::size_t n = 0; n <= x.size(); ++n) {
            std::vector<double> y(x.end() - static_cast<std::ptrdiff_t>(n), x.end());
            y.push_back(-3.0);
            function(n, y.data(), y.data());
            for (std::size_t i = 0; i < n; ++i)
                check_value("bits", y[i], at(function, x[x.size() - n + i]));
            check_value("beyond the end", y[n], -3.0);
        }
}

void both_at_once_are_the_same() {
    Random random(4);
    std::vector<double> x(67);
    for (double &value : x) value = 10 * random.normal();
    std::vector<double> value(67);
    std::vector<double> slope(67);
    loss::log1p_exp_and_logistic(x.size(), x.data(), value.data(), slope.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
        check_value("value", value[i], at(loss::log1p_exp, x[i]));
        check_value("slope", slope[i], at(loss::logistic, x[i]));
    }
    std::vector<double> in_place = x;
    loss::log1p_exp_and_logistic(x.size(), in_place.data(), value.data(), in_place.data());
    check_true("in place", in_place == slope);
}

/** Known bits: the same on every machine, whichever instruction set was chosen, and without any
 *  choice. */
void every_instruction_set_gives_the_same_bits() {
    std::vector<double> x;
    for (int i = -400000; i <= 400000; ++i) x.push_back(i * 0x1.0624dd2f1a9fcp-9);
    std::vector<double> y(x.size());
    const auto digest = [&](Vectorised function) {
        function(x.size(), x.data(), y.data());
        std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, word by word
        for (const double value : y)
            hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
        return hash;
    };
    const auto check_digest = [&](const char *name, Vectorised function, std::uint64_t known) {
        const std::uint64_t found = digest(function);
        if (found == known) return;
        check_true(name, false);
        std::fprintf(stderr, "digest 0x%016llx\n", static_cast<unsigned long long>(found));
    };
    check_digest("exp", loss::exp, 0x05362ddf98c66b5b);
    check_digest("log1p_exp", loss::log1p_exp, 0xb9d6662c2ba51859);
    check_digest("logistic", loss::logistic, 0x1747e3c3833118e8);
    check_digest("tanh", loss::tanh, 0xfc72751708f86e27);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(functions_are_accurate),
        core_test(limits_and_nan),
        core_test(every_position_gives_the_same_bits),
        core_test(both_at_once_are_the_same),
        core_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
