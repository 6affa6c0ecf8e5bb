// Private records in other processes: every private method asks for the sums of its tasks in bytes,
// over 1, 2, 7 and n parts of the sample, and merges them in random order. Each sum, and all that
// is released, has the bits of a run on records in this process. A sample elsewhere throws when its
// rows are read, so nothing reads one but by a task.
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "privacy/baselines.hpp"
#include "privacy/evaluation.hpp"
#include "privacy/losses.hpp"
#include "privacy/partition.hpp"
#include "records/reader.hpp"
#include "select/private_selection.hpp"

using namespace dpadapt;

namespace {

/** A process that carries out requests. */
class Worker {
  public:
    Worker() {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        if (pipe(to.data()) != 0 || pipe(from.data()) != 0) throw Error(DPA_E_INTERNAL, "no pipe");
        process_ = fork();
        if (process_ == 0) {
            dup2(to[0], STDIN_FILENO);
            dup2(from[1], STDOUT_FILENO);
            for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
            execl(DPA_PARTITION_WORKER, DPA_PARTITION_WORKER, nullptr);
            _exit(127);
        }
        close(to[0]);
        close(from[1]);
        to_ = to[1];
        from_ = from[0];
    }
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    ~Worker() {
        close(to_);
        close(from_);
        waitpid(process_, nullptr, 0);
    }

    Bytes operator()(const WorkFrame &work) {
        Bytes sum;
        if (!send(to_, work) || !receive(from_, sum))
            throw Error(DPA_E_INTERNAL, "a worker has died");
        return sum;
    }

  private:
    pid_t process_ = 0;
    int to_ = 0;
    int from_ = 0;
};

std::array<Worker, 3> &workers() {
    static std::array<Worker, 3> all;
    return all;
}

enum class Rows { in_order, shuffled };

/** A sample whose records are divided among the workers. */
class Parts : public RemoteRecords {
  public:
    Parts(const Data &data, std::size_t parts, Rows rows)
        : data_(data), order_(data.y.size()), parts_(parts), random_(11) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        if (rows == Rows::shuffled) std::shuffle(order_.begin(), order_.end(), random_);
    }

    std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) override {
        ++requests;
        std::vector<Bytes> sums;
        for (std::size_t k = 0; k < parts_; ++k) {
            WorkFrame work{{request.begin(), request.end()}, {}, {}, kFeatures, begin(k)};
            for (std::size_t i = begin(k); i < begin(k + 1); ++i) {
                const auto row =
                    data_.x.begin() + static_cast<std::ptrdiff_t>(order_[i] * kFeatures);
                work.x.insert(work.x.end(), row, row + kFeatures);
                work.y.push_back(data_.y[order_[i]]);
            }
            sums.push_back(workers()[k % workers().size()](work));
        }
        std::shuffle(sums.begin(), sums.end(), random_);
        return sums;
    }

    [[nodiscard]] bool knows_numbers() const override { return true; }

    std::size_t requests = 0;

  private:
    [[nodiscard]] std::size_t begin(std::size_t k) const { return data_.y.size() * k / parts_; }

    const Data &data_;
    std::vector<std::size_t> order_;
    std::size_t parts_;
    std::mt19937 random_;
};

using Method = std::function<Solution(const Sample &source, const Sample &target,
                                      privacy::ReleaseTrace &trace)>;

bool same_numbers(const std::vector<double> &a, const std::vector<double> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_entries(const Recorder &a, const Recorder &b) {
    const auto same_entry = [](const Recorder::Entry &one, const Recorder::Entry &other) {
        return one.purpose == other.purpose && one.step == other.step &&
               one.integers == other.integers && same_numbers(one.released, other.released);
    };
    return std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                      same_entry);
}

bool same_solution(const Solution &a, const Solution &b) {
    return a.coefficients == b.coefficients && a.intercept == b.intercept &&
           a.parameters == b.parameters && a.source_weights == b.source_weights &&
           a.target_weights == b.target_weights &&
           same(a.settings.discrepancy, b.settings.discrepancy);
}

/** Runs the method on records here and, those of the private domains, in parts elsewhere. */
void check(const std::string &name, const Data &source, const Data &target,
           privacy::Domains domains, Rows rows, const Method &method) {
    Recorder local;
    const Solution expected = method(source.sample(), target.sample(), local);
    check_true(name + ": something is released", !local.entries.empty());
    const std::size_t n = std::min(source.y.size(), target.y.size());
    for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{7}, n}) {
        Parts of_source(source, parts, rows);
        Parts of_target(target, parts, rows);
        const auto sample = [&](privacy::Domains domain, const Data &data, Parts &place) {
            return (domains & domain) != 0
                       ? Sample::elsewhere(data.y.size(), kFeatures,
                                           {std::shared_ptr<RemoteRecords>(), &place})
                       : data.sample();
        };
        Recorder trace;
        const Solution solution = method(sample(privacy::kSource, source, of_source),
                                         sample(privacy::kTarget, target, of_target), trace);
        const std::string where = name + ", parts " + std::to_string(parts);
        check_true(where + ": requests", of_source.requests + of_target.requests > 0);
        check_true(where + ": same releases", same_entries(local, trace));
        check_true(where + ": same solution", same_solution(expected, solution));
    }
}

/** With records that count as nothing, and others that are clipped. */
Data with_bad_records(Data data) {
    data.set(3, kNan, 1.0);
    data.set(5, 1e200, 2.0);
    data.y[7] = -1e6;
    data.y[9] = kInf;
    return data;
}

const OptionTexts kOptions = {{"epsilon", "2"},       {"delta", "1e-3"}, {"unsafe_seed", "1"},
                              {"iterations", "3"},    {"alpha", "0.4"},  {"radius", "6"},
                              {"feature_radius", "4"}};
std::string domain_in(const OptionTexts &options) {
    const auto found = options.find("private_domain");
    return found == options.end() ? "target" : found->second;
}

const OptionTexts kClasses = {{"loss", "softmax"}, {"classes", "3"}, {"lambda_1", "9"}};

Data as_classes(Data data) {
    for (double &y : data.y) y = y < -2.0 ? 0.0 : y < 2.0 ? 1.0 : 2.0;
    return data;
}

privacy::Domains domains_of(const std::string &word) {
    return word == "target"   ? privacy::kTarget
           : word == "source" ? privacy::kSource
                              : privacy::kSource | privacy::kTarget;
}

Method private_fit(const Settings &settings) {
    return [settings](const Sample &source, const Sample &target, privacy::ReleaseTrace &trace) {
        return run_private(source, target, settings, &trace).solution;
    };
}

Method private_discrepancy(const Settings &settings) {
    return [settings](const Sample &source, const Sample &target, privacy::ReleaseTrace &trace) {
        NoControl control;
        PrivateCall call(source, target, settings, Wanted::discrepancy, control);
        privacy::Ledger ledger;
        call.charge(ledger);
        Solution solution;
        solution.settings.discrepancy = call.release_discrepancy(&trace);
        return solution;
    };
}

/** Of both samples, those records that are private with damage. */
struct Samples {
    Data source;
    Data target;

    Samples(privacy::Domains domains, const std::function<Data(Data)> &labelled)
        : source(labelled(make_data(60, 0.0, 1))), target(labelled(make_data(25, 0.7, 2))) {
        if ((domains & privacy::kSource) != 0) source = with_bad_records(source);
        if ((domains & privacy::kTarget) != 0) target = with_bad_records(target);
    }
};

void fits_of_the_squared_loss() {
    for (const Scenario &scenario : scenarios()) {
        const privacy::Domains domains = domains_of(domain_in(scenario.options));
        const Samples samples(domains, [](const Data &data) { return data; });
        const bool numbered = scenario.options.contains("method");
        check(scenario.name, samples.source, samples.target, domains,
              numbered ? Rows::in_order : Rows::shuffled,
              private_fit(settings_of(scenario.options, Wanted::fit)));
    }
}

void fits_of_other_losses() {
    const OptionTexts common = {{"epsilon", "2"},    {"delta", "1e-3"},       {"unsafe_seed", "1"},
                                {"iterations", "3"}, {"feature_radius", "4"}, {"radius", "6"}};
    const OptionTexts coupled = {
        {"alpha", "0.4"}, {"lambda_1", "20"}, {"lambda_2", "1"}, {"lambda_inf", "0.2"}};
    const std::vector<OptionTexts> methods = {
        {},
        {{"alpha", "0.4"}, {"metric", "gradients"}},
        coupled,
        with(coupled, {{"private_domain", "source"}}),
        with(coupled, {{"private_domain", "both"}, {"preprocess", "none"}, {"clip_bound", "0.5"}})};
    for (const OptionTexts &loss : loss_cases())
        for (const OptionTexts &method : methods) {
            if (labels_of(loss) == loss::Labels::any) continue;  // a caller's function is not sent
            const std::vector<std::string> possible = private_domains(loss);
            const auto wanted = method.find("private_domain");
            if (wanted != method.end() && std::ranges::count(possible, wanted->second) == 0)
                continue;
            OptionTexts options = with(with(common, loss), method);
            if (has_numbers(loss)) options["label_bound"] = "9";
            const privacy::Domains domains = domains_of(domain_in(options));
            const Samples samples(domains, [&](Data data) { return with_labels(data, loss); });
            check(name_of(loss) + ", " + std::to_string(&method - methods.data()), samples.source,
                  samples.target, domains, Rows::shuffled,
                  private_fit(settings_of(options, Wanted::fit)));
        }
}

void discrepancies_and_the_papers_methods() {
    for (const std::string domain : {"target", "source", "both"})
        for (const bool classes : {false, true}) {
            OptionTexts options = with(kOptions, {{"private_domain", domain}});
            if (domain == "both") options["preprocess"] = "none";
            options = with(options, classes ? kClasses : OptionTexts{{"label_bound", "9"}});
            if (!classes && domain == "both") options["kappa_1"] = "4";
            const privacy::Domains domains = domains_of(domain);
            const Samples samples(
                domains, [&](const Data &data) { return classes ? as_classes(data) : data; });
            const std::string name = (classes ? "softmax, " : "squared, ") + domain;
            check(name + ", discrepancy", samples.source, samples.target, domains, Rows::shuffled,
                  private_discrepancy(settings_of(options, Wanted::discrepancy)));
            options["method"] = "paper";
            check(name + ", paper", samples.source, samples.target, domains, Rows::in_order,
                  private_fit(settings_of(options, Wanted::fit)));
        }
}

void baselines() {
    const Data source = make_data(60, 0.0, 1);
    const Data target = with_bad_records(make_data(25, 0.7, 2));
    const Settings settings = general_settings(
        with(kOptions, {{"label_bound", "9"}, {"epochs", "2"}, {"batch_size", "4"}}));
    for (const char *name : {"joint_ssp", "ada_ssp", "public_ssp", "pooled_ssp", "private_dm",
                             "private_coral", "noisy_sgd"}) {
        const auto solve = [&](const Sample &of_source, const Sample &of_target,
                               privacy::ReleaseTrace &trace) {
            NoControl control;
            const auto call = baseline::prepare_private(baseline::find_method(name), of_source,
                                                        of_target, settings, control);
            privacy::Ledger ledger;
            call->charge(ledger);
            return call->solve(&trace);
        };
        // The batches of noisy descent are of the records' numbers.
        const bool numbered = std::string(name) == "noisy_sgd";
        check(name, source, target, privacy::kTarget, numbered ? Rows::in_order : Rows::shuffled,
              solve);
    }
}

void selection() {
    std::vector<Solution> candidates(3);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        Solution &candidate = candidates[k];
        candidate.coordinates.center.assign(kFeatures, 0.0);
        candidate.coordinates.scale.assign(kFeatures, 1.0);
        candidate.coefficients = {1.0, 2.0 - static_cast<double>(k), 3.0};
        candidate.intercept = {0.5};
        candidate.source_rows = candidate.target_rows = 1;
    }
    const Settings settings = settings_of(
        {{"selection_epsilon", "1"}, {"selection_bound", "4"}, {"unsafe_seed", "1"}}, Wanted::fit);
    const auto solve = [&](const Sample & /*source*/, const Sample &target,
                           privacy::ReleaseTrace &trace) {
        NoControl control;
        privacy::Ledger ledger;
        select::PrivateSelection call(target, settings, SelectionLoss::squared, candidates.size());
        call.charge(ledger);
        const std::vector<const Solution *> list{&candidates[0], &candidates[1], &candidates[2]};
        return candidates.at(call.release(list, control, &trace));
    };
    check("selection", make_data(60, 0.0, 1), with_bad_records(make_data(25, 0.7, 2)),
          privacy::kTarget, Rows::shuffled, solve);
}

void evaluation() {
    const LabelledPopulation population = numbers_population();
    const OptionTexts learnt = {{"epsilon", "600"}, {"delta", "1e-5"}, {"unsafe_seed", "1"}};
    for (const OptionTexts &options : {learnt, with(learnt, {{"evaluation_bound", "3"}})}) {
        const Settings settings = settings_of(options, Wanted::fit);
        const auto solve = [&](const Sample & /*source*/, const Sample &target,
                               privacy::ReleaseTrace &trace) {
            NoControl control;
            privacy::Ledger ledger;
            evaluate::PrivateEvaluation call(target, nullptr, settings, population.pointers());
            call.charge(ledger);
            const evaluate::Measured measured = call.release(control, &trace);
            Solution numbers = population.solutions.front();
            numbers.coefficients.clear();
            for (const evaluate::Measure &measure : measured.measures)
                numbers.coefficients.push_back(measure.value.upper);
            return numbers;
        };
        check("evaluation", make_data(60, 0.0, 1), with_bad_records(make_data(25, 0.7, 2)),
              privacy::kTarget, Rows::shuffled, solve);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(fits_of_the_squared_loss),
        core_test(fits_of_other_losses),
        core_test(discrepancies_and_the_papers_methods),
        core_test(baselines),
        core_test(selection),
        core_test(evaluation),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
