// For a fixed alpha the noise of the result is hardly more than that of one Gaussian release of the
// whole price: all steps are averaged where they agree.
#include "privacy/replay.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kRows = 800;

/** All signs of the features equally often, so that the metric is exact. */
Data signs(double slope) {
    Data data{std::vector<double>(kRows * kFeatures), std::vector<double>(kRows)};
    for (std::size_t i = 0; i < kRows; ++i) {
        for (std::size_t j = 0; j < kFeatures; ++j) {
            const double sign = (i >> j & 1) != 0 ? 1.0 : -1.0;
            data.x[i * kFeatures + j] = sign;
            data.y[i] += slope * sign;
        }
        data.y[i] += (i >> kFeatures & 1) != 0 ? 0.05 : -0.05;
    }
    return data;
}

/** Root mean square error of the coefficients, in units of the deviation of one release. */
double noise_of(const OptionTexts &more) {
    constexpr int kFits = 1000;
    const Data source = signs(0.1);
    const Data target = signs(0.12);
    OptionTexts options = {{"epsilon", "4"},       {"delta", "1e-5"},      {"alpha", "0"},
                           {"preprocess", "none"}, {"intercept", "false"}, {"clip_bound", "1"},
                           {"kappa_1", "1e9"},     {"moments_share", "0"}, {"metric_ridge", "1e-9"},
                           {"shrinkage", "0"}};
    for (const auto &[name, text] : more) options[name] = text;
    double square = 0.0;
    double mu = 0.0;
    for (int fit = 0; fit < kFits; ++fit) {
        options["unsafe_seed"] = std::to_string(fit);
        const Run run = run_private(source, target, options, nullptr);
        mu = run.plan.total.totals().mu;
        for (const double w : run.solution.coefficients) square += (w - 0.12) * (w - 0.12);
    }
    const double norms = options.contains("neighbours") ? 1.0 : 2.0;
    const double once = norms / (static_cast<double>(kRows) * mu);
    return std::sqrt(square / kFits / static_cast<double>(kFeatures)) / once;
}

void hardly_more_than_one_release() {
    const double usual = noise_of({});
    check_true("20 steps: " + std::to_string(usual), usual > 0.97 && usual < 1.05);
    const double longer = noise_of({{"iterations", "60"}});
    check_true("60 steps: " + std::to_string(longer), longer > 0.97 && longer < 1.05);
    const double taken_out = noise_of({{"neighbours", "zero_out"}});
    check_true("taken out: " + std::to_string(taken_out), taken_out > 0.97 && taken_out < 1.05);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(hardly_more_than_one_release)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
