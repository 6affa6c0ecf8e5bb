// Baselines that protect the target: one release of second moments and what follows from it.
#include <array>

#include "privacy/baselines.hpp"

using namespace dpadapt;

namespace {

constexpr std::array kPrivate{"joint_ssp",  "ada_ssp",    "public_ssp",
                              "pooled_ssp", "private_dm", "private_coral"};

const OptionTexts kOptions = {{"epsilon", "2"},
                              {"delta", "1e-3"},
                              {"unsafe_seed", "1"},
                              {"feature_radius", "quantile"},
                              {"label_bound", "quantile"}};

/** Largest share of the squared sensitivity that a pair of runs uses. */
double compare(const std::string &name, const Run &one, const Run &two, const Recorder &first,
               const Recorder &second) {
    const bool single = first.entries.size() == 1 && second.entries.size() == 1;
    check_true(name + ": one release", single && one.plan.releases.size() == 1);
    if (!single) return 0.0;
    const privacy::Release &release = planned(one.plan, first.entries[0].purpose);
    const privacy::Release &other = planned(two.plan, second.entries[0].purpose);
    check_true(name + ": same plan", release.scale() == other.scale() &&
                                         release.integer_sensitivity == other.integer_sensitivity);
    check_true(name + ": planned size", release.dimension == first.entries[0].integers.size() &&
                                            release.dimension == second.entries[0].integers.size());
    check_true(name + ": public output", same_baseline(one.solution, two.solution));
    const Uint128 distance =
        squared_distance(first.entries[0].integers, second.entries[0].integers);
    const Int128 sensitivity = release.integer_sensitivity;
    const auto most = static_cast<Uint128>(sensitivity * sensitivity);
    check_true(name + ": sensitivity", distance <= most);
    return static_cast<double>(distance) / static_cast<double>(most);
}

void neighbours_differ_by_at_most_the_sensitivity() {
    const Data source = make_data(200, 0.0, 1);
    for (const char *name : kPrivate) {
        double usage = 0.0;
        for (const std::size_t n : {1U, 2U, 120U}) {
            for (const double feature : {0.5, 40.0}) {
                Data target = make_data(n, 0.7, 2);
                target.set(n / 2, feature, 1e6);
                Recorder first;
                const Run run = run_baseline(name, source, target, kOptions, &first);
                for (const Data &other : neighbours(target, n / 2)) {
                    Recorder second(first);
                    const Run again = run_baseline(name, source, other, kOptions, &second);
                    usage = std::max(usage, compare(name, run, again, first, second));
                }
            }
        }
        check_true(std::string(name) + ": neighbours come near the sensitivity", usage > 0.6);
    }
}

/** Against a record that adds nothing: the sensitivity is the square of the norm, without the root
 *  of two. */
void a_record_that_is_taken_out_moves_a_sum_by_at_most_the_sensitivity() {
    const Data source = make_data(200, 0.0, 1);
    const OptionTexts options = with(kOptions, "neighbours", "zero_out");
    for (const char *name : kPrivate) {
        double usage = 0.0;
        for (const std::size_t n : {1U, 40U}) {
            Data nothing = make_data(n, 0.7, 2);
            nothing.set(n / 2, kNan, kNan);
            Recorder first;
            const Run run = run_baseline(name, source, nothing, options, &first);
            check_true("the relation",
                       run.plan.releases.at(0).neighbours == privacy::Neighbours::zero_out);
            Data target = make_data(n, 0.7, 2);
            target.set(n / 2, 40.0, 1e6);
            for (const Data &other : neighbours(target, n / 2)) {
                Recorder second(first);
                const Run again = run_baseline(name, source, other, options, &second);
                usage = std::max(usage, compare(name, run, again, first, second));
            }
        }
        check_true(std::string(name) + ": a record comes near the sensitivity", usage > 0.9);
    }
}

void threads_do_not_matter() {
    const Data source = make_data(700, 0.0, 13);
    const Data target = make_data(1100, 0.7, 14);
    for (const char *name : kPrivate) {
        const Run one = run_baseline(name, source, target, kOptions, nullptr);
        const Run three =
            run_baseline(name, source, target, with(kOptions, "threads", "3"), nullptr);
        check_true(std::string(name) + ": same with three threads",
                   same_baseline(one.solution, three.solution));
    }
}

/** Takes the noise out of what is released. */
class NoiseFree : public privacy::ReleaseTrace {
  public:
    explicit NoiseFree(const privacy::OuterGrid &grid)
        : length_(static_cast<double>(grid.length)) {}

    std::vector<double> on_release(random::Purpose /*purpose*/, std::uint64_t /*step*/,
                                   std::span<const std::int64_t> integers,
                                   std::vector<double> released) override {
        std::size_t k = 0;
        for (std::size_t j = 0; k < released.size(); ++j)
            for (std::size_t i = 0; i <= j; ++i, ++k)
                released[k] = static_cast<double>(integers[k]) /
                              ((i == j ? 128.0 : 181.0) * length_ * length_);
        return released;
    }

  private:
    double length_;
};

void without_noise_it_is_the_method_without_privacy() {
    const Data source = make_data(150, 0.0, 3);
    const Data target = make_data(400, 0.4, 4);
    const std::array<std::array<const char *, 2>, 6> pairs = {{{"joint_ssp", "target_only"},
                                                               {"ada_ssp", "target_only"},
                                                               {"public_ssp", "target_only"},
                                                               {"pooled_ssp", "pooled"},
                                                               {"private_dm", "dm"},
                                                               {"private_coral", "coral"}}};
    for (const auto &[name, plain] : pairs) {
        OptionTexts options = with(with(kOptions, "epsilon", "500"), "ridge", "0.05");
        options["alpha"] = "0.3";
        // The quantile of whitened norms must not clip more than the plain method does.
        options["clip_quantile"] = "1";
        options["feature_radius"] = "8";
        options["label_bound"] = "25";
        const Run planned_run = run_baseline(name, source, target, options, nullptr);
        NoiseFree trace(*planned_run.plan.moments);
        Data near = target;  // within the largest public norm
        for (double &x : near.x) x *= 0.5;
        const Run run = run_baseline(name, source, near, options, &trace);

        NoControl control;
        for (const char *budget : {"epsilon", "delta", "unsafe_seed"}) options.erase(budget);
        const Settings settings = general_settings(with(options, "private_domain", "none"));
        const Sample source_sample = source.sample();
        const Sample near_sample = near.sample();
        const PreparedProblem problem(source_sample, near_sample, settings, control);
        const Solution solution = baseline::solve_without_privacy(baseline::find_method(plain),
                                                                  problem, settings, control);
        for (std::size_t k = 0; k < kFeatures; ++k)
            check_close(std::string(name) + ": coefficient", run.solution.coefficients[k],
                        solution.coefficients[k], 1e-4);
        check_close(std::string(name) + ": intercept", run.solution.intercept[0],
                    solution.intercept[0], 1e-3);
        for (std::size_t i = 0; name == std::string("private_dm") && i < 150; ++i)
            check_true("weight", std::abs(run.solution.source_weights[i] -
                                          solution.source_weights[i]) < 1e-4);
    }
}

/** Records of norm R = 20, so noise of deviation 1.5 R^2/(mu n) in each entry of the mean of x
 *  x'. */
void the_adaptive_ridge_is_that_of_the_formula() {
    NoControl control;
    const std::size_t n = 400;
    const Data source = make_data(150, 0.0, 15);
    const Data target = make_data(n, 0.4, 16);
    OptionTexts options = {{"epsilon", "4"},       {"delta", "1e-3"},      {"unsafe_seed", "1"},
                           {"preprocess", "none"}, {"intercept", "false"}, {"feature_radius", "20"},
                           {"label_bound", "40"},  {"radius", "50"}};
    const privacy::Plan plan = run_baseline("ada_ssp", source, target, options, nullptr).plan;
    NoiseFree trace(*plan.moments);
    const Run run = run_baseline("ada_ssp", source, target, options, &trace);

    const arma::mat x(target.x.data(), kFeatures, n);
    const double least = arma::eig_sym(x * x.t() / static_cast<double>(n)).min();
    const double noise = 1.5 * 20.0 * 20.0 / (plan.total.totals().mu * static_cast<double>(n));
    const double ridge = noise * std::sqrt(3.0 * std::log(2.0 * 9.0 / 0.05)) - least;
    check_true("noise exceeds the smallest eigenvalue", ridge > 0.1);

    for (const char *budget : {"epsilon", "delta", "unsafe_seed"}) options.erase(budget);
    options["ridge"] = std::to_string(ridge);
    const Settings settings = general_settings(with(options, "private_domain", "none"));
    const Sample source_sample = source.sample();
    const Sample target_sample = target.sample();
    const PreparedProblem problem(source_sample, target_sample, settings, control);
    const Solution solution = baseline::solve_without_privacy(baseline::find_method("target_only"),
                                                              problem, settings, control);
    for (std::size_t k = 0; k < kFeatures; ++k)
        check_close("coefficient", run.solution.coefficients[k], solution.coefficients[k], 1e-3);
}

/** Noise that exceeds what a few records show, so that the matrix is indefinite. */
void an_indefinite_release_gives_a_point_of_the_ball() {
    const Data source = make_data(200, 0.0, 5);
    const Data target = make_data(4, 0.7, 6);
    for (const char *name : kPrivate) {
        const Run run =
            run_baseline(name, source, target, with(kOptions, "epsilon", "0.5"), nullptr);
        for (const double c : run.solution.coefficients)
            check_true(std::string(name) + ": finite", std::isfinite(c));
        NoControl control;
        const Settings settings = general_settings(kOptions);
        const Sample sample = source.sample();
        const PublicSample prepared(sample, "source", settings, control);
        const arma::vec w =
            prepared.preprocess().from_user({run.solution.coefficients, run.solution.intercept[0]});
        check_true(std::string(name) + ": in the ball",
                   arma::norm(w) <= run.solution.settings.radius * (1.0 + 1e-12));
    }
}

void the_ledger_is_charged_before() {
    NoControl control;
    const Data source = make_data(60, 0.0, 7);
    const Data target = make_data(30, 0.7, 8);
    const Sample source_sample = source.sample();
    const Sample target_sample = target.sample();
    const Settings settings = general_settings(kOptions);
    for (const char *name : kPrivate) {
        const baseline::MethodSpec &method = baseline::find_method(name);
        const auto call =
            baseline::prepare_private(method, source_sample, target_sample, settings, control);
        const std::string where(name);
        check_true(where + ": not before payment",
                   status_of([&] { (void)call->solve(nullptr); }) == DPA_E_INTERNAL);
        privacy::Ledger ledger;
        call->charge(ledger);
        check_true(where + ": entered", ledger.entries().size() == 1 && ledger.seeded());
        const privacy::Cost spent = ledger.spent(privacy::kTarget);
        check_true(where + ": all of it, and not more",
                   spent.within(ledger.budget()->cap) &&
                       static_cast<double>(spent.mu_square) >
                           0.99 * static_cast<double>(ledger.budget()->cap.mu_square));
        check_true(where + ": once", status_of([&] { call->charge(ledger); }) == DPA_E_BUDGET);
    }
}

void the_interface_promises_and_reports() {
    const Data source = make_data(60, 0.0, 9);
    const Data target = make_data(30, 0.7, 10);
    for (const char *name : kPrivate) {
        for (const bool seeded : {false, true}) {
            Handles handles(source, target, seeded ? with(kBudget, "unsafe_seed", "3") : kBudget);
            check_true(name, handles.solve(name) == DPA_OK);
            std::int32_t protection = 0;
            double epsilon = 0.0;
            dpa_solution_privacy(handles.solution, &protection, &epsilon, nullptr);
            check_true(std::string(name) + ": protection",
                       protection == (seeded ? DPA_PROTECTION_SEEDED : DPA_PROTECTION_GUARANTEED) &&
                           (seeded ? std::isinf(epsilon) : epsilon == 2.0));
            std::array<char, 20000> text{};
            check_true("report",
                       dpa_solution_privacy_report(handles.solution, DPA_REPORT_JSON, text.data(),
                                                   text.size(), nullptr) == DPA_OK);
            const std::string report(text.data());
            for (const std::string &word :
                 {std::string("second moments"), std::string("baseline ") + name})
                check_true(word + " in the report", report.find(word) != std::string::npos);
            check_true("budget is spent", handles.solve(name) == DPA_E_BUDGET);
        }
    }
}

void refusals_cost_nothing() {
    const Data source = make_data(60, 0.0, 11);
    const Data target = make_data(30, 0.7, 12);
    const auto refused = [&](const char *method, const OptionTexts &options) {
        Handles handles(source, target, options);
        std::string what(method);
        for (const auto &[name, value] : options) what += ", " + name + " = " + value;
        check_true(what, handles.solve(method) == DPA_E_OPTION);
        std::array<char, 20000> text{};
        dpa_problem_privacy_report(handles.problem, DPA_REPORT_JSON, text.data(), text.size(),
                                   nullptr);
        check_true(what + ": nothing is released",
                   std::string(text.data()).find("second moments") == std::string::npos);
    };
    for (const char *name : kPrivate) {
        refused(name, {});
        refused(name, {{"private_domain", "none"}});
        refused(name, with(kBudget, "private_domain", "source"));
        refused(name, with(kBudget, "delta", "0"));
        OptionTexts paper = with(kBudget, "calibration", "paper");
        refused(name, with(paper, "method", "paper"));
        if (name != std::string("private_dm")) refused(name, with(kBudget, "loss", "huber"));
    }
    refused("private_coral", with(kBudget, "intercept", "false"));
    refused("dm", kBudget);
    refused("joint_ssp", with(kBudget, "label_bound", "1e70"));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(a_record_that_is_taken_out_moves_a_sum_by_at_most_the_sensitivity),
        core_test(threads_do_not_matter),
        core_test(without_noise_it_is_the_method_without_privacy),
        core_test(the_adaptive_ridge_is_that_of_the_formula),
        core_test(an_indefinite_release_gives_a_point_of_the_ball),
        core_test(the_ledger_is_charged_before),
        core_test(the_interface_promises_and_reports),
        core_test(refusals_cost_nothing),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
