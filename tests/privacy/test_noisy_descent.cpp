// Noisy gradient descent as a baseline: what leaves, what it costs, and what it computes.
#include <array>
#include <set>

#include "privacy/accountant.hpp"
#include "privacy/baselines.hpp"
#include "privacy/losses.hpp"
#include "privacy/sampled_gaussian.hpp"

using namespace dpadapt;

namespace {

const OptionTexts kOptions = {{"epsilon", "2"},           {"delta", "1e-3"},
                              {"unsafe_seed", "1"},       {"epochs", "4"},
                              {"sampling", "shuffled"},   {"feature_radius", "quantile"},
                              {"label_bound", "quantile"}};

Run descend(const Data &source, const Data &target, const OptionTexts &options,
            privacy::ReleaseTrace *trace = nullptr) {
    return run_baseline("noisy_sgd", source, target, options, trace);
}

/** In each epoch the batches whose integers differ. */
std::vector<std::set<std::size_t>> differing(const Recorder &one, const Recorder &two,
                                             std::size_t epochs) {
    const std::size_t batches = one.entries.size() / epochs;
    std::vector<std::set<std::size_t>> differ(epochs);
    for (std::size_t step = 0; step < one.entries.size(); ++step)
        if (one.entries[step].integers != two.entries.at(step).integers)
            differ[step / batches].insert(step % batches);
    return differ;
}

/** Largest share of the squared sensitivity that a pair of runs uses. */
double compare(const std::string &name, const Run &one, const Run &two, const Recorder &first,
               const Recorder &second) {
    check_true(name + ": same releases", one.plan.releases.size() == 1 &&
                                             two.plan.releases.size() == 1 &&
                                             first.entries.size() == second.entries.size());
    const privacy::Release &release = one.plan.releases[0];
    check_true(name + ": same plan",
               release.scale() == two.plan.releases[0].scale() &&
                   release.integer_sensitivity == two.plan.releases[0].integer_sensitivity);
    check_true(name + ": public output", same_baseline(one.solution, two.solution));
    for (const std::set<std::size_t> &batches : differing(first, second, release.steps))
        check_true(name + ": one batch of an epoch", batches.size() <= 1);
    const Int128 sensitivity = release.integer_sensitivity;
    const auto most = static_cast<Uint128>(sensitivity * sensitivity);
    Uint128 largest = 0;
    for (std::size_t step = 0; step < first.entries.size(); ++step) {
        check_true(name + ": numbered", first.entries[step].step == step);
        largest = std::max(
            largest, squared_distance(first.entries[step].integers, second.entries[step].integers));
    }
    check_true(name + ": sensitivity", largest <= most);
    return static_cast<double>(largest) / static_cast<double>(most);
}

void neighbours_differ_in_one_batch_of_an_epoch() {
    for (const OptionTexts &loss : loss_cases()) {
        if (labels_of(loss) == loss::Labels::any) continue;  // has a test of its own
        OptionTexts options = loss;
        options.insert(kOptions.begin(), kOptions.end());
        if (!has_numbers(loss)) options.erase("label_bound");
        const Data source = with_labels(make_data(200, 0.0, 1), loss);
        double usage = 0.0;
        for (const char *size : {"auto", "1", "7", "1000"}) {
            options["batch_size"] = size;
            for (const std::size_t n : {1U, 40U}) {
                Data target = with_labels(make_data(n, 0.7, 2), loss);
                target.set(n / 2, 1.5, target.y[n / 2]);
                Recorder first;
                const Run run = descend(source, target, options, &first);
                for (const Data &other : neighbours(target, n / 2)) {
                    Recorder second(first);
                    const Run again = descend(source, other, options, &second);
                    usage = std::max(
                        usage, compare(name_of(loss) + ", " + size, run, again, first, second));
                }
            }
        }
        check_true(name_of(loss) + ": neighbours come near the sensitivity", usage > 0.3);
    }
}

/** A function of the caller that lies about its bounds and fails on some records. */
std::int32_t hostile_loss(const double *x, size_t rows, size_t features, const double *labels,
                          const double *theta, size_t parameters, double *losses, double *gradients,
                          void * /*user*/) {
    for (std::size_t i = 0; i < rows; ++i) {
        if (labels[i] == -77.0) return -1;
        double residual = -labels[i];
        for (std::size_t k = 0; k < parameters; ++k) residual += theta[k] * x[i * features + k];
        losses[i] = residual * residual;
        if (labels[i] == 77.0) losses[i] = kNan;
        for (std::size_t k = 0; gradients != nullptr && k < parameters; ++k)
            gradients[i * parameters + k] = 2.0 * residual * x[i * features + k];
    }
    return 0;
}

void a_hostile_function_cannot_exceed_the_sensitivity() {
    NoControl control;
    const Data source = make_data(60, 0.0, 1);
    const Data target = make_data(20, 0.7, 2);
    OptionTexts options = kOptions;
    options.erase("label_bound");
    Settings settings = general_settings(options);
    settings.loss.kind = loss::Kind::custom;
    settings.loss.callback = {hostile_loss, nullptr, kFeatures, {1e-3, 1e9, 1e-3}};
    const auto run = [&](const Data &data, Recorder &recorder) {
        const Sample of_source = source.sample();
        const Sample of_target = data.sample();
        const auto call = baseline::prepare_private(baseline::find_method("noisy_sgd"), of_source,
                                                    of_target, settings, control);
        privacy::Ledger ledger;
        call->charge(ledger);
        Run result{call->plan(), call->solve(&recorder)};
        check_noise(*call, &recorder);
        return result;
    };
    Recorder first;
    const Run one = run(target, first);
    for (const double label : {77.0, -77.0, 1e300, kNan, 0.0}) {
        Data other = target;
        other.y[5] = label;
        Recorder second(first);
        const Run two = run(other, second);
        (void)compare("custom", one, two, first, second);
    }
}

void every_record_is_in_one_batch_of_each_epoch() {
    constexpr std::size_t kRows = 23;
    const Data source = make_data(100, 0.0, 1);
    const Data target = make_data(kRows, 0.3, 2);
    const OptionTexts options = with(kOptions, "batch_size", "5");
    Recorder first;
    (void)descend(source, target, options, &first);
    check_true("five batches in each of four epochs", first.entries.size() == 20);
    std::array<std::array<std::size_t, 5>, 4> sizes{};
    std::vector<std::vector<std::size_t>> batch_of(4);
    for (std::size_t record = 0; record < kRows; ++record) {
        Data other = target;
        other.x[record * kFeatures] -= 2.0;
        other.y[record] += 3.0;
        Recorder second(first);
        (void)descend(source, other, options, &second);
        const auto differ = differing(first, second, 4);
        for (std::size_t epoch = 0; epoch < 4; ++epoch) {
            check_true("in exactly one batch", differ[epoch].size() == 1);
            for (const std::size_t batch : differ[epoch]) {
                ++sizes[epoch][batch];
                batch_of[epoch].push_back(batch);
            }
        }
    }
    for (const auto &epoch : sizes)
        for (const std::size_t size : epoch) check_true("4 or 5 records", size == 4 || size == 5);
    const std::set<std::vector<std::size_t>> orders(batch_of.begin(), batch_of.end());
    check_true("each epoch has its own order", orders.size() == 4);
}

/** Noise of a mean of 50 records 0.4, gradients within 1, 16 epochs: mu = 2/(50 0.4) sqrt(16). */
void the_price_is_that_of_the_epochs() {
    const Data source = make_data(100, 0.0, 3);
    const Data target = make_data(500, 0.3, 4);
    OptionTexts options = with(with(kOptions, "epochs", "16"), "clip_bound", "1");
    options["batch_size"] = "50";
    Recorder recorder;
    const Run given = descend(source, target, with(options, "noise_multiplier", "10"), &recorder);
    check_true("ten batches an epoch", recorder.entries.size() == 160);
    const privacy::Release &release = given.plan.releases[0];
    check_true("one release of 16 steps", given.plan.releases.size() == 1 && release.steps == 16);
    check_close("sensitivity of a sum", release.sensitivity(), 2.0, 1e-8);
    check_close("noise of a sum", release.scale(), 20.0, 1e-8);
    const privacy::Totals totals = given.plan.total.totals();
    check_close("mu", totals.mu, 0.4, 1e-8);
    check_close("delta", privacy::delta(1.0, totals), 0.00129989813, 1e-7);

    options["epsilon"] = "1";
    options["delta"] = "0.00129989813";
    const Run budgeted = descend(source, target, options);
    check_close("noise for that budget", budgeted.plan.releases[0].scale(), 20.0, 1e-6);
    check_true("within it", budgeted.plan.total.within(budgeted.plan.budget->cap));
    options["epochs"] = "64";
    check_close("twice the noise for four times the epochs",
                descend(source, target, options).plan.releases[0].scale(), 40.0, 1e-6);
}

void noise_of_every_batch_is_that_of_the_plan() {
    const Data source = make_data(100, 0.0, 5);
    const Data target = make_data(60, 0.3, 6);
    double square = 0.0;
    double repeated = 0.0;
    double count = 0.0;
    for (int seed = 1; seed <= 40; ++seed) {
        OptionTexts options = with(kOptions, "unsafe_seed", std::to_string(seed));
        options["batch_size"] = "7";
        Recorder recorder;
        const Run run = descend(source, target, options, &recorder);
        std::vector<double> last(kFeatures + 1);
        for (const Recorder::Entry &entry : recorder.entries)
            for (std::size_t k = 0; k < entry.integers.size(); ++k, ++count) {
                const double noise = (entry.released[k] / run.plan.gradient.gamma -
                                      static_cast<double>(entry.integers[k])) /
                                     std::ldexp(1.0, run.plan.gradient.bits);
                square += noise * noise;
                repeated += noise * last[k];
                last[k] = noise;
            }
    }
    const double six = 6.0 / std::sqrt(count);  // standard deviations of a mean
    check_true("variance", std::abs(square / count - 1.0) < six * std::sqrt(2.0));
    check_true("no repetition", std::abs(repeated / count) < six);
}

const OptionTexts kSampled = with(kOptions, "sampling", "poisson");

/** Neighbours have the same coins and noise: only batches with the record differ, by at most the
 *  sensitivity, and it is in one with probability q. */
void a_sampled_record_moves_the_batches_that_it_is_in() {
    for (const char *neighbours_are : {"replace", "zero_out"}) {
        OptionTexts options = with(with(kSampled, "batch_size", "8"), "epochs", "60");
        options["neighbours"] = neighbours_are;
        const bool taken_out = options["neighbours"] == "zero_out";
        const Data source = make_data(200, 0.0, 1);
        Data target = make_data(40, 0.7, 2);
        target.set(7, 1.5, target.y[7]);
        Recorder first;
        const Run run = descend(source, target, options, &first);
        const privacy::Release &release = run.plan.releases.at(0);
        check_true("all steps are planned", run.plan.releases.size() == 1 &&
                                                release.steps == first.entries.size() &&
                                                release.steps == 300);
        check_true("the rate",
                   std::abs(std::ldexp(static_cast<double>(release.rate), -32) - 0.2) < 1e-9);
        std::vector<Data> others = neighbours(target, 7);
        if (taken_out) others = {others.front()};  // a record that is not a number is none
        double usage = 0.0;
        for (const Data &other : others) {
            Recorder second(first);
            const Run again = descend(source, other, options, &second);
            check_true("public output", same_baseline(run.solution, again.solution));
            std::size_t differ = 0;
            for (std::size_t step = 0; step < first.entries.size(); ++step) {
                const Uint128 square = squared_distance(first.entries[step].integers,
                                                        second.entries.at(step).integers);
                const Int128 most = release.integer_sensitivity;
                check_true("sensitivity", square <= static_cast<Uint128>(most * most));
                usage = std::max(
                    usage, std::sqrt(static_cast<double>(square)) / static_cast<double>(most));
                differ += square > 0 ? 1 : 0;
            }
            // 300 coins with probability 0.2: six deviations are 42.
            check_true("in a fifth of the batches: " + std::to_string(differ),
                       differ <= 102 && (differ == 0 || differ >= 18));
        }
        check_true("neighbours come near the sensitivity", usage > 0.5);
    }
}

void sampled_steps_pay_what_the_accountant_says() {
    const Data source = make_data(100, 0.0, 3);
    const Data target = make_data(500, 0.3, 4);
    for (const char *relation : {"replace", "zero_out"}) {
        const OptionTexts options =
            with(with(kSampled, "batch_size", "25"), "neighbours", relation);
        const Run run = descend(source, target, options);
        const privacy::Release &release = run.plan.releases.at(0);
        const privacy::SampledSteps steps{std::ldexp(static_cast<double>(release.rate), -32),
                                          release.steps, release.neighbours};
        const double part =
            std::ldexp(static_cast<double>(run.plan.gradient.most), -run.plan.gradient.bits);
        const double failure = release.sampled.totals().failure;
        check_true("failure", failure > 0.0 && failure <= 1e-3 / 64);
        check_true("the price",
                   release.sampled.totals().mu >= privacy::sampled_mu(steps, part, failure));
        check_true("within", run.plan.total.within(run.plan.budget->cap));
        check_true("promised", privacy::delta(2.0, run.plan.budget->cap.totals()) <= 1e-3);
        const Run shuffled = descend(source, target, with(options, "sampling", "shuffled"));
        check_true("less noise than without amplification",
                   run.plan.gradient.sigma() < 0.7 * shuffled.plan.gradient.sigma());
    }
}

/** Which records are drawn is not told by how the steps are divided: by q n, whatever came. */
void empty_batches_are_noise() {
    const Data source = make_data(100, 0.0, 5);
    const Data target = make_data(3, 0.3, 6);
    Recorder recorder;
    const Run run = descend(source, target, with(kSampled, "batch_size", "1"), &recorder);
    std::size_t empty = 0;
    for (const Recorder::Entry &entry : recorder.entries) {
        const bool nothing = std::all_of(entry.integers.begin(), entry.integers.end(),
                                         [](std::int64_t integer) { return integer == 0; });
        empty += nothing ? 1 : 0;
        check_true("noise", !nothing || entry.released.at(0) != 0.0);
    }
    check_true("some are empty", empty > 0 && empty < recorder.entries.size());
    check_true("a result", std::isfinite(run.solution.intercept.at(0)));
}

/** A budget that was fixed before keeps nothing for sampling: then auto is shuffled, and asking for
 *  it is refused. */
void a_fixed_budget_has_no_room_for_sampling() {
    const Data source = make_data(60, 0.0, 13);
    const Data target = make_data(60, 0.7, 14);
    for (const char *sampling : {"auto", "poisson"}) {
        Handles handles(source, target, with(kBudget, "sampling", sampling));
        check_true("fixed", dpa_problem_set_budget(handles.problem, handles.options) == DPA_OK);
        const bool refused = std::string(sampling) == "poisson";
        check_true(sampling, handles.solve("noisy_sgd") == (refused ? DPA_E_BUDGET : DPA_OK));
        if (refused)
            check_true("says what to do",
                       std::string(dpa_last_error()).find("shuffled") != std::string::npos);
    }
    Handles handles(source, target, kBudget);
    check_true("sampled", handles.solve("noisy_sgd") == DPA_OK);
    std::array<char, 30000> text{};
    dpa_solution_privacy_report(handles.solution, DPA_REPORT_JSON, text.data(), text.size(),
                                nullptr);
    const std::string report(text.data());
    for (const char *word :
         {"each record is drawn by itself", "\"sampling_rate\":", "\"failure\":", "\"rho\":null"})
        check_true(std::string(word) + " in the report", report.find(word) != std::string::npos);
    check_true("nothing is left", handles.solve("noisy_sgd") == DPA_E_BUDGET);
}

/** Takes the noise out of what is released. */
class NoiseFree : public privacy::ReleaseTrace {
  public:
    explicit NoiseFree(double unit) : unit_(unit) {}

    std::vector<double> on_release(random::Purpose /*purpose*/, std::uint64_t /*step*/,
                                   std::span<const std::int64_t> integers,
                                   std::vector<double> released) override {
        for (std::size_t k = 0; k < released.size(); ++k)
            released[k] = unit_ * static_cast<double>(integers[k]);
        return released;
    }

  private:
    double unit_;
};

/** Derivative of the loss by the score. */
double slope(const std::string &loss, double score, double label) {
    return loss == "squared" ? 2.0 * (score - label) : -label / (1.0 + std::exp(label * score));
}

/** Average of the iterates of projected gradient descent from 0. */
std::array<double, kFeatures> reference(const Data &data, const std::string &loss, double eta,
                                        double ridge, double radius, int steps) {
    std::array<double, kFeatures> theta{};
    std::array<double, kFeatures> average{};
    for (int step = 0; step < steps; ++step) {
        std::array<double, kFeatures> gradient{};
        for (std::size_t i = 0; i < data.y.size(); ++i) {
            const double *x = &data.x[i * kFeatures];
            double score = 0.0;
            for (std::size_t k = 0; k < kFeatures; ++k) score += theta[k] * x[k];
            const double share = slope(loss, score, data.y[i]) / static_cast<double>(data.y.size());
            for (std::size_t k = 0; k < kFeatures; ++k) gradient[k] += share * x[k];
        }
        double square = 0.0;
        for (std::size_t k = 0; k < kFeatures; ++k) {
            theta[k] -= eta * (gradient[k] + 2.0 * ridge * theta[k]);
            square += theta[k] * theta[k];
        }
        for (double &t : theta) t *= std::min(1.0, radius / std::sqrt(square));
        for (std::size_t k = 0; k < kFeatures; ++k) average[k] += theta[k] / steps;
    }
    return average;
}

void without_noise_it_is_projected_gradient_descent() {
    constexpr double kRidge = 0.05;
    constexpr double kClip = 150.0;  // above every gradient below
    constexpr int kEpochs = 30;
    const std::size_t n = 80;
    for (const std::string loss : {"squared", "logistic"}) {
        const Data source = with_labels(make_data(100, 0.0, 7), {{"loss", loss}});
        const Data target = with_labels(make_data(n, 0.3, 8), {{"loss", loss}});
        for (const double radius : {0.5, 3.0}) {
            OptionTexts options = {{"epsilon", "100"},
                                   {"delta", "1e-3"},
                                   {"unsafe_seed", "1"},
                                   {"preprocess", "none"},
                                   {"intercept", "false"},
                                   {"feature_radius", "100"},
                                   {"clip_bound", std::to_string(kClip)},
                                   {"loss", loss},
                                   {"radius", std::to_string(radius)},
                                   {"ridge", std::to_string(kRidge)},
                                   {"batch_size", "80"},
                                   {"sampling", "shuffled"},
                                   {"epochs", std::to_string(kEpochs)}};
            if (loss == "squared") options["label_bound"] = "100";
            const privacy::Plan plan = descend(source, target, options).plan;
            NoiseFree trace(plan.gradient.gamma);
            const Run run = descend(source, target, options, &trace);
            // Gradients of the logistic loss are bounded by the features.
            const double clip = loss == "squared" ? kClip : 100.0;
            const double noise =
                2.0 * clip * std::sqrt(kEpochs) / plan.total.totals().mu / static_cast<double>(n);
            const double size = clip + 2.0 * kRidge * radius;
            const double eta =
                radius / std::sqrt(kEpochs * (size * size + kFeatures * noise * noise));
            const auto expected = reference(target, loss, eta, kRidge, radius, kEpochs);
            for (std::size_t k = 0; k < kFeatures; ++k)
                check_close(loss + ": coefficient", run.solution.coefficients[k], expected[k],
                            1e-6);
        }
    }
}

void much_budget_leads_to_the_ridge_fit() {
    NoControl control;
    const Data source = make_data(300, 0.0, 9);
    const Data target = make_data(2000, 0.2, 10);
    OptionTexts options = with(with(kOptions, "epochs", "100"), "ridge", "0.1");
    options["batch_size"] = "20";
    options["clip_quantile"] = "0.95";  // less of the bias of clipping
    const auto distance = [&](const char *epsilon) {
        const OptionTexts texts = with(options, "epsilon", epsilon);
        const Run run = descend(source, target, texts);
        OptionTexts open = with(texts, "private_domain", "none");
        for (const char *name : {"epsilon", "delta", "unsafe_seed"}) open.erase(name);
        const Settings settings = general_settings(open);
        const Sample of_source = source.sample();
        const Sample of_target = target.sample();
        const PreparedProblem problem(of_source, of_target, settings, control);
        const Solution ridge = baseline::solve_without_privacy(baseline::find_method("target_only"),
                                                               problem, settings, control);
        double square = 0.0;
        for (std::size_t k = 0; k < kFeatures; ++k)
            square += std::pow(run.solution.coefficients[k] - ridge.coefficients[k], 2);
        return std::sqrt(square);
    };
    const double far = distance("0.2");
    const double near = distance("300");
    check_true("near: " + std::to_string(near), near < 0.1);
    check_true("far: " + std::to_string(far), far > 3.0 * near);
}

void threads_do_not_matter() {
    const Data source = make_data(300, 0.0, 11);
    const Data target = make_data(1500, 0.7, 12);
    for (const char *size : {"auto", "1500"}) {
        const OptionTexts options = with(kOptions, "batch_size", size);
        check_true("same with three threads",
                   same_baseline(descend(source, target, options).solution,
                                 descend(source, target, with(options, "threads", "3")).solution));
    }
}

void the_interface_promises_and_reports() {
    const Data source = make_data(60, 0.0, 13);
    const Data target = make_data(30, 0.7, 14);
    Handles handles(source, target, with(with(kBudget, "epochs", "3"), "sampling", "shuffled"));
    check_true("solved", handles.solve("noisy_sgd") == DPA_OK);
    std::array<char, 20000> text{};
    dpa_solution_privacy_report(handles.solution, DPA_REPORT_JSON, text.data(), text.size(),
                                nullptr);
    const std::string report(text.data());
    for (const char *word : {"baseline noisy_sgd", "a sum of each of its disjoint batches",
                             "\"steps\":3", "\"epochs\":3", "step_length", "clip_bound"})
        check_true(std::string(word) + " in the report", report.find(word) != std::string::npos);
    check_true("budget is spent", handles.solve("noisy_sgd") == DPA_E_BUDGET);

    const auto refused = [&](const OptionTexts &options, dpa_status status) {
        Handles other(source, target, options);
        std::string what;
        for (const auto &[name, value] : options) what += name + " = " + value + ", ";
        check_true(what, other.solve("noisy_sgd") == status);
        dpa_problem_privacy_report(other.problem, DPA_REPORT_JSON, text.data(), text.size(),
                                   nullptr);
        check_true(what + "nothing is released",
                   std::string(text.data()).find("batches") == std::string::npos);
    };
    refused({}, DPA_E_OPTION);
    refused({{"private_domain", "none"}}, DPA_E_OPTION);
    refused(with(kBudget, "private_domain", "source"), DPA_E_OPTION);
    refused(with(kBudget, "delta", "0"), DPA_E_OPTION);
    refused(with(with(kBudget, "calibration", "paper"), "method", "paper"), DPA_E_OPTION);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(a_hostile_function_cannot_exceed_the_sensitivity),
        core_test(every_record_is_in_one_batch_of_each_epoch),
        core_test(the_price_is_that_of_the_epochs),
        core_test(noise_of_every_batch_is_that_of_the_plan),
        core_test(a_sampled_record_moves_the_batches_that_it_is_in),
        core_test(sampled_steps_pay_what_the_accountant_says),
        core_test(empty_batches_are_noise),
        core_test(a_fixed_budget_has_no_room_for_sampling),
        core_test(without_noise_it_is_projected_gradient_descent),
        core_test(much_budget_leads_to_the_ridge_fit),
        core_test(threads_do_not_matter),
        core_test(the_interface_promises_and_reports),
        // The slowest comes last: mutants die before it.
        core_test(neighbours_differ_in_one_batch_of_an_epoch),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
