// Evaluation on private rows: neighbours, price, what leaves, and in small what the intervals cover
// (test_evaluation_nightly.cpp has all of that).

#include "evaluate/error_release.hpp"
#include "privacy/evaluation.hpp"
#include "privacy/ledger.hpp"

using namespace dpadapt;
using evaluate::Measured;
using evaluate::PrivateEvaluation;

namespace {

const OptionTexts kOptions = {{"epsilon", "1"}, {"delta", "1e-6"}, {"unsafe_seed", "3"}};

std::vector<LabelledPopulation> populations() {
    return {numbers_population(), quantile_population(), classes_population()};
}

/** The record with nothing, with everything, on either side. */
std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double feature : {0.0, 3.0, -3.0, 1e308, kInf, kNan})
        for (const double label : {1.0, -1.0, 0.0, 1e6, -1e308, kNan}) {
            all.push_back(data);
            all.back().set(record, feature, label);
        }
    return all;
}

privacy::ReleaseKind kind_of(std::uint64_t step) {
    return step == 0 ? privacy::ReleaseKind::error_sizes : privacy::ReleaseKind::errors;
}

void neighbours_stay_within_the_sensitivity() {
    std::vector<LabelledPopulation> all = populations();
    all.push_back(times_population(1.5));
    for (const LabelledPopulation &population : all) {
        const Data data = population.rows(300, 4);
        const Data others = population.rows(200, 5);
        const Sample sample = data.sample();
        const Sample public_rows = others.sample();
        const Sample *reference = population.name == "times" ? &public_rows : nullptr;
        for (const OptionTexts &options :
             {with(kOptions, {{"epsilon", "20"}}), with(kOptions, {{"evaluation_bound", "0.8"}})}) {
            NoControl control;
            privacy::Ledger ledger;
            PrivateEvaluation call(sample, reference, settings_of(options, Wanted::fit),
                                   population.pointers());
            call.charge(ledger);
            Recorder first;
            const Measured found = call.release(control, &first);
            std::map<std::uint64_t, Uint128> furthest;
            for (const Data &other : neighbours(data, 17)) {
                Recorder second(first);
                const Sample changed = other.sample();
                const Measured same =
                    evaluate_privately(population, changed, options, &second, reference);
                check_true("releases", first.entries.size() == call.plan().releases.size() &&
                                           second.entries.size() == first.entries.size());
                for (std::size_t k = 0; k < first.entries.size(); ++k) {
                    const Recorder::Entry &a = first.entries[k];
                    const privacy::Release &planned = *call.plan().find(kind_of(a.step));
                    check_true("dimension", a.integers.size() == planned.dimension);
                    const auto most = static_cast<Uint128>(planned.integer_sensitivity);
                    const Uint128 square = squared_distance(a.integers, second.entries[k].integers);
                    check_true(population.name + " sensitivity", square <= most * most);
                    furthest[a.step] = std::max(furthest[a.step], square * 100 / (most * most));
                }
                // All else is a function of what was released.
                for (std::size_t k = 0; k < found.measures.size(); ++k)
                    check_true("post-processing",
                               found.measures[k].value.lower == same.measures[k].value.lower);
            }
            check_true(population.name + " neighbours come near it", furthest[1] > 26);
        }
    }
}

/** Of histograms the root of 2 times Q, rounded up; of means twice Q. */
void sensitivities_are_never_rounded_down() {
    records::ErrorTask task{numbers_population().solutions};
    task.edges.resize(task.solutions.size());
    for (std::int64_t most = 512; most < std::int64_t{1} << 45; most = 2 * most + most / 7 + 1) {
        task.grid.most = most;
        const auto sensitivity = [&](records::ErrorsAsked asked, privacy::Neighbours neighbours) {
            task.asked = asked;
            return evaluate::release_of(kind_of(0), task, neighbours).integer_sensitivity;
        };
        using records::ErrorsAsked;
        const Int128 histogram = sensitivity(ErrorsAsked::sizes, privacy::Neighbours::replace);
        const Int128 square = 2 * Int128{most} * most;
        check_true("not less", histogram * histogram >= square);
        const Int128 below = histogram - 2 - (most >> 31);
        check_true("hardly more", below * below < square);
        check_true("means",
                   sensitivity(ErrorsAsked::means, privacy::Neighbours::replace) == 2 * most);
        for (const ErrorsAsked asked : {ErrorsAsked::sizes, ErrorsAsked::means})
            check_true("taken out", sensitivity(asked, privacy::Neighbours::zero_out) == most);
    }
}

/** What an eighth row adds to the release of that number. Both calls have the same bound, or none
 *  yet, so their other seven rows add the same. */
double largest_part(const LabelledPopulation &population, const OptionTexts &options,
                    std::size_t release) {
    const Data all = population.rows(8, 4);
    const Data seven{{all.x.begin() + kFeatures, all.x.end()}, {all.y.begin() + 1, all.y.end()}};
    Recorder without;
    (void)evaluate_privately(population, seven.sample(), options, &without);
    double used = 0.0;
    for (const Data &data : neighbours(all, 0)) {
        NoControl control;
        privacy::Ledger ledger;
        Recorder with_row(without);
        const Sample sample = data.sample();
        PrivateEvaluation call(sample, nullptr, settings_of(options, Wanted::fit),
                               population.pointers());
        call.charge(ledger);
        (void)call.release(control, &with_row);
        const Recorder::Entry &entry = with_row.entries.at(release);
        const privacy::Release &planned = call.plan().releases.at(release);
        const auto most = static_cast<Uint128>(planned.integer_sensitivity);
        const Uint128 square =
            squared_distance(entry.integers, without.entries.at(release).integers);
        check_true(population.name + " sensitivity", square <= most * most);
        used = std::max(used, static_cast<double>(square) / static_cast<double>(most * most));
    }
    return used;
}

void a_row_that_is_taken_out_moves_them_by_half_of_that() {
    const OptionTexts learnt = with(kOptions, {{"neighbours", "zero_out"}, {"epsilon", "600"}});
    const OptionTexts given = with(learnt, {{"evaluation_bound", "0.8"}});
    for (const LabelledPopulation &population : populations()) {
        const bool classes = loss::predicts_classes(population.solutions.front().loss);
        check_true(population.name + " sizes come near it",
                   largest_part(population, learnt, 0) > 0.9);
        check_true(population.name + " rows come near it",
                   largest_part(population, given, classes ? 1 : 0) > 0.9);
    }
}

void it_is_paid_before_a_row_is_read() {
    // No row can be read here: whatever touches one ends the test.
    const Sample nothing = Sample::lend({nullptr, 1000, kFeatures, kFeatures, true}, nullptr);
    const LabelledPopulation population = numbers_population();
    NoControl control;
    PrivateEvaluation call(nothing, nullptr, settings_of(kOptions, Wanted::fit),
                           population.pointers());
    bool refused = false;
    try {
        (void)call.release(control);
    } catch (const Error &error) {
        refused = error.status() == DPA_E_INTERNAL;
    }
    check_true("not before payment", refused);
    privacy::Ledger ledger;
    call.charge(ledger);
    const privacy::Cost cap = ledger.budget()->cap;
    check_true("two releases", ledger.entries().size() == 2);
    check_true("within", ledger.spent().within(cap));
    check_true("nearly all",
               ledger.spent().totals().mu > 0.999 * cap.totals().mu && ledger.seeded());
    check_true("of the target", ledger.spent(privacy::kSource).mu_square == 0);
    bool spent = false;
    try {
        call.charge(ledger);
    } catch (const Error &error) {
        spent = error.status() == DPA_E_BUDGET;
    }
    check_true("spent", spent);
    check_true("nothing entered", ledger.entries().size() == 2);
}

void a_bound_or_public_rows_save_the_first_release() {
    const LabelledPopulation population = numbers_population();
    const Data data = population.rows(2000, 5);
    const Data reference = population.rows(500, 6);
    const Sample sample = data.sample();
    const Sample source = reference.sample();
    Recorder by_source;
    const Measured found = evaluate_privately(population, sample, kOptions, &by_source, &source);
    check_true("one release", by_source.entries.size() == 1);
    check_true("origin", std::string(found.clipping->origin) == "source sample");
    check_true("bound", found.clipping->bound > 3.0 && found.clipping->bound < 7.0);
    Recorder by_number;
    const OptionTexts options = with(kOptions, {{"evaluation_bound", "0.5"}});
    const Measured clipped = evaluate_privately(population, sample, options, &by_number);
    check_true("one release of a number", by_number.entries.size() == 1);
    const evaluate::Interval share = clipped.clipping->shares.front();
    check_true("half of all are clipped", share.lower < 0.63 && share.upper > 0.60);
    const evaluate::Interval &squares = clipped.measures.front().value;
    check_true("no square is above the bound's", squares.estimate <= 0.25);
    check_true("the interval is for losses without clips",
               squares.lower < 1.05 && squares.upper > 1.05);
    check_true("readers are told", !clipped.clipping->notes.front().empty());
    check_true("not where nothing is clipped", found.clipping->notes.front().empty());
}

/** Little noise gives the ordinary errors. */
void a_large_budget_gives_ordinary_errors() {
    for (const LabelledPopulation &population : populations()) {
        const Data data = population.rows(4000, 7);
        const Sample sample = data.sample();
        const Measured ordinary = evaluate::evaluate_publicly(sample, population.pointers(), 0.95);
        const Measured noisy = evaluate_privately(
            population, sample, with(kOptions, {{"epsilon", "600"}, {"evaluation_bound", "8"}}));
        check_true("measures", ordinary.measures.size() == noisy.measures.size());
        for (std::size_t k = 0; k < noisy.measures.size(); ++k) {
            const std::string what = population.name + ' ' + noisy.measures[k].name;
            const evaluate::Interval &a = ordinary.measures[k].value;
            const evaluate::Interval &b = noisy.measures[k].value;
            const double width = a.upper - a.lower;
            check_true(what, std::abs(a.estimate - b.estimate) < 0.12 * width);
            check_close(what + " width", b.upper - b.lower, width, 0.3);
        }
    }
}

/** Times: of public rows the share of ordered pairs of two rows is counted; of private ones it
 *  follows from pairs with public rows of another level, which the cells correct. */
void concordance_is_that_of_all_pairs() {
    const LabelledPopulation there = times_population(1.0);
    const Data public_rows = there.rows(2000, 8);
    const Sample reference = public_rows.sample();
    for (const double level : {1.0, 3.0, 0.3}) {
        const LabelledPopulation here = times_population(level);
        const Data data = here.rows(1500, 9);
        const Sample rows = data.sample();
        const Measured ordinary = evaluate::evaluate_publicly(rows, here.pointers(), 0.95);
        const Measured noisy = evaluate_privately(here, rows, with(kOptions, {{"epsilon", "600"}}),
                                                  nullptr, &reference);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::vector<double> &w = here.solutions[k].coefficients;
            double right = 0.0;
            double all = 0.0;
            for (std::size_t i = 0; i < data.y.size(); ++i)
                for (std::size_t j = 0; j < data.y.size(); ++j) {
                    if (!(data.y[i] > 0.0 && data.y[i] < std::abs(data.y[j]))) continue;
                    double ahead = 0.0;
                    for (std::size_t c = 0; c < kFeatures; ++c)
                        ahead += w[c] * (data.x[i * kFeatures + c] - data.x[j * kFeatures + c]);
                    right += ahead > 0.0 ? 1.0 : 0.0;
                    all += 1.0;
                }
            const auto measure = [&](const Measured &found) {
                for (const evaluate::Measure &one : found.measures)
                    if (one.solution == k && std::string(one.name) == "concordance")
                        return one.value;
                check_true("there is a concordance", false);
                return evaluate::Interval{};
            };
            check_close("of all pairs", measure(ordinary).estimate, right / all, 1e-12);
            check_true("of private rows: " + std::to_string(measure(noisy).estimate - right / all),
                       std::abs(measure(noisy).estimate - right / all) < 0.012);
        }
    }
}

/** In 200 evaluations of 2000 rows; four deviations around 0.95 are 0.89 and 1. */
void concordance_is_covered() {
    const LabelledPopulation there = times_population(1.0);
    const LabelledPopulation here = times_population(1.5);
    const Data public_rows = there.rows(2000, 8);
    const Sample reference = public_rows.sample();
    const Data many = here.rows(40000, 10);
    const auto concordance = [](const Measured &found) {
        return std::find_if(found.measures.begin(), found.measures.end(),
                            [](const auto &one) { return std::string(one.name) == "concordance"; })
            ->value;
    };
    const double truth =
        concordance(evaluate::evaluate_publicly(many.sample(), here.pointers(), 0.95)).estimate;
    OptionTexts options = kOptions;
    options.erase("unsafe_seed");
    int covered = 0;
    for (unsigned run = 0; run < 200; ++run) {
        const Data data = here.rows(2000, 20 + run);
        const auto found =
            concordance(evaluate_privately(here, data.sample(), options, nullptr, &reference));
        covered += found.lower <= truth && truth <= found.upper ? 1 : 0;
    }
    check_true("covered " + std::to_string(covered), covered > 178);
}

/** 300 evaluations: four deviations around 0.95 are 0.90 and 1. */
void intervals_cover() {
    for (LabelledPopulation population : populations()) {
        population.solutions.resize(1);
        OptionTexts options = kOptions;
        options.erase("unsafe_seed");
        for (const auto &[name, found] : cover(population, 2000, 300, options, 400000))
            check_true(population.name + ' ' + name + ' ' + std::to_string(found.covered),
                       found.covered > 0.90);
    }
}

/** What a released kurtosis tells of a tail, and what the tail may then hide. */
void a_long_tail_is_seen() {
    using namespace evaluate;
    // Clipped at four deviations: normal residuals, and Student's with three degrees of freedom.
    const Excess normal = tail_excess({1.0 / 16.0, 3.0 / 256.0}, {}, 10000);
    check_true("normal", normal.lower < 0.0 && normal.upper > 0.0 && normal.upper < 0.05);
    const Excess student = tail_excess({0.0497, 0.01687}, {}, 10000);
    check_true("long", student.lower > 1.0 && student.upper < 1.6);
    const Excess noisy = tail_excess({0.0497, 0.01687}, {0.01, 0.01}, 10000);
    check_true("hidden by noise", noisy.lower < 0.0 && noisy.upper > student.upper);
    const Interval mean{0.05, 0.048, 0.052};
    const Interval few{0.006, 0.004, 0.008};
    const Interval many{0.04, 0.03, 0.05};
    check_true("none", hidden_by_long_tail(mean, few, {normal}, true) == 0.0);
    const double squares = hidden_by_long_tail(mean, few, {student}, true);
    check_true("of index 3", squares > 2.0 * 0.006 && squares < 2.0 * 0.008);
    const double absolutes = hidden_by_long_tail(mean, few, {student}, false);
    check_true("of absolute values", absolutes > 0.5 * 0.006 && absolutes < 0.5 * 0.008);
    check_true("many", std::isinf(hidden_by_long_tail(mean, many, {student}, true)));
    check_true("many, but normal", hidden_by_long_tail(mean, many, {normal}, true) == 0.0);
    check_true("many of a learnt bound",
               std::isinf(hidden_by_long_tail(mean, many, {normal, true}, true)));
}

/** Lognormal residuals: 0.24 to 0.4 were covered, and nobody was told. */
void long_tails_are_covered_and_told() {
    for (const bool with_source : {false, true}) {
        const SquareCoverage found =
            cover_square(lognormal_residuals(), 10000, 60, "1", with_source);
        check_true("covered " + std::to_string(found.covered), found.covered > 0.9);
        check_true("told " + std::to_string(found.told), found.told > 0.9);
        check_true("useful " + std::to_string(found.width), found.width < 1.0);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_stay_within_the_sensitivity),
        core_test(sensitivities_are_never_rounded_down),
        core_test(a_row_that_is_taken_out_moves_them_by_half_of_that),
        core_test(it_is_paid_before_a_row_is_read),
        core_test(a_bound_or_public_rows_save_the_first_release),
        core_test(a_large_budget_gives_ordinary_errors),
        core_test(concordance_is_that_of_all_pairs),
        core_test(concordance_is_covered),
        core_test(intervals_cover),
        core_test(a_long_tail_is_seen),
        core_test(long_tails_are_covered_and_told),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
