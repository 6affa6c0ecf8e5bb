// A fixed alpha, and noise that hides all that few records of many features could tell: the result
// is what alpha and the public part alone give.
#include "privacy/replay.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kColumns = 40;

/** Both domains have the same law. */
Data same_law(std::size_t rows, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kColumns), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < kColumns; ++j) {
            double &x = data.x[i * kColumns + j];
            x = random.normal();
            data.y[i] += x;
        }
        data.y[i] += random.normal();
    }
    return data;
}

Sample sample(const Data &data) {
    return Sample::lend({data.x.data(), data.y.size(), kColumns, kColumns, true}, data.y.data());
}

/** Squared error of the coefficients, all of which are 1: the expected error beyond the labels'
 *  noise, which is 1. */
double excess(const std::string &alpha, unsigned seed) {
    const Data source = same_law(2000, 1);
    const Data target = same_law(200, 2 + seed);
    const Settings settings = settings_of({{"epsilon", "0.5"},
                                           {"delta", "1e-3"},
                                           {"alpha", alpha},
                                           {"unsafe_seed", std::to_string(seed)}},
                                          Wanted::fit);
    NoControl control;
    const Sample of_source = sample(source);
    const Sample of_target = sample(target);
    PrivateCall call(of_source, of_target, settings, Wanted::fit, control);
    privacy::Ledger ledger;
    call.charge(ledger);
    const Solution solution = solve_private(call, settings.discrepancy, nullptr);
    double sum = 0.0;
    for (const double w : solution.coefficients) sum += (w - 1.0) * (w - 1.0);
    return sum;
}

void noise_that_hides_everything_moves_nothing() {
    for (const std::string alpha : {"0.1", "0.5", "0.9"})
        for (unsigned seed = 0; seed < 6; ++seed) {
            const double error = excess(alpha, seed);
            check_true("alpha " + alpha + ": " + std::to_string(error), error < 0.1);
        }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(noise_that_hides_everything_moves_nothing)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
