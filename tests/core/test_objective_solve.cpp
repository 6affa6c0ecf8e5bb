// The general form without privacy: a caller's loss against the built-in one, threads, monotony,
// and the special cases that must agree with the convex form's solver.
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "engine/settings.hpp"
#include "loss/scores.hpp"
#include "objective/solve.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kFeatures = 5;

struct Data {
    std::vector<double> x;
    std::vector<double> y;
    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), kFeatures, kFeatures, true}, y.data());
    }
};

/** A linear score with noise, as it is or its sign. */
Data make_data(std::size_t rows, double shift, bool classes, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        double score = shift + random.normal();
        for (std::size_t j = 0; j < kFeatures; ++j) {
            data.x[i * kFeatures + j] = random.normal() + shift;
            score += (j % 2 == 0 ? 1.0 : -0.5) * data.x[i * kFeatures + j];
        }
        data.y[i] = classes ? (score < 0.0 ? -1.0 : 1.0) : score;
    }
    return data;
}

using Texts = std::vector<std::pair<const char *, const char *>>;

engine::OptionValues options(const Texts &texts) {
    engine::OptionValues values;
    values.parse(engine::Option::private_domain, "none");
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return values;
}

struct Objectives : Control {
    void report(const Progress &progress) override {
        if (std::string(progress.phase.name) == "solve") values.push_back(progress.objective);
    }
    std::vector<double> values;
};

Solution solve(const engine::OptionValues &values, const Data &source, const Data &target,
               double discrepancy, Control &control) {
    const Settings settings = engine::make_settings(values, Wanted::fit);
    const Sample from = source.sample();
    const Sample to = target.sample();
    const PreparedProblem problem(from, to, settings, control);
    return dpadapt::solve(problem, discrepancy, settings, control);
}

Solution solve(const Texts &texts, const Data &source, const Data &target,
               double discrepancy = 0.1) {
    NoControl control;
    return solve(options(texts), source, target, discrepancy, control);
}

/** The caller's function: the built-in loss on whatever rows it is given. */
std::int32_t logistic(const double *x, std::size_t rows, std::size_t features, const double *label,
                      const double *theta, std::size_t parameters, double *losses,
                      double *gradients, void * /*user*/) {
    loss::Logistic().evaluate({rows, features, x, label}, {theta, parameters}, {losses, rows},
                              {gradients, gradients == nullptr ? 0 : rows * parameters});
    return 0;
}

void a_callers_logistic_loss_equals_the_built_in_one_bit_for_bit() {
    const Data source = make_data(700, 0.0, true, 1);
    const Data target = make_data(300, 0.5, true, 2);
    for (const char *lambda_1 : {"auto", "1.2"}) {
        const Texts common{{"preprocess", "none"},
                           {"intercept", "false"},
                           {"optimizer", "quasi_newton"},
                           {"lambda_1", lambda_1}};
        Texts built_in(common);
        built_in.emplace_back("loss", "logistic");
        const Solution expected = solve(built_in, source, target);
        engine::OptionValues values = options(common);
        values.parse(engine::Option::loss, "custom");
        values.custom_loss = {logistic, nullptr, kFeatures, {}};
        NoControl control;
        const Solution own = solve(values, source, target, 0.1, control);
        check_true("parameters", own.parameters == expected.coefficients);
        check_true("weights", own.source_weights == expected.source_weights &&
                                  own.target_weights == expected.target_weights);
        check_true("objective", own.objective == expected.objective);
        check_true("iterations", own.iterations == expected.iterations);
    }
}

void newton_and_quasi_newton_find_the_same_minimum() {
    const Data source = make_data(500, 0.0, true, 3);
    const Data target = make_data(200, 0.7, true, 4);
    for (const char *radius : {"auto", "0.5"}) {
        const Texts common{{"loss", "logistic"}, {"radius", radius}, {"tolerance", "1e-12"}};
        Texts slow(common);
        slow.emplace_back("optimizer", "quasi_newton");
        const Solution newton = solve(common, source, target);
        const Solution quasi = solve(slow, source, target);
        check_close("objective", quasi.objective, newton.objective, 1e-10);
        for (std::size_t j = 0; j < kFeatures; ++j)
            check_close("coefficient", quasi.coefficients[j], newton.coefficients[j], 1e-4);
        check_true("iterations", newton.iterations < quasi.iterations);
    }
}

/** Columns of scales from 0.01 to 100, which nothing makes alike. */
void columns_of_any_units_take_few_iterations() {
    for (const char *loss : {"logistic", "huber"}) {
        Data source = make_data(500, 0.0, loss[0] == 'l', 3);
        Data target = make_data(200, 0.7, loss[0] == 'l', 4);
        for (Data *data : {&source, &target})
            for (std::size_t k = 0; k < data->x.size(); ++k)
                data->x[k] *= std::pow(10.0, static_cast<double>(k % kFeatures) - 2.0);
        const Texts common{{"loss", loss}, {"preprocess", "none"}, {"huber_threshold", "2"}};
        Texts quick(common);
        quick.emplace_back("optimizer", "quasi_newton");
        const Solution newton = solve(common, source, target);
        const Solution quasi = solve(quick, source, target);
        check_close("objective", quasi.objective, newton.objective, 1e-8);
        check_true("few iterations", quasi.iterations <= 40);
        check_true("converged", quasi.termination == Termination::converged);
    }
    Data source = make_data(500, 0.0, true, 5);
    Data target = make_data(200, 0.7, true, 6);
    for (Data *data : {&source, &target})
        for (double &y : data->y) y = 0.5 * y + 0.5;
    const Texts alike{{"loss", "softmax"}, {"preprocess", "none"}};
    const Solution before = solve(alike, source, target);
    for (Data *data : {&source, &target})
        for (std::size_t k = 0; k < data->x.size(); ++k)
            data->x[k] *= std::pow(10.0, static_cast<double>(k % kFeatures) - 2.0);
    const Solution after = solve(alike, source, target);
    check_true("softmax", before.iterations <= 40 && after.iterations <= 60);
}

/** With kappa_1 beyond every cost no weight of the convex form leaves p: the same problem. */
void the_squared_loss_agrees_with_the_convex_form() {
    const Data source = make_data(300, 0.0, false, 5);
    const Data target = make_data(120, 0.7, false, 6);
    for (const char *radius : {"0.8", "30"}) {
        const Solution convex =
            solve({{"kappa_1", "1e6"}, {"radius", radius}, {"alpha", "0.4"}}, source, target);
        const Solution general =
            solve({{"form", "general"}, {"radius", radius}, {"alpha", "0.4"}}, source, target);
        check_close("objective", general.objective, convex.objective, 1e-8);
        for (std::size_t j = 0; j < kFeatures; ++j)
            check_close("coefficient", general.coefficients[j], convex.coefficients[j], 1e-4);
        check_true("certified",
                   general.duality_gap >= 0.0 && general.duality_gap <= 1e-8 * general.objective);
    }
}

/** Least squares are near, unless some rows are spoilt; then the source's fit is. */
void few_steps_lead_to_the_optimum() {
    const Data source = make_data(3000, 0.0, false, 15);
    Data target = make_data(500, 0.3, false, 16);
    const Texts texts{{"kappa_1", "3"}, {"alpha", "0.5"}};
    const Solution clean = solve(texts, source, target);
    check_true("clean", clean.iterations <= 3 && clean.termination == Termination::converged);
    for (std::size_t i = 0; i < target.y.size(); i += 5) target.y[i] += 1e4;
    const Solution spoilt = solve(texts, source, target);
    check_true("spoilt", spoilt.iterations <= 6 && spoilt.termination == Termination::converged);
}

void the_objective_never_rises() {
    const Data source = make_data(300, 0.0, true, 7);
    const Data target = make_data(150, 0.7, true, 8);
    for (const Texts &texts :
         {Texts{{"loss", "logistic"}, {"lambda_1", "0.8"}},
          Texts{
              {"loss", "logistic"}, {"lambda_1", "1"}, {"lambda_2", "0.2"}, {"lambda_inf", "0.1"}},
          Texts{{"loss", "perceptron"},
                {"perceptron_output", "logistic"},
                {"hidden_units", "4 3"},
                {"lambda_1", "1"},
                {"iterations", "60"}}}) {
        Objectives seen;
        const Solution solution = solve(options(texts), source, target, 0.1, seen);
        check_true("there are iterations", seen.values.size() > 3);
        for (std::size_t k = 1; k < seen.values.size(); ++k)
            check_true("descent", seen.values[k] <= seen.values[k - 1] * (1.0 + 1e-11));
        check_true("no certificate", std::isnan(solution.duality_gap));
        check_true("gradient mapping", solution.gradient_mapping >= 0.0);
    }
}

void threads_do_not_change_a_bit() {
    const Data source = make_data(3000, 0.0, true, 9);
    const Data target = make_data(1000, 0.5, true, 10);
    for (const char *loss : {"logistic", "perceptron"}) {
        Texts texts{{"loss", loss}, {"perceptron_output", "logistic"}, {"iterations", "20"}};
        const Solution one = solve(texts, source, target);
        texts.emplace_back("threads", "3");
        const Solution three = solve(texts, source, target);
        check_true(loss, one.coefficients == three.coefficients &&
                             one.parameters == three.parameters &&
                             one.objective == three.objective);
    }
}

void labels_without_meaning_are_named() {
    Data source = make_data(30, 0.0, true, 11);
    Data target = make_data(20, 0.0, true, 12);
    const auto message = [&] {
        try {
            (void)solve({{"loss", "logistic"}}, source, target);
        } catch (const Error &error) {
            return error.status() == DPA_E_LABEL ? std::string(error.what()) : std::string();
        }
        return std::string();
    };
    target.y[7] = 0.5;
    check_true("target", message().find("target row 7") != std::string::npos);
    source.y[3] = 2.0;
    check_true("source", message().find("source row 3") != std::string::npos);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(a_callers_logistic_loss_equals_the_built_in_one_bit_for_bit),
        core_test(newton_and_quasi_newton_find_the_same_minimum),
        core_test(columns_of_any_units_take_few_iterations),
        core_test(the_squared_loss_agrees_with_the_convex_form),
        core_test(few_steps_lead_to_the_optimum),
        core_test(the_objective_never_rises),
        core_test(threads_do_not_change_a_bit),
        core_test(labels_without_meaning_are_named),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
