// Private fits of the general form: every loss, metric and private domain on adversarial
// neighbours, callers' functions that misbehave, and the same bits for every number of threads and
// for the same loss by another way.

#include "loss/scores.hpp"
#include "objective/solve.hpp"
#include "privacy/losses.hpp"
#include "private/public_metric.hpp"
#include "problem/plan_request.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kParameters = kFeatures + 1;

Settings general_settings(const OptionTexts &texts) {
    engine::OptionValues values;
    values.custom_loss = {callers_loss, nullptr, kParameters,
                          loss::Logistic().bounds({6.0, std::hypot(4.0, 1.0), kInf})};
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return engine::make_settings(values, Wanted::fit);
}

Run run_general(const Data &source, const Data &target, const OptionTexts &texts,
                privacy::ReleaseTrace *trace = nullptr) {
    return run_private(source.sample(), target.sample(), general_settings(texts), trace);
}

/** What a method may be asked for, besides the loss. */
std::vector<Scenario> methods() {
    const OptionTexts coupled = {
        {"lambda_1", "20"}, {"lambda_2", "1"}, {"lambda_inf", "0.2"}, {"discrepancy", "0.2"}};
    std::vector<Scenario> all = {{"auto", {}}};
    for (const std::string domain : {"target", "source", "both"}) {
        OptionTexts options = {{"private_domain", domain}, {"alpha", "0.4"}};
        all.push_back({"fixed " + domain, options});
        options.insert(coupled.begin(), coupled.end());
        all.push_back({"coupled " + domain, options});
    }
    all.push_back({"trimmed", {{"alpha", "0.4"}, {"lambda_1", "9"}, {"discrepancy", "0"}}});
    all.push_back({"target only", {{"alpha", "0"}, {"iterate", "last"}}});
    return all;
}

std::vector<Scenario> general_scenarios() {
    const OptionTexts common = {
        {"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"iterations", "4"}};
    std::vector<Scenario> all;
    for (const OptionTexts &loss : loss_cases()) {
        const bool both = private_domains(loss).size() == 3;
        for (const Scenario &method : methods()) {
            if (method.name.ends_with("both") && !both) continue;
            for (const std::string metric : {"hessian", "gradients"}) {
                if (metric == "hessian" && !is_linear(loss) &&
                    !(method.name == "auto" && loss.at("loss") == "perceptron"))  // last layer
                    continue;
                Scenario scenario{name_of(loss) + ", " + method.name + ", " + metric, common};
                scenario.options.insert(loss.begin(), loss.end());
                scenario.options.insert(method.options.begin(), method.options.end());
                scenario.options["metric"] = metric;
                if (method.name.ends_with("both")) {
                    for (const auto &[key, value] : OptionTexts{{"preprocess", "none"},
                                                                {"feature_radius", "4"},
                                                                {"radius", "6"},
                                                                {"clip_bound", "0.5"}})
                        scenario.options[key] = value;
                    if (has_numbers(loss)) scenario.options["label_bound"] = "9";
                }
                all.push_back(std::move(scenario));
            }
        }
    }
    return all;
}

/** Largest share of a squared sensitivity that two runs use. */
double compare(const std::string &name, const Run &run, const Recorder &first,
               const Recorder &second) {
    double usage = 0.0;
    const std::size_t planned_releases =
        run.plan.steps + (run.plan.moments ? 1 : 0) + (run.plan.comparison ? 1 : 0);
    check_true(name + ": number of releases", first.entries.size() == second.entries.size() &&
                                                  first.entries.size() == planned_releases);
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &entry = first.entries[k];
        const auto &other = second.entries[k];
        check_true(name + ": same kind", entry.purpose == other.purpose &&
                                             entry.step == other.step &&
                                             entry.integers.size() == other.integers.size());
        const Int128 sensitivity = planned(run.plan, entry.purpose).integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        const Uint128 distance = squared_distance(entry.integers, other.integers);
        check_true(name + ": sensitivity", distance <= most);
        usage = std::max(usage, static_cast<double>(distance) / static_cast<double>(most));
    }
    return usage;
}

/** Feeds what a run releases to runs on its neighbours. */
double replay(const Scenario &scenario, const Data &source, const Data &target, bool replace_source,
              const std::vector<Data> &others) {
    Recorder first;
    const Run run = run_general(source, target, scenario.options, &first);
    double usage = 0.0;
    for (const Data &other : others) {
        Recorder second(first);
        const Run again = run_general(replace_source ? other : source,
                                      replace_source ? target : other, scenario.options, &second);
        usage = std::max(usage, compare(scenario.name, run, first, second));
        check_true(scenario.name + ": public output",
                   same_public_output(run.solution, again.solution));
    }
    return usage;
}

void neighbours_differ_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : general_scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        const std::string words = domain == scenario.options.end() ? "target" : domain->second;
        const std::size_t others = words == "both" ? 150 : 60;
        double usage = 0.0;
        for (const std::size_t n : {1U, 70U}) {
            for (const bool replace_source : {false, true}) {
                if (words == (replace_source ? "target" : "source")) continue;
                const Data source =
                    with_labels(make_data(replace_source ? n : others, 0.0, 1), scenario.options);
                const Data target =
                    with_labels(make_data(replace_source ? others : n, 0.7, 2), scenario.options);
                usage = std::max(usage,
                                 replay(scenario, source, target, replace_source,
                                        hostile_variants(replace_source ? source : target, n / 2)));
            }
        }
        check_true(
            scenario.name + ": the neighbours come near the sensitivity, " + std::to_string(usage),
            usage > 0.1);
    }
}

/** Whatever the function does with a private record, no status tells and the sum moves by no more
 *  than the sensitivity. */
void misbehaving_functions_do_not_tell() {
    for (const Scenario &scenario : general_scenarios()) {
        if (scenario.options.at("loss") != "custom") continue;
        Data source = with_labels(make_data(90, 0.0, 1), scenario.options);
        Data target = with_labels(make_data(80, 0.7, 2), scenario.options);
        const auto domain = scenario.options.find("private_domain");
        const bool replace_source = domain != scenario.options.end() && domain->second == "source";
        Data &changed = replace_source ? source : target;
        changed.y[40] *= -1.0;  // a record with a large gradient
        std::vector<Data> others;
        for (const double label : kBadLabels) {
            others.push_back(changed);
            others.back().y[40] = label;
        }
        check_true(scenario.name + ": the record counts for something",
                   replay(scenario, source, target, replace_source, others) > 1e-3);
    }
}

/** The caller's function gets private records one by one, the library's loss in blocks. */
void a_callers_logistic_loss_gives_the_same_bits() {
    for (const Scenario &method : methods()) {
        OptionTexts options = {{"epsilon", "2"},      {"delta", "1e-3"},
                               {"unsafe_seed", "5"},  {"optimizer", "quasi_newton"},
                               {"loss", "logistic"},  {"metric", "gradients"},
                               {"clip_bound", "0.5"}, {"preprocess", "none"},
                               {"radius", "6"},       {"feature_radius", "4"}};
        options.insert(method.options.begin(), method.options.end());
        const Data source = with_labels(make_data(300, 0.0, 1), options);
        const Data target = with_labels(make_data(200, 0.7, 2), options);
        Recorder built_in;
        Recorder callers;
        (void)run_general(source, target, options, &built_in);
        options["loss"] = "custom";
        (void)run_general(source, target, options, &callers);
        check_true(method.name + ": releases",
                   built_in.entries.size() == callers.entries.size() && !callers.entries.empty());
        for (std::size_t k = 0; k < callers.entries.size(); ++k)
            check_true(method.name + ": same bits",
                       built_in.entries[k].integers == callers.entries[k].integers &&
                           built_in.entries[k].released == callers.entries[k].released);
    }
}

void threads_do_not_change_a_bit() {
    for (const OptionTexts &loss : loss_cases()) {
        for (const bool fixed : {false, true}) {
            OptionTexts options = {
                {"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "5"}, {"iterations", "4"}};
            options.insert(loss.begin(), loss.end());
            if (fixed)
                options.insert({{"alpha", "0.3"}, {"lambda_1", "5"}, {"discrepancy", "0.1"}});
            const Data source = with_labels(make_data(300, 0.0, 1), loss);
            const Data target = with_labels(make_data(1500, 0.7, 2), loss);
            const Run one = run_general(source, target, options);
            for (const std::string threads : {"2", "5"}) {
                options["threads"] = threads;
                check_true(name_of(loss) + ": same bits",
                           same_public_output(one.solution,
                                              run_general(source, target, options).solution));
            }
        }
    }
}

/** The same vector added to the coefficients of all classes changes nothing. */
arma::mat without_common_part(const Solution &solution) {
    arma::mat coefficients(solution.coefficients);
    coefficients.reshape(kFeatures, solution.coefficients.size() / kFeatures);
    if (coefficients.n_cols > 1) coefficients.each_col() -= arma::vec(arma::mean(coefficients, 1));
    return coefficients;
}

/** With so little noise that it does not matter, the steps find the fit without privacy. */
void without_noise_the_steps_converge() {
    for (const OptionTexts &loss : loss_cases()) {
        if (!is_linear(loss)) continue;
        for (const std::string alpha : {"0", "0.5", "1"}) {
            const Data source = with_labels(make_data(2000, 0.0, 1), loss);
            const Data target = with_labels(make_data(20000, 0.7, 2), loss);
            OptionTexts options = loss;
            options.insert({{"alpha", alpha}, {"radius", "30"}, {"private_domain", "none"}});
            NoControl control;
            const Settings settings = general_settings(options);
            const Sample source_sample = source.sample();
            const Sample target_sample = target.sample();
            const PreparedProblem problem(source_sample, target_sample, settings, control);
            const Solution exact = dpadapt::solve(problem, {}, settings, control);
            for (const std::string metric : {"hessian", "gradients"}) {
                options.insert({{"epsilon", "600"},
                                {"delta", "0.1"},
                                {"iterations", "200"},
                                {"unsafe_seed", "3"},
                                {"clip_bound", "30"},
                                {"shrinkage", "0"}});
                options["private_domain"] = "target";
                options["metric"] = metric;
                const Solution found = run_general(source, target, options).solution;
                const arma::mat a = without_common_part(found);
                const arma::mat b = without_common_part(exact);
                const double distance = arma::norm(a - b, "fro") / arma::norm(b, "fro");
                check_true(name_of(loss) + ", " + metric + ", alpha " + alpha + ": distance " +
                               std::to_string(distance),
                           distance < 0.02);
            }
        }
    }
}

/** P (theta - theta_0) + multiplier theta = 0 on the sphere, for every kind of metric. */
void projections_are_nearest_in_the_metric() {
    const std::vector<OptionTexts> cases = {
        {{"loss", "softmax"}, {"metric", "hessian"}},
        {{"loss", "softmax"}, {"metric", "gradients"}},
        {{"loss", "perceptron"}, {"hidden_units", "64"}, {"metric", "gradients"}},  // too many
                                                                                    // for a matrix
    };
    Random random(4);
    for (OptionTexts options : cases) {
        const Data source = with_labels(make_data(200, 0.0, 1), options);
        const Sample sample = source.sample();
        NoControl control;
        const Settings settings = general_settings(options);
        const PrivateProblem problem(sample, sample, settings, control);
        const PublicSample &records = *problem.public_sample();
        const Metric metric =
            uses_hessian(settings)
                ? make_hessian_metric(records, PublicTerms(records, records.fit()),
                                      settings.privacy, {})
                      .metric
                : make_gradient_metric(records, settings.privacy);
        const arma::vec start = metric.to_theta(metric.start);
        check_true("there and back",
                   arma::norm(start - problem.start(1)) < 1e-9 * arma::norm(start));
        arma::vec theta(start.n_elem);
        for (double &value : theta) value = random.normal();
        const double radius = 0.3 * arma::norm(theta);
        const arma::vec v = metric.to_v(theta);
        const arma::vec nearest = metric.project(v, radius);
        check_close("on the sphere", arma::norm(metric.to_theta(nearest)), radius, 1e-9);
        // In v the normal of the ball is map theta.
        const arma::vec normal = metric.slope(metric.to_theta(nearest));
        const arma::vec way = v - nearest;
        check_close("along the normal", arma::dot(way, normal),
                    arma::norm(way) * arma::norm(normal), 1e-7);
        check_true("inside nothing moves",
                   arma::norm(metric.project(nearest * 0.9, radius) - nearest * 0.9) == 0.0);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(misbehaving_functions_do_not_tell),
        core_test(a_callers_logistic_loss_gives_the_same_bits),
        core_test(threads_do_not_change_a_bit),
        core_test(without_noise_the_steps_converge),
        core_test(projections_are_nearest_in_the_metric),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
