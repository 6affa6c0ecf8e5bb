// The bound of an evaluation's errors follows from a noisy histogram: noise must not pass for rows.
#include "core/core.hpp"
#include "evaluate/decode.hpp"
#include "evaluate/error_bound.hpp"
#include "records/error_terms.hpp"

using namespace dpadapt;

namespace {

/** Log losses of scores with that deviation, whose classes follow them. */
std::vector<double> log_losses(double deviation, std::size_t rows, std::mt19937_64 &random) {
    std::normal_distribution<double> normal(0.0, deviation);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> losses;
    while (losses.size() < rows) {
        const double score = normal(random);
        const bool positive = uniform(random) < 1.0 / (1.0 + std::exp(-score));
        losses.push_back(std::log1p(std::exp(positive ? -score : score)));
    }
    return losses;
}

std::size_t bin_of(double loss) {
    std::size_t bin = 0;
    while (records::upper_size(bin) < loss) ++bin;
    return bin;
}

/** The bound, as a multiple of the largest loss. */
double relative_bound(const std::vector<double> &losses, double noise, std::mt19937_64 &random) {
    std::normal_distribution<double> normal(0.0, noise);
    std::vector<double> counts(records::kSizeBins);
    for (double &count : counts) count = normal(random);
    for (const double loss : losses) ++counts[bin_of(loss)];
    return evaluate::bound_of_sizes(counts, noise) /
           *std::max_element(losses.begin(), losses.end());
}

void noise_does_not_pass_for_rows() {
    std::mt19937_64 random(1);
    for (const double deviation : {1.0, 3.0, 6.0}) {
        int far = 0;
        for (int draw = 0; draw < 1000; ++draw)
            far += relative_bound(log_losses(deviation, 400, random), 16.0, random) > 8.0;
        check_true("of scores " + std::to_string(deviation) + " wide", far <= 5);
    }
}

void an_interval_has_a_width_where_noise_leads_out_of_the_range() {
    const evaluate::Interval high = evaluate::interval(1.5, 0.1, 0.0, 1.0, 0.95);
    const evaluate::Interval low = evaluate::interval(-0.5, 0.1, 0.0, 1.0, 0.95);
    check_true("above", high.estimate == 1.0 && high.upper == 1.0 && high.lower < 0.81);
    check_true("below", low.estimate == 0.0 && low.lower == 0.0 && low.upper > 0.19);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(noise_does_not_pass_for_rows),
        core_test(an_interval_has_a_width_where_noise_leads_out_of_the_range),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
