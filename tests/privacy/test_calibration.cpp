// Calibration on private rows: neighbours, price, what leaves, and what the intervals cover.
#include "evaluate/calibrate.hpp"
#include "privacy/evaluation.hpp"
#include "privacy/ledger.hpp"

using namespace dpadapt;
using evaluate::PrivateCalibration;

namespace {

constexpr double kLevel = 0.9;

const OptionTexts kOptions = {{"epsilon", "1"}, {"delta", "1e-6"}, {"evaluation_bound", "5"}};

Calibration calibrated(const Solution &solution, const Sample &rows, const OptionTexts &options,
                       privacy::ReleaseTrace *trace = nullptr, const Sample *source = nullptr) {
    PrivateCalibration call(rows, source, settings_of(options, Wanted::fit), solution);
    privacy::Ledger ledger;
    call.charge(ledger);
    Calibration table = call.release(trace);
    check_noise(call, trace);
    return table;
}

std::vector<LabelledPopulation> populations() {
    return {numbers_population(), quantile_population(), classes_population()};
}

std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double feature : {0.0, 3.0, -3.0, 1e308, kInf, kNan})
        for (const double label : {1.0, -1.0, 0.0, 0.3, 20.0, -1e308, kNan}) {
            all.push_back(data);
            all.back().set(record, feature, label);
        }
    return all;
}

/** How far the integers of two rows, or of a row and none, are apart at most; 1: as declared. */
double furthest(const LabelledPopulation &population, const OptionTexts &options, bool taken_out) {
    const Data data = population.rows(8, 4);
    const Data seven{{data.x.begin() + kFeatures, data.x.end()},
                     {data.y.begin() + 1, data.y.end()}};
    const Solution &solution = population.solutions.front();
    Recorder first;
    const Calibration found =
        calibrated(solution, (taken_out ? seven : data).sample(), options, &first);
    double most = 0.0;
    for (const Data &other : neighbours(data, 0)) {
        Recorder second(first);
        const Sample sample = other.sample();
        PrivateCalibration call(sample, nullptr, settings_of(options, Wanted::fit), solution);
        privacy::Ledger ledger;
        call.charge(ledger);
        const Calibration same = call.release(&second);
        const privacy::Release &planned = call.plan().releases.at(0);
        const std::vector<std::int64_t> &a = first.entries.at(0).integers;
        check_true("dimension", a.size() == planned.dimension && a.size() == found.ends.size());
        const auto declared = static_cast<Uint128>(planned.integer_sensitivity);
        const Uint128 square = squared_distance(a, second.entries.at(0).integers);
        check_true(population.name + " sensitivity", square <= declared * declared);
        most =
            std::max(most, static_cast<double>(square) / static_cast<double>(declared * declared));
        // All else is a function of what was released.
        if (!taken_out) check_true("post-processing", found.below == same.below);
    }
    return most;
}

void neighbours_stay_within_the_sensitivity() {
    for (const LabelledPopulation &population : populations()) {
        check_true(population.name,
                   furthest(population, with(kOptions, {{"unsafe_seed", "3"}}), false) > 0.45);
        const OptionTexts zero_out = {{"neighbours", "zero_out"}, {"unsafe_seed", "3"}};
        check_true(population.name, furthest(population, with(kOptions, zero_out), true) > 0.9);
    }
}

void it_is_paid_before_a_row_is_read() {
    // No row can be read here: whatever touches one ends the test.
    const Sample nothing = Sample::lend({nullptr, 1000, kFeatures, kFeatures, true}, nullptr);
    const LabelledPopulation population = numbers_population();
    PrivateCalibration call(nothing, nullptr, settings_of(kOptions, Wanted::fit),
                            population.solutions.front());
    check_true("not before payment", status_of([&] { (void)call.release(); }) == DPA_E_INTERNAL);
    privacy::Ledger ledger;
    call.charge(ledger);
    const privacy::Cost cap = ledger.budget()->cap;
    check_true("one release", ledger.entries().size() == 1 && ledger.spent().within(cap));
    check_true("nearly all", ledger.spent().totals().mu > 0.999 * cap.totals().mu);
    check_true("once", status_of([&] { call.charge(ledger); }) == DPA_E_BUDGET);
}

/** Without noise it is split conformal prediction: the k-th smallest score, k >= (n + 1) level. */
void exact_counts_give_split_conformal_prediction() {
    Calibration table;
    for (int k = 1; k <= 20; ++k) table.ends.push_back(k);
    table.below = table.ends;
    table.count = 20.0;
    check_true("19 of 20", table.upper(18.5 / 21.0) == 19.0 && table.upper(0.9) == 19.0);
    check_true("all", table.upper(20.0 / 21.0) == 20.0);
    check_true("too few", table.upper(20.1 / 21.0) == kInf && table.lower(20.1 / 21.0) == -kInf);
    check_true("lower", table.lower(18.5 / 21.0) == 1.0);
    table.noise_least = 1.0;
    table.noise_most = 8.0;
    check_true("noise can hide the rest", table.upper(0.9) == kInf);
}

LabelledPopulation residuals(const std::string &name,
                             const std::function<double(Random &)> &noise) {
    const loss::Choice squared{.kind = loss::Kind::squared};
    return {name,
            [noise](Random &random, const double *x) {
                const double scale = std::exp(0.5 * x[2]);
                return x[0] - x[1] + scale * noise(random);
            },
            {linear(squared, {1.0, -1.0, 0.0}, 0.0)}};
}

/** Scores of many rows, in ascending order. */
std::vector<double> scores(const LabelledPopulation &population, std::size_t count) {
    const Data data = population.rows(count, 1);
    const Solution &solution = population.solutions.front();
    std::vector<double> all;
    for (const RowError &error : row_errors(solution, data.sample(), Evaluation::in_blocks))
        all.push_back(records::calibration_score(error, solution));
    std::sort(all.begin(), all.end());
    return all;
}

struct Found {
    double covered = 0.0;
    double width = 0.0;  ///< over that of exact counts of the same rows
};

Found cover(const LabelledPopulation &population, std::size_t rows, std::size_t runs) {
    const std::vector<double> all = scores(population, 100000);
    const Solution &solution = population.solutions.front();
    Found found;
    double width = 0.0;
    double exact = 0.0;
    for (std::size_t run = 0; run < runs; ++run) {
        const Data data = population.rows(rows, static_cast<unsigned>(run + 2));
        const Sample sample = data.sample();
        const double end = calibrated(solution, sample, kOptions).upper(kLevel);
        const auto below = std::lower_bound(all.begin(), all.end(), end) - all.begin();
        found.covered += static_cast<double>(below) / static_cast<double>(all.size() * runs);
        width += end;
        std::vector<double> own;
        for (const RowError &error : row_errors(solution, sample, Evaluation::in_blocks))
            own.push_back(records::calibration_score(error, solution));
        const auto k =
            static_cast<std::size_t>(std::ceil(kLevel * (static_cast<double>(rows) + 1.0)));
        std::sort(own.begin(), own.end());
        exact += own.at(k - 1);
    }
    found.width = width / exact;
    return found;
}

void intervals_cover_and_are_short() {
    const std::vector<LabelledPopulation> all = {
        numbers_population(), classes_population(),
        residuals("skewed",
                  [](Random &random) {
                      return -std::log(0.5 * std::erfc(-random.normal() * M_SQRT1_2)) - 1.0;
                  }),
        residuals("t3", [](Random &random) {
            double square = 0.0;
            for (int k = 0; k < 3; ++k) square += std::pow(random.normal(), 2);
            return random.normal() / std::sqrt(square / 3.0);
        })};
    for (const LabelledPopulation &population : all)
        for (const std::size_t rows : {1000, 5000}) {
            const Found found = cover(population, rows, rows == 1000 ? 100 : 25);
            const std::string what = population.name + ' ' + std::to_string(found.covered) + ' ' +
                                     std::to_string(found.width);
            check_true(what, found.covered > 0.89 && found.covered < 0.93);
            check_true(what, found.width < (rows == 1000 ? 1.3 : 1.1));
        }
}

/** Half of the misses on either side. */
void intervals_of_quantiles_have_two_ends() {
    LabelledPopulation population = quantile_population();
    const Solution &solution = population.solutions.front();
    const Data data = population.rows(4000, 9);
    const Calibration table = calibrated(solution, data.sample(), kOptions);
    const std::vector<double> all = scores(population, 100000);
    const auto share_below = [&](double end) {
        return static_cast<double>(std::lower_bound(all.begin(), all.end(), end) - all.begin()) /
               static_cast<double>(all.size());
    };
    const double low = share_below(table.lower(0.95));
    const double high = share_below(table.upper(0.95));
    check_true("lower " + std::to_string(low), low > 0.02 && low < 0.06);
    check_true("upper " + std::to_string(high), high > 0.94 && high < 0.98);
}

void few_rows_take_a_share_of_the_source() {
    const LabelledPopulation population = numbers_population();
    const Solution &solution = population.solutions.front();
    const Data source = population.rows(2000, 3);
    const Sample reference = source.sample();
    const auto share = [&](std::size_t rows) {
        return calibrated(solution, population.rows(rows, 5).sample(), kOptions, nullptr,
                          &reference)
            .source_share;
    };
    check_true("of few rows much", share(100) > 0.4);
    check_true("of many rows nothing", share(5000) == 0.0);
    check_true(
        "none without a source",
        calibrated(solution, population.rows(100, 5).sample(), kOptions).source_share == 0.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_stay_within_the_sensitivity),
        core_test(it_is_paid_before_a_row_is_read),
        core_test(exact_counts_give_split_conformal_prediction),
        core_test(intervals_cover_and_are_short),
        core_test(intervals_of_quantiles_have_two_ends),
        core_test(few_rows_take_a_share_of_the_source),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
