// The noise of private runs: its size is that of the plan, in every release of every method, it is
// different in every coordinate, step and call, and nothing but the seed decides it.
#include <algorithm>
#include <set>

#include "evaluate/calibrate.hpp"
#include "privacy/baselines.hpp"
#include "privacy/evaluation.hpp"

using namespace dpadapt;

namespace {

/** What the noise of a release should be divided by to be standard: sigma, or b sqrt(2) for
 *  Laplace. */
double deviation(const privacy::Release &release) {
    const double scale = std::ldexp(1.0, release.bits);
    return release.mechanism == privacy::Mechanism::laplace ? scale * std::sqrt(2.0) : scale;
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
            for (const Recorder::Entry &entry : recorder.entries) {
                const auto &[purpose, step, integers, released] = entry;
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
                        : units_of(run.plan, entry).front();
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

const OptionTexts kSeeded = {{"epsilon", "20"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}};

void release_discrepancies() {
    const Data source = make_data(60, 0.0, 1);
    const Data target = make_data(60, 3.0, 2);  // so far that noise does not reach 0
    for (const char *noise : {"laplace", "gaussian"})
        for (const char *loss : {"squared", "huber"}) {
            NoControl control;
            const Sample rows = source.sample();
            const Sample other_rows = target.sample();
            PrivateCall call(
                rows, other_rows,
                settings_of(with(kSeeded, {{"discrepancy_noise", noise}, {"loss", loss}}),
                            Wanted::discrepancy),
                Wanted::discrepancy, control);
            privacy::Ledger ledger;
            call.charge(ledger);
            Recorder recorder;
            check_true("not clamped", call.release_discrepancy(&recorder) > 0.0);
            check_noise(call, &recorder);
        }
}

void fit_weighted_rows_and_lacking_columns() {
    Data source = make_data(60, 0.0, 1);
    const Data target = make_data(60, 0.7, 2);
    Sample weighted = target.sample();
    weighted.weigh(std::make_shared<const SecretVector<double>>(60, 0.5));
    Recorder of_weights;
    (void)run_private(source.sample(), weighted,
                      settings_of(with(kSeeded, {{"row_weight_bound", "2"}}), Wanted::fit),
                      &of_weights);
    for (std::size_t i = 0; i < source.y.size(); ++i) source.x[i * kFeatures + 2] = 0.5;
    Recorder of_columns;
    (void)run_private(source, target, with(kSeeded, {{"own_columns", "regressed"}}), &of_columns);
}

void fit_baselines() {
    const OptionTexts bounds =
        with(kSeeded, {{"feature_radius", "quantile"}, {"label_bound", "quantile"}});
    for (const baseline::MethodSpec &method : baseline::methods()) {
        if (!method.prepare) continue;
        for (const char *sampling : {"shuffled", "poisson"}) {
            Recorder recorder;
            (void)run_baseline(method.name, make_data(60, 0.0, 1), make_data(60, 0.7, 2),
                               with(bounds, "sampling", sampling), &recorder);
        }
    }
}

void evaluate_and_calibrate() {
    for (const LabelledPopulation &population :
         {numbers_population(), quantile_population(), classes_population()}) {
        const Data rows = population.rows(300, 4);
        const Sample sample = rows.sample();
        Recorder learnt, given, scores;
        (void)evaluate_privately(population, sample, kSeeded, &learnt);
        (void)evaluate_privately(population, sample, with(kSeeded, {{"evaluation_bound", "2"}}),
                                 &given);
        evaluate::PrivateCalibration call(sample, nullptr, settings_of(kSeeded, Wanted::fit),
                                          population.solutions.front());
        privacy::Ledger ledger;
        call.charge(ledger);
        (void)call.release(&scores);
        check_noise(call, &scores);
    }
}

/** Draw by draw, after the tests above for the fits. Whatever a plan may list is here, but for what
 *  coins choose and for votes (test_votes). */
void every_release_has_the_noise_of_its_price() {
    for (const Scenario &scenario : scenarios()) {
        Recorder recorder;
        (void)run_private(make_data(60, 0.0, 1), make_data(60, 0.7, 2), scenario.options,
                          &recorder);
    }
    release_discrepancies();
    fit_weighted_rows_and_lacking_columns();
    fit_baselines();
    evaluate_and_calibrate();
    for (int kind = 0; kind < static_cast<int>(privacy::ReleaseKind::votes); ++kind) {
        const auto one = static_cast<privacy::ReleaseKind>(kind);
        check_true(privacy::purpose(one),
                   one == privacy::ReleaseKind::selection || checked_kinds().contains(one));
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
        core_test(every_release_has_the_noise_of_its_price),
        core_test(points_that_agree_share_a_sum),
        core_test(calls_with_a_fresh_key_differ),
        core_test(order_and_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
