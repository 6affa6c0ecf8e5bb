// The paper's learning bound: its terms against formulas of their own, its complexity against the
// supremum over the ball, and that it holds.
#include <vector>

#include "core.hpp"
#include "engine/settings.hpp"
#include "linalg/trust_region.hpp"
#include "paper/learning_bound.hpp"

using namespace dpadapt;
using arma::vec;
using paper::LearningBound;
using paper::LearningBounds;

namespace {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

constexpr double kFeatureRadius = 2.5;
constexpr double kLabelBound = 3.0;
constexpr double kRadius = 1.5;
constexpr std::size_t kFeatures = 2;
constexpr double kAlphaCount = 11.0;

Settings settings_of(const OptionTexts &texts) {
    engine::OptionValues values;
    values.parse(engine::find_option("private_domain"), "none");
    values.parse(engine::find_option("preprocess"), "none");
    values.parse(engine::find_option("intercept"), "false");
    values.parse(engine::find_option("feature_radius"), std::to_string(kFeatureRadius));
    values.parse(engine::find_option("radius"), std::to_string(kRadius));
    if (texts.empty())
        values.parse(engine::find_option("label_bound"), std::to_string(kLabelBound));
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return engine::make_settings(values, Wanted::discrepancy);
}

struct Rows {
    std::vector<double> x;
    std::vector<double> y;
    bool classes;

    Rows(Random &random, std::size_t rows, double slope, bool signs) : classes(signs) {
        for (std::size_t i = 0; i < rows; ++i) {
            // Within the bounds: nothing is clipped.
            for (std::size_t j = 0; j < kFeatures; ++j)
                x.push_back(2.0 * kFeatureRadius / 1.5 * (random.uniform() - 0.5));
            const double score = slope * x[2 * i] - 0.4 * x[2 * i + 1] + 0.3 * random.normal();
            y.push_back(signs ? (score < 0.0 ? -1.0 : 1.0)
                              : std::clamp(score, -kLabelBound, kLabelBound));
        }
    }

    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), kFeatures, kFeatures, true}, y.data());
    }

    [[nodiscard]] double score(std::size_t i, const vec &w) const {
        return w(0) * x[2 * i] + w(1) * x[2 * i + 1];
    }

    [[nodiscard]] double mean_loss(const vec &w) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double s = score(i, w);
            sum += classes ? std::log1p(std::exp(-y[i] * s)) : (s - y[i]) * (s - y[i]);
        }
        return sum / static_cast<double>(y.size());
    }
};

/** A source's sample, a target of which all is known, and a sample of that. */
struct Domains {
    NoControl control;
    Rows source;
    Rows whole;
    Rows target;
    Settings settings;
    Sample source_sample;
    Sample whole_sample;
    Sample target_sample;
    PreparedProblem problem;
    PreparedSample drawn;

    Domains(Random &random, std::size_t m, std::size_t n, double slope,
            const OptionTexts &texts = {}, bool classes = false)
        : source(random, m, 0.5, classes),
          whole(random, 3000, slope, classes),
          target(random, n, slope, classes),
          settings(settings_of(texts)),
          source_sample(source.sample()),
          whole_sample(whole.sample()),
          target_sample(target.sample()),
          problem(source_sample, whole_sample, settings, control),
          drawn(target_sample, problem.preprocess(), 1) {}

    [[nodiscard]] LearningBound bound(const vec &w, double n) {
        LearningBounds bounds(problem, drawn, n, settings, control);
        check_close("the loss on the whole target", bounds.target_loss(w), whole.mean_loss(w),
                    1e-9);
        return bounds(w);
    }
};

/** By a fine grid of the ball, the largest difference of the mean losses. */
double discrepancy_by_grid(const Domains &domains, double radius) {
    constexpr int kSteps = 60;
    double most = 0.0;
    for (int a = 0; a <= kSteps; ++a)
        for (int b = 0; b <= kSteps; ++b) {
            const double angle = 2.0 * 3.14159265358979 * a / kSteps;
            const vec w = radius * b / kSteps * vec{std::cos(angle), std::sin(angle)};
            most =
                std::max(most, std::abs(domains.whole.mean_loss(w) - domains.source.mean_loss(w)));
        }
    return most;
}

void its_terms_are_those_of_the_theorem() {
    Random random(1);
    const std::pair<double, double> cases[] = {{60, 40}, {2000, 30}, {50, 1e9}, {400, 1e4}};
    for (const auto &[m, n] : cases) {
        Domains domains(random, static_cast<std::size_t>(m), 200, 0.5);
        const vec w{0.4, -0.4};
        const LearningBound found = domains.bound(w, n);
        const double b = std::pow(kRadius * kFeatureRadius + kLabelBound, 2);
        const double g = 2.0 * kFeatureRadius * (kRadius * kFeatureRadius + kLabelBound);
        check_close("B", found.largest_loss, b, 1e-12);
        const double a = found.alpha;
        const double norm = std::sqrt(a * a / m + (1 - a) * (1 - a) / n);
        check_close("the empirical loss", found.empirical,
                    a * domains.source.mean_loss(w) + (1 - a) * domains.target.mean_loss(w), 1e-9);
        if (a > 0.0) {
            const double d = discrepancy_by_grid(domains, kRadius);
            check_true("the discrepancy from below", found.discrepancy >= (1 - 1e-9) * a * d);
            check_close("the discrepancy", found.discrepancy, a * d, 0.02);
        }
        check_close("complexity", found.complexity, 2 * kRadius * g * (norm + a / std::sqrt(m)),
                    1e-12);
        // Half of eta is for the ball, a half of it for the discrepancy.
        const double eta = LearningBounds::kFailure / 2 / kAlphaCount / 2;
        const double tail = std::sqrt(std::log(2 / eta) / 2);
        check_close("confidence", found.confidence, b * tail * (norm + a / std::sqrt(m)), 1e-12);
        check_close("their sum", found.value,
                    found.empirical + found.discrepancy + found.complexity + found.confidence,
                    1e-12);
    }
}

/** E sup over the ball of sum sigma_i q_i l_i, which of the squared loss is a quadratic. */
double complexity_by_signs(const Domains &domains, double alpha, Random &random) {
    constexpr int kDraws = 200;
    double mean = 0.0;
    for (int draw = 0; draw < kDraws; ++draw) {
        arma::mat second(2, 2, arma::fill::zeros);
        vec cross(2, arma::fill::zeros);
        double label = 0.0;
        const auto add = [&](const Rows &rows, double share) {
            const double q = share / static_cast<double>(rows.y.size());
            for (std::size_t i = 0; i < rows.y.size(); ++i) {
                const double sign = random.uniform() < 0.5 ? -q : q;
                const vec x{rows.x[2 * i], rows.x[2 * i + 1]};
                second += sign * x * x.t();
                cross += sign * rows.y[i] * x;
                label += sign * rows.y[i] * rows.y[i];
            }
        };
        add(domains.source, alpha);
        add(domains.target, 1.0 - alpha);
        const auto least =
            linalg::minimize_in_ball(linalg::decompose(-2.0 * second), 2.0 * cross, kRadius);
        mean += (label - least.value) / kDraws;
    }
    return mean;
}

void complexity_bounds_the_supremum_over_the_ball() {
    Random random(2);
    for (const std::size_t n : {std::size_t{20}, std::size_t{2000}}) {
        Domains domains(random, 300, n, 0.5);
        const LearningBound found = domains.bound({0.1, 0.1}, static_cast<double>(n));
        check_true("the share of the source by the sizes", (found.alpha > 0.4) == (n == 20));
        double own = 2.0 * complexity_by_signs(domains, found.alpha, random);
        if (found.alpha > 0.0)
            own += 2.0 * found.alpha *
                   (complexity_by_signs(domains, 0.0, random) +
                    complexity_by_signs(domains, 1.0, random));
        check_true("a bound: " + std::to_string(own), own <= found.complexity);
        check_true("not a wild one", found.complexity <= 30.0 * own);
    }
}

void a_source_that_is_far_has_no_share() {
    Random random(3);
    Domains near(random, 100000, 50, 0.5);
    Domains far(random, 100000, 50, -1.5);
    check_true("near", near.bound({0.5, -0.4}, 50).alpha > 0.5);
    const vec w{-1.4, -0.4};
    check_true("far", far.bound(w, 2000).alpha < 0.5);
    check_true("a target of any size", far.bound(w, 1e12).alpha == 0.0);
    check_close("which it is sure of", far.bound(w, 1e12).value, far.target.mean_loss(w), 1e-2);
}

void predictors_outside_of_the_ball_have_a_larger_one() {
    Random random(4);
    Domains domains(random, 50, 50, 0.5);
    const LearningBound inside = domains.bound({0.0, kRadius}, 50);
    const LearningBound outside = domains.bound({0.0, 3.0 * kRadius}, 50);
    const auto b = [](double radius) { return std::pow(radius * kFeatureRadius + kLabelBound, 2); };
    check_close("inside", inside.largest_loss, b(kRadius), 1e-12);
    check_close("outside", outside.largest_loss, b(4.0 * kRadius), 1e-12);
}

/** The fit that is best on the sample is where a bound of the loss is hard. Bounds are far above
 *  the loss, so what they add is looked at, too: the empirical loss alone is no bound. */
void it_holds_and_needs_its_terms() {
    Random random(5);
    constexpr std::size_t kPopulation = 20000;
    int without = 0;
    constexpr int kRuns = 200;
    for (int run = 0; run < kRuns; ++run) {
        Domains domains(random, 12, 12, 0.5);
        const Rows population(random, kPopulation, 0.5, false);
        arma::mat second(2, 2, arma::fill::zeros);
        vec cross(2, arma::fill::zeros);
        for (std::size_t i = 0; i < 12; ++i) {
            const vec x{domains.target.x[2 * i], domains.target.x[2 * i + 1]};
            second += x * x.t();
            cross += domains.target.y[i] * x;
        }
        const vec w = arma::solve(second, cross);
        const LearningBound found = domains.bound(w, 12);
        const double loss = population.mean_loss(w);
        check_true("the bound holds", loss <= found.value);
        without += domains.target.mean_loss(w) < loss ? 1 : 0;
    }
    check_true("an empirical loss is no bound", without > kRuns / 2);
}

void losses_of_classes_have_bounds() {
    Random random(6);
    Domains domains(random, 80, 60, 0.5, {{"loss", "logistic"}}, true);
    const vec w{0.8, -0.6};
    const LearningBound found = domains.bound(w, 1e8);
    const double reach = kRadius * kFeatureRadius;
    check_close("B", found.largest_loss, std::log1p(std::exp(reach)), 1e-12);
    check_true("alpha", found.alpha == 0.0);
    check_close("empirical", found.empirical, domains.target.mean_loss(w), 1e-9);
    check_close("complexity", found.complexity,
                2 * kRadius * kFeatureRadius / (1 + std::exp(-reach)) / 1e4, 1e-12);
    const LearningBound few = domains.bound(w, 2);
    if (few.alpha > 0.0)
        check_true("the discrepancy from above",
                   few.discrepancy >= few.alpha * discrepancy_by_grid(domains, kRadius) - 1e-9);
    check_true("of few records the source has a share", few.alpha > 0.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(its_terms_are_those_of_the_theorem),
        core_test(complexity_bounds_the_supremum_over_the_ball),
        core_test(a_source_that_is_far_has_no_share),
        core_test(predictors_outside_of_the_ball_have_a_larger_one),
        core_test(it_holds_and_needs_its_terms),
        core_test(losses_of_classes_have_bounds),
    };
    return cmocka_run_group_tests_name("learning_bound", tests, nullptr, nullptr);
}
