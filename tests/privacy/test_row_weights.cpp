// Weights of private rows: a record's weight is as private as the rest of it. What it adds to any
// sum stays within what a record of weight 1 could add, whatever number stands there.
#include "privacy/baselines.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kRecord = 60;

/** Rows with weights, of persons or not. */
struct Weighted {
    Data rows;
    std::vector<double> weights;
    std::vector<std::int64_t> ids = {};

    [[nodiscard]] Sample sample() const {
        Sample sample = rows.sample();
        if (!weights.empty())
            sample.weigh(
                std::make_shared<const SecretVector<double>>(weights.begin(), weights.end()));
        if (!ids.empty()) sample.group(std::make_shared<const Persons>(ids));
        return sample;
    }
};

/** Weights between 0 and 3. */
Weighted make_weighted(std::size_t rows) {
    Weighted data{make_data(rows, 0.7, 2), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) data.weights[i] = 0.5 * static_cast<double>(i % 7);
    return data;
}

OptionTexts weighing(const OptionTexts &more) {
    OptionTexts options = {{"epsilon", "20"},
                           {"delta", "1e-3"},
                           {"unsafe_seed", "1"},
                           {"iterations", "6"},
                           {"row_weight_bound", "2"}};
    for (const auto &[name, value] : more) options[name] = value;
    return options;
}

OptionTexts bounded(OptionTexts more) {
    more["feature_radius"] = more["label_bound"] = "quantile";
    return weighing(more);
}

struct Case {
    std::string name;
    OptionTexts options;
    bool persons = false;
    const char *method = nullptr;  ///< a baseline

    [[nodiscard]] bool of_source() const { return options.contains("private_domain"); }
};

std::vector<Case> cases() {
    return {{"auto", weighing({})},
            {"share told", weighing({{"labelled_share", "0.6"}})},
            {"anchor", weighing({{"anchor_share", "0.5"}})},
            {"inference", weighing({{"inference", "yes"}})},
            {"huber", weighing({{"loss", "huber"}})},
            {"gradients", weighing({{"loss", "huber"}, {"metric", "gradients"}})},
            {"perceptron", weighing({{"loss", "perceptron"},
                                     {"hidden_units", "3"},
                                     {"perceptron_output", "squared"}})},
            {"auto source", weighing({{"private_domain", "source"}})},
            {"fixed", weighing({{"alpha", "0.4"}, {"discrepancy", "0.5"}})},
            {"fixed source",
             weighing({{"alpha", "0.4"}, {"discrepancy", "0.5"}, {"private_domain", "source"}})},
            {"general", weighing({{"alpha", "0.4"}, {"form", "general"}})},
            {"persons", weighing({{"threads", "2"}}), true},
            {"moments", bounded({}), false, "joint_ssp"},
            {"adaptive ridge", bounded({{"labelled_share", "0.6"}}), false, "ada_ssp"},
            {"whitened moments", bounded({}), true, "public_ssp"},
            {"moments without labels", bounded({}), false, "private_dm"},
            {"of CORAL", bounded({}), false, "private_coral"}};
}

Run run(const Case &c, const Weighted &data, Recorder *recorder) {
    const Data open = make_data(200, c.of_source() ? 0.7 : 0.0, 1);
    const Sample other = open.sample();
    Weighted copy = data;
    if (c.persons)
        for (std::size_t i = 0; i < data.rows.y.size(); ++i)
            copy.ids.push_back(static_cast<std::int64_t>(i / 2));
    const Sample own = copy.sample();
    if (c.method != nullptr) return run_baseline(c.method, other, own, c.options, recorder);
    return run_private(c.of_source() ? own : other, c.of_source() ? other : own,
                       settings_of(c.options, Wanted::fit), recorder);
}

using Entries = std::vector<Recorder::Entry>;

Entries entries_of(const Case &c, const Weighted &data) {
    Recorder recorder;
    (void)run(c, data, &recorder);
    return recorder.entries;
}

void check_same_sums(const std::string &name, const Entries &one, const Entries &two) {
    check_true(name + ": as many releases", one.size() == two.size());
    for (std::size_t k = 0; k < std::min(one.size(), two.size()); ++k)
        check_true(name + ": same sums", one[k].integers == two[k].integers);
}

const double kWeights[] = {0.0, 1.0, 2.0, 1e300, -1.0, kNan, kInf, -kInf, 5e-324};

/** Of one record, whose weight is what it is or becomes something else. */
std::vector<Weighted> reweighted(const Weighted &data) {
    std::vector<Weighted> all;
    for (const double weight : kWeights)
        for (const double feature : {40.0, -40.0, kNan})
            for (const double label : {1e6, -1e6, kNan}) {
                all.push_back(data);
                all.back().rows.set(kRecord, feature, label);
                all.back().weights[kRecord] = weight;
            }
    return all;
}

bool same_output(const Solution &a, const Solution &b) {
    return a.coefficients == b.coefficients && a.intercept == b.intercept &&
           a.parameters == b.parameters && a.source_weights == b.source_weights &&
           a.target_weights == b.target_weights && a.settings.alpha == b.settings.alpha &&
           a.inference.estimate == b.inference.estimate &&
           a.inference.covariance == b.inference.covariance && a.iterations == b.iterations &&
           a.termination == b.termination;
}

/** Largest share of a squared sensitivity that the releases of two runs differ by. */
double compare(const std::string &name, const Run &one, const Run &two, const Recorder &first,
               const Recorder &second, double &of_sum) {
    check_true(name + ": as many releases", first.entries.size() == second.entries.size());
    check_true(name + ": public output", same_output(one.solution, two.solution));
    double usage = 0.0;
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &entry = first.entries[k];
        const privacy::Release &release = planned(one.plan, entry.purpose);
        check_true(name + ": same noise",
                   release.scale() == planned(two.plan, entry.purpose).scale());
        const Uint128 distance = squared_distance(entry.integers, second.entries[k].integers);
        const Int128 sensitivity = release.integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        check_true(name + ": sensitivity", distance <= most);
        const double used = static_cast<double>(distance) / static_cast<double>(most);
        usage = std::max(usage, used);
        if (entry.purpose == random::Purpose::weight_sum) of_sum = std::max(of_sum, used);
    }
    return usage;
}

void neighbours_stay_within_the_sensitivity() {
    for (const Case &c : cases()) {
        double usage = 0.0;
        double of_sum = 0.0;
        for (const double weight : {1e300, 0.0}) {
            Weighted data = make_weighted(120);
            data.rows.set(kRecord, 40.0, 1e6);
            data.weights[kRecord] = weight;
            Recorder first;
            const Run before = run(c, data, &first);
            const bool sums = !c.options.contains("labelled_share");
            check_true(c.name + ": the sum is released where it is not told",
                       before.plan.weight_sum.has_value() == sums);
            for (const Weighted &other : reweighted(data)) {
                Recorder second(first);
                const Run after = run(c, other, &second);
                usage = std::max(usage, compare(c.name, before, after, first, second, of_sum));
            }
        }
        check_true(c.name + ": neighbours come near the sensitivity", usage > 0.2);
        if (!c.options.contains("labelled_share") && !c.persons)
            check_true(c.name + ": the sum of weights uses its sensitivity", of_sum > 0.99);
    }
}

/** Of one record its part is what taking it out moves. */
void taking_a_record_out_stays_within_the_sensitivity() {
    for (const Case &c : cases()) {
        Case taken_out = c;
        taken_out.options["neighbours"] = "zero_out";
        for (const double weight : kWeights)
            for (const double label : {1e6, kNan}) {
                Weighted data{make_data(1, 0.7, 2), {weight}};
                data.rows.set(0, 40.0, label);
                Recorder recorder;
                const privacy::Plan plan = run(taken_out, data, &recorder).plan;
                for (const auto &[purpose, step, integers, released] : recorder.entries) {
                    const Int128 sensitivity = planned(plan, purpose).integer_sensitivity;
                    check_true(
                        c.name + ": sensitivity where taken out",
                        squared_distance(integers, std::vector<std::int64_t>(integers.size())) <=
                            static_cast<Uint128>(sensitivity * sensitivity));
                }
            }
    }
}

/** To the last bit of all sums. */
void weights_are_clipped_to_their_bound() {
    for (const Case &c : cases()) {
        Weighted data = make_weighted(120);
        const auto sums_at = [&](double weight) {
            Weighted changed = data;
            for (std::size_t i = 0; i < 120; i += 5) changed.weights[i] = weight;
            return entries_of(c, changed);
        };
        const Entries most = sums_at(2.0);
        const Entries none = sums_at(0.0);
        for (const double weight : {2.0000001, 7.0, 1e300})
            check_same_sums(c.name + ", above the bound", sums_at(weight), most);
        for (const double weight : {-0.0, -1.0, -1e300, kNan, kInf, -kInf})
            check_same_sums(c.name + ", no weight", sums_at(weight), none);
        check_true(c.name + ": weights move sums",
                   sums_at(1.0).back().integers != most.back().integers &&
                       none.back().integers != most.back().integers);
        Weighted unlabelled = data;
        Weighted nothing = data;
        for (std::size_t i = 0; i < 120; i += 5) {
            unlabelled.rows.y[i] = kNan;
            nothing.rows.set(i, kNan, kInf);
        }
        for (const Weighted &other : {unlabelled, nothing})
            check_same_sums(c.name + ", nothing", entries_of(c, other), none);
    }
}

/** Where the sum is told nothing else is released. */
void of_weight_1_records_are_what_they_are_without() {
    for (Case c : cases()) {
        const Weighted plain{make_data(120, 0.7, 2), {}};
        Weighted ones = plain;
        ones.weights.assign(120, 1.0);
        c.options["row_weight_bound"] = "1";
        c.options["labelled_share"] = "1";
        Recorder with_weights;
        const Run one = run(c, ones, &with_weights);
        c.options["row_weight_bound"] = "none";
        Recorder without;
        const Run two = run(c, plain, &without);
        check_same_sums(c.name, with_weights.entries, without.entries);
        check_true(c.name + ": same result", same_output(one.solution, two.solution));
    }
}

/** Sums are linear in the weight, up to rounding on their grid; squares of gradients are not. */
void a_record_adds_its_share() {
    for (const Case &c : cases()) {
        if (c.name == "inference") continue;
        Recorder half;
        Recorder whole;
        Weighted data{make_data(1, 0.7, 2), {2.0}};
        (void)run(c, data, &whole);
        data.weights[0] = 1.0;
        Recorder second(whole);
        (void)run(c, data, &second);
        for (std::size_t k = 0; k < whole.entries.size(); ++k) {
            const Recorder::Entry &entry = whole.entries[k];
            if (entry.purpose == random::Purpose::weight_sum) {
                check_true(c.name + ": centred", second.entries[k].integers[0] == 0);
                continue;
            }
            if (entry.purpose == random::Purpose::comparison) continue;
            double size = 0.0;
            double off = 0.0;
            for (std::size_t j = 0; j < entry.integers.size(); ++j) {
                const auto all = static_cast<double>(entry.integers[j]);
                size = std::max(size, std::abs(all));
                off = std::max(
                    off, std::abs(static_cast<double>(second.entries[k].integers[j]) - all / 2));
            }
            check_true(c.name + ": half of it", off <= 1e-3 * size + 2.0);
        }
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_stay_within_the_sensitivity),
        core_test(taking_a_record_out_stays_within_the_sensitivity),
        core_test(weights_are_clipped_to_their_bound),
        core_test(of_weight_1_records_are_what_they_are_without),
        core_test(a_record_adds_its_share),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
