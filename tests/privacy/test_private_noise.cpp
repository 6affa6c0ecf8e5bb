// The noise of private runs: its size is that of the plan, in every release of every method, it is
// different in every coordinate, step and call, and nothing but the seed decides it.
#include <algorithm>
#include <set>

#include "privacy/replay.hpp"

using namespace dpadapt;

namespace {

/** What the noise of a release should be divided by to be standard: sigma, or b sqrt(2) for
 *  Laplace. */
double deviation(const privacy::Release &release) {
    const double scale = std::ldexp(1.0, release.bits);
    return release.mechanism == privacy::Mechanism::laplace ? scale * std::sqrt(2.0) : scale;
}

/** Grid unit of the values that the trace sees. */
double unit_of(const privacy::Plan &plan, const privacy::Release &release,
               random::Purpose purpose) {
    return purpose == random::Purpose::gaussian_w ? plan.gradient.gamma : release.unit;
}

struct Tally {
    double square = 0.0;
    double product = 0.0;   ///< of neighbouring draws
    double repeated = 0.0;  ///< of draws for the same coordinate in two steps
    std::vector<double> last;
    double count = 0.0;
};

void noise_is_that_of_the_plan() {
    const Data source = make_data(60, 0.0, 1);
    const Data target = make_data(60, 0.7, 2);
    for (Scenario scenario : scenarios()) {
        if (scenario.name == "paper both")
            continue;  // its two samples share a vector but not a unit
        std::map<random::Purpose, Tally> tallies;
        for (int seed = 1; seed <= 60; ++seed) {
            scenario.options["unsafe_seed"] = std::to_string(seed);
            Recorder recorder;
            const Run run = run_private(source, target, scenario.options, &recorder);
            for (const auto &[purpose, step, integers, released] : recorder.entries) {
                const privacy::Release &release = planned(run.plan, purpose);
                // The Laplace release is clamped; for those of matrices see test_outer_sum.
                if (purpose == random::Purpose::discrepancy ||
                    purpose == random::Purpose::gaussian_moments ||
                    purpose == random::Purpose::inference)
                    continue;
                const double share =
                    purpose == random::Purpose::gaussian_u
                        ? release.unit / (run.solution.settings.alpha == 0.4 &&
                                                  release.domains == privacy::kSource
                                              ? 0.4 / 60.0
                                              : 0.6 / 60.0)
                        : unit_of(run.plan, release, purpose);
                Tally &tally = tallies[purpose];
                double before = 0.0;
                tally.last.resize(integers.size());
                for (std::size_t k = 0; k < integers.size(); ++k) {
                    const double noise = (released[k] / share - static_cast<double>(integers[k])) /
                                         deviation(release);
                    tally.square += noise * noise;
                    tally.product += noise * before;
                    tally.repeated += noise * tally.last[k];
                    before = noise;
                    tally.last[k] = noise;
                    ++tally.count;
                }
            }
        }
        for (const auto &[purpose, tally] : tallies) {
            const std::string where =
                scenario.name + ", purpose " + std::to_string(static_cast<int>(purpose));
            // A mean of squares of standard normals has deviation sqrt(2/n): six of them.
            const double six = 6.0 / std::sqrt(tally.count);
            check_true(where + ": variance",
                       std::abs(tally.square / tally.count - 1.0) < six * std::sqrt(2.0));
            check_true(where + ": correlation", std::abs(tally.product / tally.count) < six);
            check_true(where + ": repetition", std::abs(tally.repeated / tally.count) < six);
        }
    }
}

void points_that_agree_share_a_sum() {
    Scenario scenario = scenarios().front();
    scenario.options["epsilon"] = "200";
    Recorder recorder;
    (void)run_private(make_data(60, 0.0, 1), make_data(60, 0.7, 2), scenario.options, &recorder);
    std::set<std::vector<std::int64_t>> sums;
    std::set<std::vector<double>> releases;
    for (const auto &entry : recorder.entries) {
        if (entry.purpose != random::Purpose::gaussian_w) continue;
        sums.insert(entry.integers);
        releases.insert(entry.released);
    }
    check_true("fewer sums than releases", sums.size() < 8);
    check_true("as many releases as steps", releases.size() == 8);
}

void calls_with_a_fresh_key_differ() {
    const Data source = make_data(60, 0.0, 1);
    const Data target = make_data(60, 0.7, 2);
    for (Scenario scenario : scenarios()) {
        const Run one = run_private(source, target, scenario.options, nullptr);
        const Run again = run_private(source, target, scenario.options, nullptr);
        check_true(scenario.name + ": a seed fixes the noise",
                   one.solution.coefficients == again.solution.coefficients);
        scenario.options.erase("unsafe_seed");
        // What is released, not the fit: where noise hides the records, that is the public one.
        Recorder fresh, other;
        (void)run_private(source, target, scenario.options, &fresh);
        (void)run_private(source, target, scenario.options, &other);
        std::size_t vectors = 0;
        for (std::size_t k = 0; k < std::min(fresh.entries.size(), other.entries.size()); ++k) {
            if (fresh.entries[k].released.size() < 2) continue;  // a clamped number may be the same
            ++vectors;
            check_true(scenario.name + ": no seed, no repetition",
                       fresh.entries[k].released != other.entries[k].released);
        }
        check_true(scenario.name + ": something is released", vectors > 0);
    }
}

/** Integer sums: threads and the order of the rows change no bit. */
void order_and_threads_do_not_matter() {
    const Data source = make_data(200, 0.0, 1);
    const Data target = make_data(3000, 0.7, 2);
    Data reversed = target;
    for (std::size_t i = 0; i < target.y.size(); ++i) {
        const std::size_t from = target.y.size() - 1 - i;
        reversed.y[i] = target.y[from];
        std::copy_n(target.x.begin() + static_cast<std::ptrdiff_t>(from * kFeatures), kFeatures,
                    reversed.x.begin() + static_cast<std::ptrdiff_t>(i * kFeatures));
    }
    for (Scenario scenario : scenarios()) {
        if (scenario.options.contains("private_domain") &&
            scenario.options.at("private_domain") == "source")
            continue;
        const Run one = run_private(source, target, scenario.options, nullptr);
        for (const char *threads : {"2", "7"}) {
            scenario.options["threads"] = threads;
            check_true(
                scenario.name + ": threads",
                run_private(source, target, scenario.options, nullptr).solution.coefficients ==
                    one.solution.coefficients);
        }
        if (scenario.options.contains("method")) continue;  // its noise belongs to single records
        check_true(scenario.name + ": order",
                   run_private(source, reversed, scenario.options, nullptr).solution.coefficients ==
                       one.solution.coefficients);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(noise_is_that_of_the_plan),
        core_test(points_that_agree_share_a_sum),
        core_test(calls_with_a_fresh_key_differ),
        core_test(order_and_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
