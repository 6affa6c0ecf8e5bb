// Record and replay: a private run on a sample, then on a neighbour while feeding it the released
// values of the first run. The integers before the noise may differ by the declared sensitivity at
// most, in exact arithmetic; and everything that is public, or follows from released values, must
// be the same.
#include <array>

#include "core/carry_out.hpp"
#include "engine/problem.hpp"
#include "privacy/replay.hpp"

using namespace dpadapt;

namespace {

/** A release is paid as often as it is made: gradients of each domain apart, or of both. */
bool paid_for(const Run &run, const Recorder &made) {
    std::map<random::Purpose, std::uint64_t> count;
    for (const auto &entry : made.entries) ++count[entry.purpose];
    std::uint64_t gradients = 0;
    for (const privacy::Release &release : run.plan.releases)
        if (release.kind == privacy::ReleaseKind::gradient) gradients += release.steps;
    if (count[random::Purpose::gaussian_w] != gradients) return false;
    if (!run.plan.inference) return !count.contains(random::Purpose::inference);
    return count[random::Purpose::inference] == planned(run.plan, random::Purpose::inference).steps;
}

/** Whose records a step may read: where gradients are released apart, the source's come first. */
privacy::Domains domains_of(const privacy::Plan &plan, std::uint64_t step) {
    std::uint64_t before = 0;
    for (const privacy::Release &release : plan.releases) {
        if (release.kind != privacy::ReleaseKind::gradient) continue;
        before += release.steps;
        if (step <= before) return release.domains;
    }
    return privacy::kSource | privacy::kTarget;
}

/** Largest share of a squared sensitivity that a pair of runs uses, of vectors and of single
 *  entries. */
struct Usage {
    double vector = 0.0;
    double entry = 0.0;
};

void compare(const std::string &name, const Run &run, const Recorder &first, const Recorder &second,
             privacy::Domains replaced, Usage &usage) {
    check_true(name + ": number of releases", first.entries.size() == second.entries.size());
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &[purpose, step, integers, released] = first.entries[k];
        const auto &other = second.entries[k];
        const std::string where = name + ", release " + std::to_string(k);
        check_true(where + ": same kind", purpose == other.purpose && step == other.step &&
                                              integers.size() == other.integers.size());
        const Int128 sensitivity = planned(run.plan, purpose).integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        const Uint128 distance = squared_distance(integers, other.integers);
        check_true(where + ": sensitivity", distance <= most);
        if (purpose == random::Purpose::gaussian_w && (domains_of(run.plan, step) & replaced) == 0)
            check_true(where + ": of another domain", distance == 0);
        double &used = purpose == random::Purpose::gaussian_u ? usage.entry : usage.vector;
        used = std::max(used, static_cast<double>(distance) / static_cast<double>(most));
    }
}

using RunCall = Run (*)(const Data &source, const Data &target, const OptionTexts &texts,
                        privacy::ReleaseTrace *trace);

void replay(const Scenario &scenario, std::size_t n, bool replace_source, double label,
            Usage &usage, RunCall run_call = run_private) {
    Data source = make_data(replace_source ? n : 300, 0.0, 1);
    Data target = make_data(replace_source ? 300 : n, 0.7, 2);
    (replace_source ? source : target).y[n / 2] += label;
    Recorder first;
    const Run run = run_call(source, target, scenario.options, &first);
    check_true(scenario.name + ": each release is paid", paid_for(run, first));
    if (n == 120 && scenario.name.ends_with("counted"))
        check_true(scenario.name, run.plan.counts != privacy::Counted::nothing);
    const Data &changed = replace_source ? source : target;
    for (const Data &other : hostile_variants(changed, n / 2)) {
        Recorder second(first);
        const Run again = run_call(replace_source ? other : source, replace_source ? target : other,
                                   scenario.options, &second);
        compare(scenario.name, run, first, second,
                replace_source ? privacy::kSource : privacy::kTarget, usage);
        check_true(scenario.name + ": public output",
                   same_public_output(run.solution, again.solution));
    }
}

void neighbours_differ_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        const std::string words = domain == scenario.options.end() ? "target" : domain->second;
        Usage usage;
        for (const std::size_t n : {1U, 2U, 120U}) {
            for (const double label : {0.0, 1e6}) {
                if (words != "source") replay(scenario, n, false, label, usage);
                if (words != "target") replay(scenario, n, true, label, usage);
            }
        }
        check_true(scenario.name + ": the neighbours come near the sensitivity",
                   usage.vector > 0.4);
        if (scenario.options.contains("method"))
            check_true(scenario.name + ": the entries move", usage.entry > 1e-3);
    }
}

/** Many columns that are functions of the three, of the first rows. */
struct Wide {
    static constexpr std::size_t kColumns = 200;
    std::vector<double> x;
    std::vector<double> y;

    Wide(const Data &data, std::size_t rows) : y(data.y) {
        y.resize(std::min(rows, y.size()));
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double *from = &data.x[i * kFeatures];
            for (std::size_t j = 0; j < kColumns; ++j) {
                const double turn = static_cast<double>(j);
                x.push_back(from[j % kFeatures] * std::cos(turn) + from[(j + 1) % kFeatures] +
                            std::sin(turn * from[0]));
            }
        }
    }
    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), kColumns, kColumns, true}, y.data());
    }
};

/** Fewer rows in both samples than columns. */
Run run_wide(const Data &source, const Data &target, const OptionTexts &texts,
             privacy::ReleaseTrace *trace) {
    constexpr std::size_t kPublic = 20;
    const bool of_source =
        texts.contains("private_domain") && texts.at("private_domain") == "source";
    const Wide wide_source(source, of_source ? source.y.size() : kPublic);
    const Wide wide_target(target, of_source ? kPublic : target.y.size());
    NoControl control;
    const Sample source_sample = wide_source.sample();
    const Sample target_sample = wide_target.sample();
    const Settings settings = settings_of(texts, Wanted::fit);
    PrivateCall call(source_sample, target_sample, settings, Wanted::fit, control);
    check_true("in the span", call.problem().dimension() == kPublic + 1);
    privacy::Ledger ledger;
    call.charge(ledger);
    Run run{call.plan(), solve_private(call, settings.discrepancy, trace)};
    check_noise(call, trace);
    return run;
}

/** Records are projected onto the span of the public rows. */
void projected_records_move_sums_by_at_most_the_sensitivity() {
    const OptionTexts common = {
        {"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"iterations", "8"}};
    for (const char *domain : {"target", "source"})
        for (const char *loss : {"squared", "pinball"})
            for (const char *radius : {"none", "4"}) {
                OptionTexts options = common;
                options["private_domain"] = domain;
                options["loss"] = loss;
                if (std::string(radius) != "none") options["feature_radius"] = radius;
                Usage usage;
                for (const std::size_t n : {1U, 2U, 120U})
                    replay({std::string("wide ") + domain + " " + loss, options}, n,
                           std::string(domain) == "source", 0.0, usage, run_wide);
                check_true("they come near the sensitivity", usage.vector > 0.4);
            }
}

/** A vendor's random forest: public trees of depth two. As such models do, it answers nonsense to
 *  features that it was not made for. */
double forest(const double *x) {
    constexpr int kTrees = 25;
    Random random(77);
    double sum = 0.0;
    for (int tree = 0; tree < kTrees; ++tree) {
        std::array<double, 4> leaves{};
        for (double &leaf : leaves) leaf = 3.0 * random.normal();
        std::size_t leaf = 0;
        for (int depth = 0; depth < 2; ++depth) {
            const auto feature = static_cast<std::size_t>(kFeatures * random.uniform());
            const bool right = x[feature] > random.normal();
            leaf = 2 * leaf + (right ? 1 : 0);
        }
        sum += leaves.at(leaf);
    }
    double size = 0.0;
    for (std::size_t j = 0; j < kFeatures; ++j) size += std::abs(x[j]);
    return size < 1e3 ? sum / kTrees : 1e300 * size;
}

std::vector<double> forest_scores(const Data &data) {
    std::vector<double> scores;
    for (std::size_t i = 0; i < data.y.size(); ++i)
        scores.push_back(forest(&data.x[i * kFeatures]));
    return scores;
}

/** The correction of the forest's scores. */
Run run_corrected(const Data &source, const Data &target, const OptionTexts &texts,
                  privacy::ReleaseTrace *trace) {
    engine::Problem problem;
    problem.replace(privacy::kSource, source.sample());
    problem.replace(privacy::kTarget, target.sample());
    problem.set_scores(privacy::kSource, forest_scores(source));
    problem.set_scores(privacy::kTarget, forest_scores(target));
    return run_private(problem.source(), problem.target(), settings_of(texts, Wanted::fit), trace);
}

/** A score is a function of its own record and of nothing else that is private. */
void a_record_and_its_score_move_sums_by_at_most_the_sensitivity() {
    const std::string chosen[] = {"auto", "inference", "profile target", "paper target", "local"};
    for (const Scenario &scenario : scenarios()) {
        if (std::find(std::begin(chosen), std::end(chosen), scenario.name) == std::end(chosen))
            continue;
        Usage usage;
        for (const std::size_t n : {1U, 2U, 120U})
            for (const double label : {0.0, 1e6})
                replay(scenario, n, false, label, usage, run_corrected);
        check_true(scenario.name + ": the neighbours come near the sensitivity",
                   usage.vector > 0.4);
    }
    // The forest does enter: what is fitted is what it leaves.
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(120, 0.7, 2);
    const auto rest = [](Data data) {
        const std::vector<double> scores = forest_scores(data);
        for (std::size_t i = 0; i < data.y.size(); ++i) data.y[i] -= scores[i];
        return data;
    };
    const OptionTexts options = scenarios().front().options;
    const Solution corrected = run_corrected(source, target, options, nullptr).solution;
    check_true("labels less scores",
               same_public_output(
                   corrected, run_private(rest(source), rest(target), options, nullptr).solution));
    check_true(
        "not the labels themselves",
        !same_public_output(corrected, run_private(source, target, options, nullptr).solution));
}

/** A public map of the source's columns to the target's, with an offset. */
const std::vector<double> kMap = {0.6, 0.8, 0.0, -1.2, 0.9, 0.1, 0.0, 0.3, 2.0};
const std::vector<double> kOffset = {0.1, -0.4, 0.0};

/** The source's rows are of other columns. */
Run run_mapped(const Data &source, const Data &target, const OptionTexts &texts,
               privacy::ReleaseTrace *trace) {
    engine::Problem problem;
    problem.map_source(
        SourceMap({kMap.data(), kFeatures, kFeatures, kFeatures, true}, kOffset.data()));
    problem.replace(privacy::kSource, source.sample());
    problem.replace(privacy::kTarget, target.sample());
    return run_private(problem.source(), problem.target(), settings_of(texts, Wanted::fit), trace);
}

/** A mapped record is a function of that record and of the map alone. */
void a_record_that_is_mapped_moves_sums_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        if (domain == scenario.options.end() || domain->second == "target") continue;
        if (scenario.name == "no source") continue;  // its records have no weight
        Usage usage;
        for (const std::size_t n : {1U, 2U, 120U})
            for (const double label : {0.0, 1e6})
                replay(scenario, n, true, label, usage, run_mapped);
        check_true(scenario.name + ": the neighbours come near the sensitivity",
                   usage.vector > 0.4);
    }
    // It is the fit to rows that were mapped before.
    const Data source = make_data(120, 0.0, 1);
    const Data target = make_data(300, 0.7, 2);
    Data mapped = source;
    for (std::size_t i = 0; i < source.y.size(); ++i)
        for (std::size_t j = 0; j < kFeatures; ++j) {
            double value = kOffset[j];
            for (std::size_t k = 0; k < kFeatures; ++k)
                if (kMap[j * kFeatures + k] != 0.0)
                    value += kMap[j * kFeatures + k] * source.x[i * kFeatures + k];
            mapped.x[i * kFeatures + j] = value;
        }
    OptionTexts options = scenarios().front().options;
    options["private_domain"] = "source";
    const Solution fit = run_mapped(source, target, options, nullptr).solution;
    check_true("mapped before",
               same_public_output(fit, run_private(mapped, target, options, nullptr).solution));
    check_true("not the rows themselves",
               !same_public_output(fit, run_private(source, target, options, nullptr).solution));
}

/** The source lacks the last column, which the target's moments tell of. */
Run run_lacking(const Data &source, const Data &target, const OptionTexts &texts,
                privacy::ReleaseTrace *trace) {
    Data lacking = source;
    for (std::size_t i = 0; i < source.y.size(); ++i) lacking.x[i * kFeatures + 2] = 0.5;
    OptionTexts options = texts;
    options["own_columns"] = "regressed";
    return run_private(lacking, target, options, trace);
}

/** The largest share of its squared sensitivity by which neighbours move that release. */
double moved_by_neighbours(const Run &run, const Recorder &first, const Recorder &second,
                           random::Purpose purpose) {
    double moved = 0.0;
    for (std::size_t k = 0; k < first.entries.size(); ++k) {
        if (first.entries[k].purpose != purpose) continue;
        const auto most = static_cast<double>(planned(run.plan, purpose).integer_sensitivity);
        const auto distance = static_cast<double>(
            squared_distance(first.entries[k].integers, second.entries[k].integers));
        moved = std::max(moved, distance / (most * most));
    }
    return moved;
}

/** Of the moments that fill the source, and of the steps that follow. */
void columns_that_the_source_lacks_move_sums_by_at_most_the_sensitivity() {
    for (const std::string relation : {"replace", "zero_out"}) {
        Scenario scenario = scenarios().front();
        scenario.options["neighbours"] = relation;
        if (relation == "replace") {
            Usage usage;
            for (const std::size_t n : {1U, 2U, 120U})
                for (const double label : {0.0, 1e6})
                    replay(scenario, n, false, label, usage, run_lacking);
            check_true("the neighbours come near the sensitivity", usage.vector > 0.4);
        }
        const Data source = make_data(300, 0.0, 1);
        Data target = make_data(120, 0.7, 2);
        target.set(60, 50.0, 1.0);
        Recorder first;
        const Run run = run_lacking(source, target, scenario.options, &first);
        target.set(60, relation == "replace" ? -50.0 : kNan, 1.0);
        Recorder second(first);
        (void)run_lacking(source, target, scenario.options, &second);
        const double moved = moved_by_neighbours(run, first, second, random::Purpose::own_columns);
        check_true("the moments move by about their sensitivity", moved <= 1.0);
        if (relation == "zero_out") check_true("as far as one record can", moved > 0.9);
    }
}

/** Of a sample of one record the sums before the noise are its part: what taking it out moves. */
void a_record_that_is_taken_out_moves_sums_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        if (domain != scenario.options.end() && domain->second == "both") continue;
        const bool of_source = domain != scenario.options.end() && domain->second == "source";
        OptionTexts options = scenario.options;
        options["neighbours"] = "zero_out";
        const Data other = make_data(300, of_source ? 0.7 : 0.0, 1);
        Data data = make_data(1, of_source ? 0.0 : 0.7, 2);
        data.y[0] += 1e6;
        Data nothing = data;
        nothing.set(0, kNan, kNan);
        const auto run = [&](const Data &own, Recorder *recorder) {
            return of_source ? run_private(own, other, options, recorder)
                             : run_private(other, own, options, recorder);
        };
        Recorder without;
        (void)run(nothing, &without);
        double used = 0.0;
        for (const Data &record : hostile_variants(data, 0)) {
            Recorder recorder;
            const privacy::Plan plan = run(record, &recorder).plan;
            for (std::size_t k = 0; k < recorder.entries.size(); ++k) {
                const auto &[purpose, step, integers, released] = recorder.entries[k];
                // A discrepancy is no sum: it moves from what the other losses alone give.
                const std::vector<std::int64_t> from =
                    purpose == random::Purpose::discrepancy
                        ? without.entries[k].integers
                        : std::vector<std::int64_t>(integers.size());
                const privacy::Release &release = planned(plan, purpose);
                const Int128 sensitivity = release.integer_sensitivity;
                const auto most = static_cast<Uint128>(sensitivity * sensitivity);
                const Uint128 distance = squared_distance(integers, from);
                check_true(scenario.name + ": relation",
                           release.neighbours == privacy::Neighbours::zero_out);
                check_true(scenario.name + ": sensitivity where taken out", distance <= most);
                if (purpose == random::Purpose::gaussian_w)
                    used =
                        std::max(used, static_cast<double>(distance) / static_cast<double>(most));
            }
        }
        if (!options.contains("method"))  // whose terms are far shorter than their bound
            check_true(scenario.name + ": records come near the sensitivity", used > 0.8);
    }
}

/** The same price buys half the noise of gradients, and 1/sqrt(2) of that of second moments. */
void taking_out_needs_less_noise() {
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(2000, 0.7, 2);
    const OptionTexts options = {{"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}};
    OptionTexts taken_out = options;
    taken_out["neighbours"] = "zero_out";
    const privacy::Plan one = run_private(source, target, options, nullptr).plan;
    const privacy::Plan two = run_private(source, target, taken_out, nullptr).plan;
    const auto ratio = [&](privacy::ReleaseKind kind) {
        const privacy::Release &a = *one.find(kind);
        const privacy::Release &b = *two.find(kind);
        check_close("as dear", b.step_price(), a.step_price(), 1e-4);
        return b.scale() / a.scale();
    };
    check_close("gradients", ratio(privacy::ReleaseKind::gradient), 0.5, 1e-3);
    check_close("moments", ratio(privacy::ReleaseKind::second_moments), std::sqrt(0.5), 1e-3);
}

/** Plans must not depend on private records either: no bound, no default, no number of steps. */
void plans_do_not_see_private_records() {
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(40, 0.7, 2);
    Data other = make_data(40, -3.0, 9);
    other.set(3, kNan, kInf);
    for (const Scenario &scenario : scenarios()) {
        if (scenario.options.contains("private_domain") &&
            scenario.options.at("private_domain") == "source")
            continue;
        const Run one = run_private(source, target, scenario.options, nullptr);
        const Run two = run_private(source, other, scenario.options, nullptr);
        check_true(scenario.name + ": same releases",
                   one.plan.releases.size() == two.plan.releases.size());
        for (std::size_t k = 0; k < one.plan.releases.size(); ++k)
            check_true(scenario.name + ": same noise",
                       one.plan.releases[k].scale() == two.plan.releases[k].scale() &&
                           one.plan.releases[k].integer_sensitivity ==
                               two.plan.releases[k].integer_sensitivity);
    }
}

/** A sample elsewhere: each sum is made of the bytes of three parts. */
class Parts : public RemoteRecords {
  public:
    explicit Parts(const Data &data) : data_(data) {}

    std::vector<std::vector<std::uint8_t>> carry_out(
        std::span<const std::uint8_t> request) override {
        std::vector<std::vector<std::uint8_t>> sums;
        const std::size_t n = data_.y.size();
        for (std::size_t k = 0; k < kParts; ++k) {
            const std::size_t first = n * k / kParts;
            const std::size_t rows = n * (k + 1) / kParts - first;
            const Sample part =
                Sample::lend({data_.x.data() + first * kFeatures, rows, kFeatures, kFeatures, true},
                             data_.y.data() + first);
            sums.push_back(records::carry_out(request, part, 1, first));
        }
        ++requests_;
        return sums;
    }

    [[nodiscard]] bool knows_numbers() const override { return true; }
    [[nodiscard]] std::size_t requests() const { return requests_; }

  private:
    static constexpr std::size_t kParts = 3;
    const Data &data_;
    std::size_t requests_ = 0;
};

/** Nobody but the parts has the private rows. */
Run run_in_parts(const Data &source, const Data &target, const OptionTexts &texts,
                 privacy::ReleaseTrace *trace) {
    const Settings settings = settings_of(texts, Wanted::fit);
    Parts of_source(source);
    Parts of_target(target);
    const auto sample = [&](privacy::Domains domain, const Data &data, Parts &place) {
        return (settings.privacy.domains & domain) != 0
                   ? Sample::elsewhere(data.y.size(), kFeatures,
                                       {std::shared_ptr<RemoteRecords>(), &place})
                   : data.sample();
    };
    const Sample source_sample = sample(privacy::kSource, source, of_source);
    const Sample target_sample = sample(privacy::kTarget, target, of_target);
    Run run = run_private(source_sample, target_sample, settings, trace);
    check_true("parts were asked", of_source.requests() + of_target.requests() > 0);
    return run;
}

/** The same bound where a record reaches the sums as bytes of its part. */
void a_record_of_a_part_moves_sums_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        const std::string words = domain == scenario.options.end() ? "target" : domain->second;
        Usage usage;
        for (const std::size_t n : {1U, 120U}) {
            for (const double label : {0.0, 1e6}) {
                if (words != "source") replay(scenario, n, false, label, usage, run_in_parts);
                if (words != "target") replay(scenario, n, true, label, usage, run_in_parts);
            }
        }
        check_true(scenario.name + ": the neighbours come near the sensitivity",
                   usage.vector > 0.4);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(projected_records_move_sums_by_at_most_the_sensitivity),
        core_test(a_record_and_its_score_move_sums_by_at_most_the_sensitivity),
        core_test(columns_that_the_source_lacks_move_sums_by_at_most_the_sensitivity),
        core_test(a_record_of_a_part_moves_sums_by_at_most_the_sensitivity),
        core_test(a_record_that_is_mapped_moves_sums_by_at_most_the_sensitivity),
        core_test(a_record_that_is_taken_out_moves_sums_by_at_most_the_sensitivity),
        core_test(taking_out_needs_less_noise),
        core_test(plans_do_not_see_private_records),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
