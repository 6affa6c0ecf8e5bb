// Persons: their contributions to every sum are bounded together, whatever their rows are and
// however many. Runs are recorded, and replayed on a sample in which all rows of one person were
// exchanged.
#include "privacy/baselines.hpp"
#include "privacy/evaluation.hpp"
#include "privacy/permute_and_flip.hpp"
#include "records/partial.hpp"
#include "select/private_selection.hpp"

using namespace dpadapt;

namespace {

/** Rows that belong to persons. */
struct Grouped {
    Data rows;
    std::vector<std::int64_t> ids;

    [[nodiscard]] Sample sample() const {
        Sample sample = rows.sample();
        sample.group(std::make_shared<const Persons>(ids));
        return sample;
    }
    void add(const Data &from, std::size_t row, std::int64_t id) {
        rows.x.insert(rows.x.end(), from.x.begin() + static_cast<std::ptrdiff_t>(row * kFeatures),
                      from.x.begin() + static_cast<std::ptrdiff_t>((row + 1) * kFeatures));
        rows.y.push_back(from.y[row]);
        ids.push_back(id);
    }
};

/** Such rows in parts elsewhere, each with whole persons. */
class Parts : public RemoteRecords {
  public:
    Parts(Grouped all, std::size_t parts, bool backwards = false)
        : all_(std::move(all)), parts_(parts), backwards_(backwards) {}

    std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) override {
        std::vector<Bytes> sums;
        for (std::size_t k = 0; k < parts_; ++k) {
            Grouped part;
            for (std::size_t i = 0; i < all_.ids.size(); ++i)
                if (part_of(all_.ids[i]) == k) part.add(all_.rows, i, all_.ids[i]);
            records::Partial sum(request);
            if (!part.ids.empty()) sum.add(part.rows.sample(), part.ids, 1);
            sums.push_back(sum.write());
        }
        if (backwards_) std::reverse(sums.begin(), sums.end());
        return sums;
    }

    [[nodiscard]] Sample sample() {
        const std::size_t persons = Persons(all_.ids).count();
        Sample sample =
            Sample::elsewhere(persons, kFeatures, {std::shared_ptr<RemoteRecords>(), this});
        sample.group(std::make_shared<const Persons>(Persons::elsewhere(persons)));
        return sample;
    }

  private:
    [[nodiscard]] std::size_t part_of(std::int64_t id) const {
        return static_cast<std::size_t>(id + 1000000) / 7 % parts_;
    }

    Grouped all_;
    std::size_t parts_;
    bool backwards_;
};

constexpr std::int64_t kPerson = -7;

/** Persons with one to four rows each, and one with these rows among them. */
Grouped sample_with(const Data &person, std::size_t persons) {
    const Data others = make_data(4 * persons, 0.7, 2);
    Grouped all;
    for (std::size_t i = 0; i < others.y.size(); ++i) {
        const std::size_t p = i % persons;
        if (i / persons <= p % 4) all.add(others, i, static_cast<std::int64_t>(1000 * p));
        if (i < person.y.size()) all.add(person, i, kPerson);
    }
    for (std::size_t i = others.y.size(); i < person.y.size(); ++i) all.add(person, i, kPerson);
    return all;
}

/** All that one person may have: few rows, many, the same ones, rows that pull to all sides. */
std::vector<Data> persons() {
    std::vector<Data> all;
    for (const std::size_t rows : {1U, 2U, 3U, 16U, 500U}) {
        all.push_back(make_data(rows, 0.7, 3));
        for (const double value : {kNan, kInf, 1e308, -1e200, 0.0, 3.0, -3.0, 50.0})
            for (const double label : {kNan, -1e6, 0.0, 40.0, 1e300}) {
                Data same = make_data(rows, 0.7, 3);
                for (std::size_t i = 0; i < rows; ++i) same.set(i, value, label);
                all.push_back(std::move(same));
            }
        Data sides = make_data(rows, -2.0, 4);
        for (std::size_t i = 0; i < rows; ++i) {
            sides.x[i * kFeatures] = i % 2 == 0 ? 40.0 : -40.0;
            sides.x[i * kFeatures + 1] = i % 3 == 0 ? 40.0 : -40.0;
            sides.y[i] = i % 2 == 0 ? 1e6 : -1e6;
        }
        all.push_back(std::move(sides));
        Data across = make_data(rows, 0.7, 4);  // at a right angle to equal features
        for (std::size_t i = 0; i < rows; ++i) {
            across.x[i * kFeatures] = 40.0;
            across.x[i * kFeatures + 1] = -40.0;
            across.x[i * kFeatures + 2] = 0.0;
        }
        all.push_back(std::move(across));
        Data mixed = make_data(rows, 0.7, 5);
        mixed.set(0, kNan, 1.0);
        mixed.set(rows - 1, 1e6, -1e6);
        all.push_back(std::move(mixed));
    }
    return all;
}

/** @param method  A baseline; null: the adaptation. */
Run run(const char *method, const Data &source, const Sample &target, const OptionTexts &options,
        privacy::ReleaseTrace *trace) {
    const Sample public_rows = source.sample();
    if (method == nullptr)
        return run_private(public_rows, target, settings_of(options, Wanted::fit), trace);
    return run_baseline(method, public_rows, target, options, trace);
}

struct Case {
    const char *method;
    OptionTexts options;
    double used;  ///< of the squared sensitivity, at least
};

std::vector<Case> cases() {
    const OptionTexts common = {
        {"epsilon", "20"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"iterations", "6"}};
    const OptionTexts fixed = with(with(common, "alpha", "0.4"), "discrepancy", "0.5");
    const OptionTexts bounds =
        with(with(common, "feature_radius", "quantile"), "label_bound", "quantile");
    return {
        {nullptr, with(common, "anchor_share", "0.5"), 0.4},
        {nullptr, with(common, "rows_per_person", "3"), 0.4},
        {nullptr, with(common, "threads", "2"), 0.4},
        {nullptr, fixed, 0.4},
        {nullptr, with(common, "alpha", "0.4"), 0.4},
        {nullptr, with(with(with(common, "alpha", "0.4"), "loss", "huber"), "lambda_1", "1"), 0.4},
        {nullptr, with(with(common, "loss", "huber"), "metric", "gradients"), 0.4},
        {"joint_ssp", bounds, 0.6},
        {"ada_ssp", with(bounds, "rows_per_person", "5"), 0.6},
        {"public_ssp", bounds, 0.6},
        {"private_dm", bounds, 0.6},
        {"private_coral", bounds, 0.6}};
}

/** Largest share of a squared sensitivity that the two runs use. */
double compare(const Run &run, const Recorder &first, const Recorder &second) {
    double used = 0.0;
    check_true("number of releases", first.entries.size() == second.entries.size());
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &entry = first.entries[k];
        const Int128 sensitivity = planned(run.plan, entry.purpose).integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        const Uint128 distance = squared_distance(entry.integers, second.entries[k].integers);
        check_true("release " + std::to_string(k) + ": sensitivity", distance <= most);
        used = std::max(used, static_cast<double>(distance) / static_cast<double>(most));
    }
    return used;
}

void exchanging_a_person_moves_a_sum_by_at_most_the_sensitivity() {
    const Data source = make_data(300, 0.0, 1);
    for (const Case &c : cases()) {
        const std::string name = c.method != nullptr ? c.method : "adaptation";
        double used = 0.0;
        for (const std::size_t others : {1U, 60U}) {
            Data base = make_data(4, 0.7, 9);
            for (std::size_t i = 0; i < 4; ++i) base.set(i, 40.0, -1e6);
            Recorder first;
            const Grouped one = sample_with(base, others);
            const Run before = run(c.method, source, one.sample(), c.options, &first);
            check_true(name + ": persons are counted", before.solution.target_rows == others + 1);
            for (const Data &person : persons()) {
                Recorder second(first);
                const Grouped other = sample_with(person, others);
                const Run after = run(c.method, source, other.sample(), c.options, &second);
                used = std::max(used, compare(before, first, second));
                check_true(name + ": public output",
                           same_baseline(before.solution, after.solution));
            }
        }
        check_true(name + ": persons come near the sensitivity", used > c.used);
    }
}

/** The same by sums over parts, of which one has the person. */
void exchanging_a_person_elsewhere_moves_a_sum_by_at_most_the_sensitivity() {
    const Data source = make_data(300, 0.0, 1);
    const std::vector<Case> all = cases();
    for (const Case &c : {all[1], all[5], all[8]}) {
        double used = 0.0;
        Data base = make_data(4, 0.7, 9);
        for (std::size_t i = 0; i < 4; ++i) base.set(i, 40.0, -1e6);
        Recorder first;
        Parts one(sample_with(base, 6), 3);
        const Run before = run(c.method, source, one.sample(), c.options, &first);
        for (const Data &person : persons()) {
            Recorder second(first);
            Parts other(sample_with(person, 6), 3);
            const Run after = run(c.method, source, other.sample(), c.options, &second);
            used = std::max(used, compare(before, first, second));
            check_true("elsewhere: public output", same_baseline(before.solution, after.solution));
        }
        check_true("elsewhere: persons come near the sensitivity", used > c.used);
    }
}

/** Where there is one person the sums before the noise are their part: what taking them out moves.
 */
void taking_a_person_out_moves_a_sum_by_at_most_the_sensitivity() {
    const Data source = make_data(300, 0.0, 1);
    for (const Case &c : cases()) {
        const std::string name = c.method != nullptr ? c.method : "adaptation";
        const OptionTexts options = with(c.options, "neighbours", "zero_out");
        double used = 0.0;
        for (const Data &person : persons()) {
            Recorder recorder;
            const Grouped alone = sample_with(person, 0);
            const privacy::Plan plan =
                run(c.method, source, alone.sample(), options, &recorder).plan;
            for (const auto &[purpose, step, integers, released] : recorder.entries) {
                const privacy::Release &release = planned(plan, purpose);
                const Int128 sensitivity = release.integer_sensitivity;
                const auto most = static_cast<Uint128>(sensitivity * sensitivity);
                const Uint128 part =
                    squared_distance(integers, std::vector<std::int64_t>(integers.size()));
                check_true(name + ": sensitivity",
                           part <= most && release.neighbours == privacy::Neighbours::zero_out);
                used = std::max(used, static_cast<double>(part) / static_cast<double>(most));
            }
        }
        check_true(name + ": a person comes near the sensitivity: " + std::to_string(used),
                   used > 0.5);
    }
}

void with_one_row_each_it_is_the_fit_to_records() {
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(150, 0.7, 2);
    Grouped grouped;
    for (std::size_t i = 0; i < target.y.size(); ++i)
        grouped.add(target, i, static_cast<std::int64_t>((i * 77) % 150) - 40);
    for (const Case &c : cases()) {
        Recorder records;
        Recorder persons;
        const Run one = run(c.method, source, target.sample(), c.options, &records);
        const Run two = run(c.method, source, grouped.sample(), c.options, &persons);
        check_true("same result", same_baseline(one.solution, two.solution));
        check_true("as many releases", records.entries.size() == persons.entries.size());
        for (std::size_t k = 0; k < records.entries.size(); ++k)
            check_true("same integers", records.entries[k].integers == persons.entries[k].integers);
    }
}

/** What is read of a person does not depend on where the others' rows are, nor on rows of theirs
 *  beyond the number allowed. */
void the_order_of_persons_and_further_rows_do_not_matter() {
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(240, 0.7, 2);
    Grouped mixed;
    Grouped sorted;
    for (std::size_t i = 0; i < 240; ++i) mixed.add(target, i, static_cast<std::int64_t>(i % 60));
    for (std::size_t p = 0; p < 60; ++p)
        for (std::size_t k = 0; k < 4; ++k)
            sorted.add(target, 60 * k + p, -static_cast<std::int64_t>(p));
    Grouped longer = mixed;
    for (std::size_t i = 0; i < 60; ++i) {
        longer.add(target, i, static_cast<std::int64_t>(i));
        longer.rows.y.back() = 1e6;
    }
    for (const Case &c : cases()) {
        const OptionTexts limited = with(c.options, "rows_per_person", "4");
        const Run one = run(c.method, source, mixed.sample(), limited, nullptr);
        const Run two = run(c.method, source, sorted.sample(), limited, nullptr);
        const Run three = run(c.method, source, longer.sample(), limited, nullptr);
        check_true("order", same_baseline(one.solution, two.solution));
        check_true("rows beyond", same_baseline(one.solution, three.solution));
        const Run four = run(c.method, source, longer.sample(),
                             with(c.options, "rows_per_person", "5"), nullptr);
        check_true("rows within", !same_baseline(one.solution, four.solution));
    }
}

/** With damaged rows, persons of one row and of many. */
void parts_of_persons_give_the_bits_of_rows_in_memory() {
    const Data source = make_data(300, 0.0, 1);
    Data bad = make_data(5, 0.7, 8);
    bad.set(0, kNan, 1.0);
    bad.set(2, 1e200, -1e6);
    const Grouped all = sample_with(bad, 40);
    for (const Case &c : cases()) {
        Recorder here;
        const Run expected = run(c.method, source, all.sample(), c.options, &here);
        for (const std::size_t parts : {1U, 2U, 7U})
            for (const bool backwards : {false, true}) {
                Recorder there;
                Parts place(all, parts, backwards);
                const Run found = run(c.method, source, place.sample(), c.options, &there);
                check_true("parts: as many releases", here.entries.size() == there.entries.size());
                for (std::size_t k = 0; k < here.entries.size(); ++k)
                    check_true("parts: same integers",
                               here.entries[k].integers == there.entries[k].integers);
                check_true("parts: same result", same_baseline(expected.solution, found.solution));
            }
    }
}

/** The value before the noise, over all that one person may have. */
void a_person_moves_a_discrepancy_by_at_most_the_sensitivity() {
    const Data source = make_data(300, 0.0, 1);
    const OptionTexts squared = {{"epsilon", "2"}, {"delta", "0"}, {"unsafe_seed", "1"}};
    const OptionTexts unlabelled = with(squared, "discrepancy_kind", "unlabelled");
    const OptionTexts huber = with(squared, "loss", "huber");
    for (const OptionTexts &options : {squared, unlabelled, huber}) {
        const Settings settings = settings_of(options, Wanted::discrepancy);
        const auto integer = [&](const Data &person) {
            NoControl control;
            const Grouped grouped = sample_with(person, 20);
            const Sample rows = source.sample();
            const Sample target = grouped.sample();
            PrivateCall call(rows, target, settings, Wanted::discrepancy, control);
            privacy::Ledger ledger;
            call.charge(ledger);
            Recorder recorder;
            (void)call.release_discrepancy(&recorder);
            const Int128 most =
                call.plan().find(privacy::ReleaseKind::discrepancy)->integer_sensitivity;
            return std::pair{recorder.entries.front().integers.front(),
                             static_cast<std::int64_t>(most)};
        };
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        std::int64_t largest = std::numeric_limits<std::int64_t>::min();
        std::int64_t sensitivity = 0;
        for (const Data &person : persons()) {
            const auto [value, most] = integer(person);
            least = std::min(least, value);
            largest = std::max(largest, value);
            sensitivity = most;
        }
        check_true("sensitivity", largest - least <= sensitivity);
        check_true("persons move it", largest - least > sensitivity / 100);
        // Rows behind the first one have no part.
        Data further = make_data(3, 0.7, 6);
        const Data alone = make_data(1, 0.7, 6);
        further.set(1, 40.0, -1e6);
        further.set(2, kNan, 1.0);
        check_true("the first row", integer(further).first == integer(alone).first);
    }
}

/** Sums of losses of all candidates, in the units of a score. */
std::vector<std::int64_t> scores(const LabelledPopulation &population, const Sample &rows,
                                 const OptionTexts &options) {
    NoControl control;
    const SelectionLoss loss =
        population.name == "classes" ? SelectionLoss::error : SelectionLoss::squared;
    const auto candidates = population.pointers();
    select::PrivateSelection selection(rows, settings_of(options, Wanted::fit), loss,
                                       candidates.size());
    privacy::Ledger ledger;
    selection.charge(ledger);
    Recorder recorder;
    (void)selection.release(candidates, control, &recorder);
    return recorder.entries.front().integers;
}

void a_person_moves_each_score_of_a_selection_by_at_most_one() {
    const OptionTexts options = {
        {"selection_epsilon", "1"}, {"selection_bound", "4"}, {"unsafe_seed", "1"}};
    for (const LabelledPopulation &population : {numbers_population(), classes_population()})
        for (const OptionTexts &limited : {options, with(options, "rows_per_person", "3")}) {
            std::vector<std::int64_t> least;
            std::vector<std::int64_t> largest;
            for (const Data &person : persons()) {
                const Grouped grouped = sample_with(person, 20);
                const auto found = scores(population, grouped.sample(), limited);
                if (least.empty()) least = largest = found;
                for (std::size_t k = 0; k < found.size(); ++k) {
                    check_true("within the bound",
                               found[k] >= 0 && found[k] <= 21 * privacy::kMostScore);
                    least[k] = std::min(least[k], found[k]);
                    largest[k] = std::max(largest[k], found[k]);
                }
            }
            double used = 0.0;
            for (std::size_t k = 0; k < least.size(); ++k) {
                const std::int64_t moved = largest[k] - least[k];
                check_true(population.name + ": sensitivity", moved <= privacy::kMostScore);
                used = std::max(used, static_cast<double>(moved) / privacy::kMostScore);
            }
            check_true(population.name + ": persons reach it", used > 0.6);
        }
}

void with_one_row_each_it_is_the_selection_by_records() {
    const OptionTexts options = {
        {"selection_epsilon", "1"}, {"selection_bound", "4"}, {"unsafe_seed", "1"}};
    for (const LabelledPopulation &population : {numbers_population(), classes_population()}) {
        const Data rows = population.rows(200, 5);
        Grouped grouped;
        for (std::size_t i = 0; i < 200; ++i) grouped.add(rows, i, static_cast<std::int64_t>(i));
        check_true("same integers", scores(population, rows.sample(), options) ==
                                        scores(population, grouped.sample(), options));
        Grouped twice;  // each row again: the same means
        for (std::size_t i = 0; i < 400; ++i)
            twice.add(rows, i / 2, static_cast<std::int64_t>(i / 2));
        check_true("same means", scores(population, rows.sample(), options) ==
                                     scores(population, twice.sample(), options));
    }
}

void what_is_about_records_is_refused() {
    const Data source = make_data(300, 0.0, 1);
    Grouped grouped;
    const Data target = make_data(40, 0.7, 2);
    for (std::size_t i = 0; i < 40; ++i) grouped.add(target, i, static_cast<std::int64_t>(i / 2));
    const OptionTexts alpha = with(kBudget, "alpha", "0.4");
    const OptionTexts given = with(alpha, "discrepancy", "0.5");
    const std::vector<std::pair<const char *, OptionTexts>> refused = {
        {nullptr, with(given, "kappa_2", "0.5")},
        {nullptr, with(given, "kappa_inf", "0.5")},
        {nullptr, with(given, "method", "paper")},
        {nullptr, with(kBudget, "private_domain", "both")},
        {"noisy_sgd", kBudget}};
    for (const auto &[method, options] : refused) {
        dpa_status status = DPA_OK;
        try {
            (void)run(method, source, grouped.sample(), options, nullptr);
        } catch (const Error &error) {
            status = error.status();
        }
        check_true("refused", status == DPA_E_UNSUPPORTED);
    }
}

privacy::Plan evaluate(const LabelledPopulation &population, const Sample &rows,
                       const OptionTexts &options, privacy::ReleaseTrace *trace,
                       evaluate::Measured *found = nullptr) {
    NoControl control;
    evaluate::PrivateEvaluation call(rows, nullptr, settings_of(options, Wanted::fit),
                                     population.pointers());
    privacy::Ledger ledger;
    call.charge(ledger);
    const evaluate::Measured measured = call.release(control, trace);
    if (found != nullptr) *found = measured;
    return call.plan();
}

void an_evaluation_bounds_what_a_person_adds() {
    const OptionTexts budget = {{"epsilon", "20"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}};
    for (const LabelledPopulation &population :
         {numbers_population(), quantile_population(), classes_population()})
        for (const OptionTexts &options : {budget, with(budget, "rows_per_person", "3")}) {
            double used = 0.0;
            Data base = make_data(4, 0.7, 9);
            for (std::size_t i = 0; i < 4; ++i)
                base.set(i, 40.0, population.name == "classes" ? 1.0 : -1e6);
            Recorder first;
            const privacy::Plan plan =
                evaluate(population, sample_with(base, 60).sample(), options, &first);
            check_true("two releases", plan.releases.size() == 2 && first.entries.size() == 2);
            for (const Data &person : persons()) {
                Recorder second(first);
                (void)evaluate(population, sample_with(person, 60).sample(), options, &second);
                for (std::size_t k = 0; k < 2; ++k) {
                    const Int128 sensitivity = plan.releases[k].integer_sensitivity;
                    const auto most = static_cast<Uint128>(sensitivity * sensitivity);
                    const Uint128 distance =
                        squared_distance(first.entries[k].integers, second.entries[k].integers);
                    check_true(population.name + ": sensitivity", distance <= most);
                    used =
                        std::max(used, static_cast<double>(distance) / static_cast<double>(most));
                }
            }
            check_true(population.name + ": persons come near it", used > 0.2);
        }
}

void selections_and_evaluations_read_parts_of_persons_too() {
    const OptionTexts budget = {
        {"epsilon", "20"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"evaluation_bound", "4"}};
    const OptionTexts choice = {
        {"selection_epsilon", "1"}, {"selection_bound", "4"}, {"unsafe_seed", "1"}};
    for (const LabelledPopulation &population : {numbers_population(), classes_population()}) {
        const Data rows = population.rows(90, 5);
        Grouped all;
        for (std::size_t i = 0; i < 90; ++i)
            all.add(rows, i, static_cast<std::int64_t>(i * i % 31));
        Parts place(all, 4);
        check_true("same scores", scores(population, all.sample(), choice) ==
                                      scores(population, place.sample(), choice));
        Recorder here;
        Recorder there;
        (void)evaluate(population, all.sample(), budget, &here);
        (void)evaluate(population, place.sample(), budget, &there);
        check_true("as many releases", here.entries.size() == there.entries.size());
        for (std::size_t k = 0; k < here.entries.size(); ++k)
            check_true("same errors", here.entries[k].integers == there.entries[k].integers);
    }
}

void with_one_row_each_it_is_the_evaluation_of_records() {
    const OptionTexts options = {{"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}};
    for (const LabelledPopulation &population : {numbers_population(), classes_population()}) {
        const Data rows = population.rows(300, 5);
        Grouped grouped;
        for (std::size_t i = 0; i < 300; ++i) grouped.add(rows, i, static_cast<std::int64_t>(i));
        Recorder one;
        Recorder two;
        (void)evaluate(population, rows.sample(), options, &one);
        (void)evaluate(population, grouped.sample(), options, &two);
        for (std::size_t k = 0; k < 2; ++k)
            check_true("same integers", one.entries[k].integers == two.entries[k].integers);
    }
}

/** Four rows of a person, alike or not: the interval is that of as many persons. */
void the_interval_of_persons_covers() {
    constexpr std::size_t kPersons = 2000;
    const OptionTexts options = {{"epsilon", "4"}, {"delta", "1e-6"}};
    const LabelledPopulation population = numbers_population();
    const Data all = population.rows(400000, 1);
    const auto truth = evaluate::evaluate_publicly(all.sample(), population.pointers(), 0.95);
    double covered = 0.0;
    constexpr unsigned kRuns = 100;
    for (unsigned run = 0; run < kRuns; ++run) {
        const Data rows = population.rows(kPersons, run + 2);
        Grouped alike;
        for (std::size_t i = 0; i < 4 * kPersons; ++i)
            alike.add(rows, i / 4, static_cast<std::int64_t>(i / 4));
        evaluate::Measured found;
        (void)evaluate(population, alike.sample(), options, nullptr, &found);
        check_true("persons are counted", found.rows == kPersons);
        const auto &value = found.measures.front().value;
        const double wanted = truth.measures.front().value.estimate;
        covered += value.lower <= wanted && wanted <= value.upper ? 1.0 / kRuns : 0.0;
    }
    check_true("covers", covered >= 0.88);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(exchanging_a_person_moves_a_sum_by_at_most_the_sensitivity),
        core_test(exchanging_a_person_elsewhere_moves_a_sum_by_at_most_the_sensitivity),
        core_test(parts_of_persons_give_the_bits_of_rows_in_memory),
        core_test(selections_and_evaluations_read_parts_of_persons_too),
        core_test(taking_a_person_out_moves_a_sum_by_at_most_the_sensitivity),
        core_test(with_one_row_each_it_is_the_fit_to_records),
        core_test(the_order_of_persons_and_further_rows_do_not_matter),
        core_test(a_person_moves_a_discrepancy_by_at_most_the_sensitivity),
        core_test(a_person_moves_each_score_of_a_selection_by_at_most_one),
        core_test(with_one_row_each_it_is_the_selection_by_records),
        core_test(what_is_about_records_is_refused),
        core_test(an_evaluation_bounds_what_a_person_adds),
        core_test(with_one_row_each_it_is_the_evaluation_of_records),
        core_test(the_interval_of_persons_covers),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
