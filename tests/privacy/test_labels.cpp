// Records without a label: to what reads labels they are nothing, at the same sensitivity, and to
// what does not they are like any other. Which records have a label is private.
#include <set>

#include "privacy/baselines.hpp"
#include "records/accumulator.hpp"
#include "records/arithmetic.hpp"

using namespace dpadapt;

namespace {

/** Of one record: a label that appears, vanishes, or turns into something else. */
std::vector<Data> relabelled(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double feature : {0.5, 40.0})
        for (const double label : {kNan, 0.0, 1e6, -1e6, kInf}) {
            all.push_back(data);
            all.back().set(record, feature, label);
        }
    return all;
}

/** Largest share of the squared sensitivity that releases of two runs differ by. */
double compare(const std::string &name, const Run &one, const Run &two, const Recorder &first,
               const Recorder &second) {
    check_true(name + ": same releases", first.entries.size() == second.entries.size());
    check_true(name + ": public output", same_baseline(one.solution, two.solution));
    double usage = 0.0;
    for (std::size_t k = 0; k < first.entries.size(); ++k) {
        const privacy::Release &release = planned(one.plan, first.entries[k].purpose);
        check_true(name + ": same noise",
                   release.scale() == planned(two.plan, first.entries[k].purpose).scale());
        const Uint128 distance =
            squared_distance(first.entries[k].integers, second.entries[k].integers);
        const Int128 sensitivity = release.integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        check_true(name + ": sensitivity", distance <= most);
        usage = std::max(usage, static_cast<double>(distance) / static_cast<double>(most));
    }
    return usage;
}

template <typename Fit>
void neighbours_stay_within_the_sensitivity(const std::string &name, const Fit &fit,
                                            std::size_t rows = 120, std::size_t labelled = 2) {
    constexpr std::size_t kRecord = 60;
    double usage = 0.0;
    for (const double label : {kNan, 1e6}) {
        Data target = make_data(rows, 0.7, 2);
        for (std::size_t i = 0; i < rows; ++i)
            if (i % labelled != labelled - 1) target.y[i] = kNan;
        target.set(kRecord, 40.0, label);
        Recorder first;
        const Run run = fit(target, &first);
        for (const Data &other : relabelled(target, kRecord)) {
            Recorder second(first);
            usage = std::max(usage, compare(name, run, fit(other, &second), first, second));
        }
    }
    check_true(name + ": neighbours come near the sensitivity", usage > 0.2);
}

const OptionTexts kHalf = {{"epsilon", "20"},
                           {"delta", "1e-3"},
                           {"unsafe_seed", "1"},
                           {"iterations", "8"},
                           {"labelled_share", "0.5"}};

/** Rows moved by so many deviations, which the source's predictor does not see. */
Data moved_by(double deviations, Data data) {
    for (std::size_t i = 0; i < data.y.size(); ++i) {
        data.x[i * kFeatures] += deviations;
        data.x[i * kFeatures + 2] -= deviations / 3.0;
    }
    return data;
}

/** Labels that are counts; what is far from one stays so. */
Data counts_of(Data data) {
    for (double &label : data.y)
        if (std::abs(label) < 1e5) label = std::floor(std::abs(label));
    return data;
}

void fits_and_baselines_protect_labels() {
    const Data source = make_data(200, 0.0, 1);
    const auto add = [&](const std::string &name, const OptionTexts &options) {
        neighbours_stay_within_the_sensitivity(name, [&](const Data &target, auto *trace) {
            return run_private(source, target, options, trace);
        });
    };
    add("auto", kHalf);
    add("huber", with(kHalf, "loss", "huber"));
    // So few that steps are used to count them.
    neighbours_stay_within_the_sensitivity(
        "counted",
        [&](const Data &target, auto *trace) {
            return run_private(source, target, with(kHalf, "labelled_share", "auto"), trace);
        },
        900, 60);
    // So long that steps are used to ask how long they are.
    neighbours_stay_within_the_sensitivity(
        "long",
        [&](const Data &target, auto *trace) {
            Data longer = target;
            for (double &label : longer.y) label *= 100.0;
            return run_private(source, longer, with(kHalf, "labelled_share", "auto"), trace);
        },
        900, 1);
    // So far away that steps are used to ask how far.
    neighbours_stay_within_the_sensitivity(
        "far",
        [&](const Data &target, auto *trace) {
            OptionTexts options = with(kHalf, "loss", "poisson");
            options["labelled_share"] = "1";
            return run_private(counts_of(source), counts_of(moved_by(30.0, target)), options,
                               trace);
        },
        900, 1);
    for (Scenario &scenario : scenarios())
        if (scenario.options.count("private_domain") == 0) add(scenario.name, scenario.options);
    OptionTexts bounded = with(with(kBudget, "unsafe_seed", "1"), "feature_radius", "quantile");
    bounded["label_bound"] = "quantile";
    for (const char *method :
         {"joint_ssp", "pooled_ssp", "private_dm", "private_coral", "noisy_sgd"})
        neighbours_stay_within_the_sensitivity(method, [&](const Data &target, auto *trace) {
            return run_baseline(method, source, target, bounded, trace);
        });
}

/** Where few records have labels, or residuals or rows are far longer than public ones, questions
 *  take steps of the fit: the plan's releases stay what they are, each with noise of its own. */
void a_comparison_takes_steps_and_adds_none() {
    Data source = make_data(200, 0.0, 1);
    OptionTexts options = {
        {"epsilon", "20"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"iterations", "8"}};
    const auto steps_taken = [&](std::size_t labelled, double times = 1.0, double moved = 0.0) {
        Data target = make_data(900, 0.7, 2);
        for (double &label : target.y) label *= times;
        target = moved_by(moved, target);
        if (options.count("loss") != 0) target = counts_of(target);
        for (std::size_t i = labelled; i < 900; ++i) target.y[i] = kNan;
        Recorder recorder;
        const Run run = run_private(source, target, options, &recorder);
        std::set<std::uint64_t> steps;
        std::size_t releases = 0;
        std::size_t compared = 0;
        for (const Recorder::Entry &entry : recorder.entries) {
            if (entry.purpose != random::Purpose::gaussian_w) continue;
            const bool first = steps.insert(entry.step).second;
            check_true("noise of its own", first);
            check_true("as large as planned",
                       entry.integers.size() == planned(run.plan, entry.purpose).dimension);
            ++releases;
            const double count = static_cast<double>(entry.integers.at(kFeatures)) /
                                 static_cast<double>(run.plan.gradient.most);
            const double counted = 0.3 * static_cast<double>(labelled);
            const bool asks_for_a_loss =
                std::all_of(entry.integers.begin() + 1, entry.integers.end(),
                            [](std::int64_t value) { return value == 0; });
            if (asks_for_a_loss || std::abs(count / counted - 1.0) < 1e-6) ++compared;
        }
        check_true("as many as are paid for", releases == run.plan.steps);
        return compared;
    };
    check_true("few labels", steps_taken(15) >= 1);
    check_true("all of them", steps_taken(900) == 0);
    check_true("long residuals", steps_taken(900, 100.0) >= 2);
    options["loss"] = "poisson";
    source = counts_of(source);
    check_true("near rows", steps_taken(900) == 0);
    check_true("far rows", steps_taken(900, 1.0, 30.0) >= 2);
}

/** What reads labels cannot tell such a record from one of zeros, to the last bit of the sums. */
void without_a_label_a_record_is_nothing_to_labels() {
    const Data source = make_data(200, 0.0, 1);
    Data target = make_data(120, 0.7, 2);
    Data nothing = target;
    for (std::size_t i = 0; i < 120; i += 3) {
        target.y[i] = kNan;
        nothing.set(i, kNan, kNan);
    }
    const auto same_sums = [](const std::string &name, const Recorder &one, const Recorder &two) {
        for (std::size_t k = 0; k < one.entries.size(); ++k)
            check_true(name + ": same sums", one.entries[k].integers == two.entries[k].integers);
    };
    for (Scenario &scenario : scenarios()) {
        if (scenario.options.count("private_domain") != 0 || scenario.name == "unlabelled")
            continue;
        scenario.options["moments_share"] = "0";
        Recorder one;
        Recorder two;
        (void)run_private(source, target, scenario.options, &one);
        (void)run_private(source, nothing, scenario.options, &two);
        same_sums(scenario.name, one, two);
    }
    OptionTexts bounded = with(with(kBudget, "unsafe_seed", "1"), "feature_radius", "quantile");
    bounded["label_bound"] = "quantile";
    for (const char *method : {"joint_ssp", "ada_ssp", "public_ssp", "pooled_ssp", "noisy_sgd"}) {
        Recorder one;
        Recorder two;
        (void)run_baseline(method, source, target, bounded, &one);
        (void)run_baseline(method, source, nothing, bounded, &two);
        same_sums(method, one, two);
    }
}

/** Labels have no part in them: not which there are, and not what they are. */
void what_reads_no_labels_counts_every_record() {
    const Data source = make_data(200, 0.0, 1);
    const Data target = make_data(120, 0.7, 2);
    Data unlabelled = target;
    for (std::size_t i = 0; i < 120; ++i)
        if (i % 3 != 0) unlabelled.y[i] = kNan;
    const OptionTexts bounded =
        with(with(kBudget, "unsafe_seed", "1"), "feature_radius", "quantile");
    Recorder one;
    Recorder two;
    (void)run_baseline("private_dm", source, target, bounded, &one);
    (void)run_baseline("private_dm", source, unlabelled, bounded, &two);
    check_true("private_dm", one.entries.at(0).integers == two.entries.at(0).integers);

    OptionTexts options = with(bounded, "discrepancy_kind", "unlabelled");
    options["alpha"] = "0.4";
    Recorder three;
    Recorder four;
    (void)run_private(source, target, options, &three);
    (void)run_private(source, unlabelled, options, &four);
    check_true("discrepancy", three.entries.at(0).integers == four.entries.at(0).integers &&
                                  three.entries.at(0).purpose == random::Purpose::discrepancy);
}

/** Of the squared loss the metric's moments of records without a label are those of records on
 *  which the predictor is right. */
void hessians_of_unlabelled_records_are_not_clipped_by_a_slope() {
    Data target = make_data(40, 0.7, 2);
    Data right = target;
    const arma::vec v = {0.3, -0.2, 0.5};
    for (std::size_t i = 0; i < 40; i += 2) {
        target.y[i] = kNan;
        right.y[i] = records::product(v.memptr(), right.x.data() + i * kFeatures, kFeatures);
    }
    const records::OuterTask task{
        records::ShrunkByLoss{{{.kind = loss::Kind::squared}, v, 2.0}, 0.5, 2.0}, {40, 1 << 20}};
    const auto sum_of = [&](const Data &data) {
        const Sample sample = data.sample();
        records::Coordinates plain;
        plain.center.zeros(kFeatures);
        plain.scale.ones(kFeatures);
        return records::Accumulator(sample, plain, 1, 0, records::kAllRows,
                                    unlabelled_records(task))
            .sum(task);
    };
    check_true("same products", sum_of(target).packed() == sum_of(right).packed());
}

/** Their noise would be the shift. One of 40 passes for records. */
void records_that_do_not_count_move_nothing() {
    const Data source = make_data(200, 0.0, 1);
    Data target = make_data(400, 0.7, 2);
    const auto stay = [&] {
        int count = 0;
        for (int seed = 1; seed <= 40; ++seed) {
            const Run run = run_private(
                source, target, with(kBudget, "unsafe_seed", std::to_string(seed)), nullptr);
            count += run.solution.settings.alpha == 1.0 ? 1 : 0;
        }
        return count;
    };
    check_true("records move it", stay() < 5);
    std::fill(target.y.begin(), target.y.end(), kNan);
    const int stayed = stay();
    check_true(std::to_string(stayed) + " of 40 stay", stayed >= 36);
}

void a_public_lack_of_labels_is_refused_where_they_are_needed() {
    const Data source = make_data(200, 0.0, 1);
    const Data target = make_data(120, 0.7, 2);
    const Sample rows = source.sample();
    const Sample unlabelled =
        Sample::lend_unlabelled({target.x.data(), 120, kFeatures, kFeatures, true});
    NoControl control;
    const auto status = [&](Wanted wanted, const OptionTexts &options) {
        try {
            const PrivateCall call(rows, unlabelled, settings_of(options, wanted), wanted, control);
        } catch (const Error &error) {
            return error.status();
        }
        return DPA_OK;
    };
    check_true("fit", status(Wanted::fit, kBudget) == DPA_E_LABEL);
    check_true("labelled discrepancy", status(Wanted::discrepancy, kBudget) == DPA_E_LABEL);
    check_true(
        "unlabelled discrepancy",
        status(Wanted::discrepancy, with(kBudget, "discrepancy_kind", "unlabelled")) == DPA_OK);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(fits_and_baselines_protect_labels),
        core_test(a_comparison_takes_steps_and_adds_none),
        core_test(without_a_label_a_record_is_nothing_to_labels),
        core_test(what_reads_no_labels_counts_every_record),
        core_test(hessians_of_unlabelled_records_are_not_clipped_by_a_slope),
        core_test(records_that_do_not_count_move_nothing),
        core_test(a_public_lack_of_labels_is_refused_where_they_are_needed),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
