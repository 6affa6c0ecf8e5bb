// The discrepancy of any loss without privacy: against the exact one of the squared loss, against a
// grid, and its bounds.
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "discrepancy/general_estimate.hpp"
#include "engine/settings.hpp"

using namespace dpadapt;
using arma::vec;

namespace {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

Settings settings_of(const OptionTexts &texts) {
    engine::OptionValues values;
    values.parse(engine::find_option("private_domain"), "none");
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return engine::make_settings(values, Wanted::discrepancy);
}

struct Rows {
    std::size_t features;
    std::vector<double> x;
    std::vector<double> y;

    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), features, features, true}, y.data());
    }
};

/** Labels: numbers, signs or classes 0, 1, 2, which depend on the features, in the target with
 *  other coefficients. */
enum class Labels { numbers, signs, classes };

Rows make_rows(Random &random, std::size_t rows, std::size_t features, double shift,
               Labels labels) {
    Rows data{features, {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        double label = 0.3 * random.normal();
        for (std::size_t j = 0; j < features; ++j) {
            data.x.push_back(random.normal() + shift);
            label += (1.0 / static_cast<double>(j + 1) - shift) * data.x.back();
        }
        if (labels == Labels::signs) label = label < 0.0 ? -1.0 : 1.0;
        if (labels == Labels::classes) label = label < -0.5 ? 0.0 : label < 0.5 ? 1.0 : 2.0;
        data.y.push_back(label);
    }
    return data;
}

struct Pair {
    Rows source;
    Rows target;

    Pair(unsigned seed, std::size_t features, Labels labels) {
        Random random(seed);
        source = make_rows(random, 40, features, 0.0, labels);
        target = make_rows(random, 25, features, 0.5, labels);
    }
};

/** A problem and the estimate, whose bounds are checked. */
struct Estimated {
    NoControl control;
    Settings settings;
    Sample source;
    Sample target;
    PreparedProblem problem;
    Discrepancy discrepancy;

    Estimated(const Pair &pair, const OptionTexts &texts)
        : settings(settings_of(texts)),
          source(pair.source.sample()),
          target(pair.target.sample()),
          problem(source, target, settings, control),
          discrepancy(settings.penalty == PenaltyKind::linear
                          ? estimate_general_discrepancy(problem, settings, control)
                          : estimate_discrepancy(problem, settings, control)) {
        check_true("0 <= lower <= value <= upper", 0.0 <= discrepancy.lower &&
                                                       discrepancy.lower <= discrepancy.value &&
                                                       discrepancy.value <= discrepancy.upper);
    }
};

void the_squared_loss_agrees_with_the_exact_maximum() {
    const OptionTexts balls[] = {
        {{"radius", "2"}},
        {{"radius", "7"}, {"preprocess", "none"}, {"intercept", "false"}},
        {{"radius", "3"}, {"discrepancy_radius", "0.5"}, {"preprocess", "whiten"}}};
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Pair pair(seed, 1 + seed % 6, Labels::numbers);
        OptionTexts texts = balls[seed % 3];
        if (seed % 2 == 0) {
            std::string center = "0.5";
            const bool intercept = seed % 3 != 1;
            for (std::size_t k = 1; k < pair.source.features + (intercept ? 1 : 0); ++k)
                center += ", -0.25";
            texts.emplace_back("discrepancy_center", center);
        }
        if (seed % 5 == 0) texts.emplace_back("discrepancy_side", "target_above");
        const Estimated exact(pair, texts);
        texts.emplace_back("form", "general");
        const Estimated general(pair, texts);
        const Discrepancy &found = general.discrepancy;
        const Discrepancy &known = exact.discrepancy;
        const std::string name = "case " + std::to_string(seed);
        check_true(name + ": from below", found.lower <= known.upper);
        check_close(name + ": tight", found.value, known.value, 1e-6);
        check_true(name + ": from above", found.upper >= known.value);
        const LossDifference difference =
            loss_difference(exact.problem.target().moments(), exact.problem.source_moments(),
                            exact.problem.preprocess().from_user(found.maximizer));
        check_close(
            name + ": maximizer",
            seed % 5 == 0 ? std::max(0.0, difference.constant) : std::abs(difference.constant),
            found.value, 1e-9);
    }
}

double mean_logistic(const Rows &rows, double a, double b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.y.size(); ++i)
        sum += std::log1p(std::exp(-rows.y[i] * (a * rows.x[2 * i] + b * rows.x[2 * i + 1])));
    return sum / static_cast<double>(rows.y.size());
}

/** Radii and angles; the error of a grid maximum is of second order inside, and along the
 *  circle. */
void the_logistic_loss_agrees_with_a_grid() {
    constexpr double kRadius = 3.0;
    constexpr int kSteps = 300;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Pair pair(seed, 2, Labels::signs);
        const bool one_sided = seed > 5;
        const auto size = [&](double a, double b) {
            const double above =
                mean_logistic(pair.target, a, b) - mean_logistic(pair.source, a, b);
            return one_sided ? std::max(0.0, above) : std::abs(above);
        };
        const Estimated estimated(pair, {{"loss", "logistic"},
                                         {"discrepancy_side", one_sided ? "target_above" : "both"},
                                         {"preprocess", "none"},
                                         {"intercept", "false"},
                                         {"radius", "3"}});
        double most = 0.0;
        for (int i = 0; i <= kSteps; ++i)
            for (int j = 0; j < kSteps; ++j) {
                const double r = kRadius * i / kSteps;
                const double angle = 2.0 * std::numbers::pi * j / kSteps;
                most = std::max(most, size(r * std::cos(angle), r * std::sin(angle)));
            }
        const Discrepancy &found = estimated.discrepancy;
        check_true("at least the grid's", found.value >= most * (1.0 - 1e-12));
        check_close("the grid's", found.value, most, 1e-3);
        const vec &w = found.maximizer.coefficients;
        check_true("in the ball", arma::norm(w) <= kRadius * (1.0 + 1e-12));
        check_close("attained", size(w(0), w(1)), found.value, 1e-12);
    }
}

std::vector<std::pair<Labels, OptionTexts>> losses() {
    return {{Labels::numbers, {{"loss", "huber"}}},
            {Labels::numbers, {{"loss", "squared"}, {"form", "general"}}},
            {Labels::signs, {{"loss", "logistic"}}},
            {Labels::classes, {{"loss", "softmax"}}},
            {Labels::classes, {{"loss", "perceptron"}, {"hidden_units", "3"}}},
            {Labels::numbers,
             {{"loss", "perceptron"}, {"hidden_units", "2,2"}, {"perceptron_output", "squared"}}}};
}

/** Random points of the ball, many of them on the sphere, and more with small radii, where other
 *  bounds are the least. */
void no_parameters_exceed_the_upper_bound() {
    Random random(5);
    for (const auto &[labels, loss] : losses())
        for (const std::string radius : {"1e-3", "0.3", "4"})
            for (const std::string center : {"zero", "source"}) {
                OptionTexts texts = loss;
                texts.emplace_back("discrepancy_radius", radius);
                texts.emplace_back("discrepancy_center", center);
                const Pair pair(3, 3, labels);
                const Estimated estimated(pair, texts);
                const vec &fit = estimated.problem.source_fit();
                const vec middle = center == "zero" ? arma::zeros(fit.n_elem) : fit;
                const std::string name = loss[0].second + " " + radius + " " + center;
                check_true(name + ": a finite bound", std::isfinite(estimated.discrepancy.upper));
                GeneralDifference difference(estimated.problem);
                for (int k = 0; k < 300; ++k) {
                    vec x(fit.n_elem);
                    x.imbue([&] { return random.normal(); });
                    x *= std::stod(radius) * (k % 2 == 0 ? 1.0 : random.uniform()) / arma::norm(x);
                    const double value = std::abs(difference.at(middle + x));
                    check_true(name + ": upper", value <= estimated.discrepancy.upper);
                    check_true(name + ": no random point is better",
                               value <= estimated.discrepancy.value * (1.0 + 1e-9));
                }
                if (radius == "1e-3")
                    check_true(name + ": tight for small balls",
                               estimated.discrepancy.upper <= estimated.discrepancy.value + 0.1);
                check_true(name + ": maximizer",
                           estimated.discrepancy.maximizer.coefficients.is_empty() ==
                               (loss[0].second == "softmax" || loss[0].second == "perceptron"));
            }
}

/** Of |L_target - L_source| with a source whose losses vanish. */
void the_sample_with_the_larger_losses_decides() {
    Pair pair(12, 1, Labels::numbers);
    for (std::vector<double> *zeros : {&pair.source.x, &pair.source.y, &pair.target.x})
        std::fill(zeros->begin(), zeros->end(), 0.0);
    std::fill(pair.target.y.begin(), pair.target.y.end(), 3.0);
    for (int swapped = 0; swapped < 2; ++swapped) {
        const Estimated estimated(
            pair,
            {{"form", "general"}, {"preprocess", "none"}, {"intercept", "false"}, {"radius", "1"}});
        check_close("value", estimated.discrepancy.value, 9.0, 1e-12);
        check_close("bound", GeneralDifference(estimated.problem).bounds(1.0).value, 9.0, 1e-9);
        std::swap(pair.source, pair.target);
    }
}

void threads_and_repetition_change_nothing() {
    for (const auto &[labels, loss] : losses()) {
        const Pair pair(4, 3, labels);
        OptionTexts texts = loss;
        const double once = Estimated(pair, texts).discrepancy.value;
        texts.emplace_back("threads", "3");
        check_true("same value", Estimated(pair, texts).discrepancy.value == once);
    }
}

void a_ball_of_radius_zero_is_its_centre() {
    const Pair pair(6, 2, Labels::signs);
    const Estimated estimated(pair, {{"loss", "logistic"},
                                     {"preprocess", "none"},
                                     {"intercept", "false"},
                                     {"discrepancy_center", "1, -2"},
                                     {"discrepancy_radius", "0"}});
    const double value =
        std::abs(mean_logistic(pair.target, 1.0, -2.0) - mean_logistic(pair.source, 1.0, -2.0));
    check_close("value", estimated.discrepancy.value, value, 1e-12);
    check_close("upper", estimated.discrepancy.upper, value, 1e-12);
    check_close("lower", estimated.discrepancy.lower, value, 1e-12);
}

void equal_samples_have_none() {
    for (const auto &[labels, loss] : losses()) {
        Pair pair(7, 3, labels);
        pair.target = pair.source;
        const Estimated estimated(pair, loss);
        check_true(loss[0].second, estimated.discrepancy.value <= 1e-12);
        check_true(loss[0].second, estimated.discrepancy.lower == 0.0);
    }
}

/** |theta_0 - label|, of which nothing is declared. */
std::int32_t distance(const double * /*x*/, std::size_t rows, std::size_t /*features*/,
                      const double *label, const double *theta, std::size_t /*parameters*/,
                      double *values, double *gradients, void * /*user*/) {
    for (std::size_t i = 0; i < rows; ++i) {
        values[i] = std::abs(theta[0] - label[i]);
        if (gradients != nullptr) gradients[i] = theta[0] < label[i] ? -1.0 : 1.0;
    }
    return 0;
}

Discrepancy of_callback(const Pair &pair, const loss::Bounds &bounds) {
    NoControl control;
    engine::OptionValues values;
    values.parse(engine::find_option("private_domain"), "none");
    values.parse(engine::find_option("loss"), "custom");
    values.parse(engine::find_option("radius"), "2");
    values.custom_loss = {distance, nullptr, 1, bounds};
    const Settings settings = engine::make_settings(values, Wanted::discrepancy);
    const Sample source = pair.source.sample();
    const Sample target = pair.target.sample();
    const PreparedProblem problem(source, target, settings, control);
    return estimate_general_discrepancy(problem, settings, control);
}

/** The difference is piecewise linear in theta_0 with corners at the labels. */
void a_callers_loss_is_bounded_by_what_is_declared() {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const Pair pair(8, 1, Labels::numbers);
    const auto mean = [](const Rows &rows, double theta) {
        double sum = 0.0;
        for (const double y : rows.y) sum += std::abs(theta - y);
        return sum / static_cast<double>(rows.y.size());
    };
    std::vector<double> corners = {-2.0, 2.0};
    for (const Rows *rows : {&pair.source, &pair.target})
        for (const double y : rows->y)
            if (std::abs(y) < 2.0) corners.push_back(y);
    double most = 0.0;
    for (const double c : corners)
        most = std::max(most, std::abs(mean(pair.target, c) - mean(pair.source, c)));
    const Discrepancy unknown = of_callback(pair, {kUnknown, kUnknown, kUnknown});
    check_true("unknown", std::isinf(unknown.upper));
    check_close("value", unknown.value, most, 1e-3);
    const Discrepancy sloped = of_callback(pair, {kUnknown, 1.0, kUnknown});
    const double center = std::abs(mean(pair.target, 0.0) - mean(pair.source, 0.0));
    check_close("by slope", sloped.upper, center + 2.0 * 2.0, 1e-9);
    check_close("by value", of_callback(pair, {2.5, 1.0, kUnknown}).upper, 2.5, 1e-9);
}

void a_centre_must_fit_the_loss() {
    const Pair pair(9, 3, Labels::classes);
    for (const std::string loss : {"softmax", "perceptron"}) {
        dpa_status status = DPA_OK;
        try {
            const Estimated estimated(pair, {{"loss", loss}, {"discrepancy_center", "1,2,3,4"}});
        } catch (const Error &error) {
            status = error.status();
        }
        check_true(loss, status == DPA_E_OPTION);
    }
}

void public_predictors_are_distinct_points_of_the_ball() {
    Random random(11);
    for (const double radius : {0.0, 0.5, 3.0, 100.0}) {
        vec center(4);
        vec fit(4);
        center.imbue([&] { return random.normal(); });
        fit.imbue([&] { return random.normal(); });
        const std::vector<vec> points = public_predictors(center, radius, fit);
        check_true("number", points.size() == (radius == 0.0 ? 1 : 41));
        for (std::size_t i = 0; i < points.size(); ++i) {
            check_true("in the ball", arma::norm(points[i] - center) <= radius * (1.0 + 1e-12));
            for (std::size_t k = 0; k < i; ++k)
                check_true("distinct", !arma::approx_equal(points[i], points[k], "absdiff", 0.0));
        }
        check_true("repeatable",
                   arma::approx_equal(points.back(), public_predictors(center, radius, fit).back(),
                                      "absdiff", 0.0));
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_squared_loss_agrees_with_the_exact_maximum),
        core_test(the_logistic_loss_agrees_with_a_grid),
        core_test(no_parameters_exceed_the_upper_bound),
        core_test(the_sample_with_the_larger_losses_decides),
        core_test(threads_and_repetition_change_nothing),
        core_test(a_ball_of_radius_zero_is_its_centre),
        core_test(equal_samples_have_none),
        core_test(a_callers_loss_is_bounded_by_what_is_declared),
        core_test(a_centre_must_fit_the_loss),
        core_test(public_predictors_are_distinct_points_of_the_ball),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
