// Which domain a private fit trusts when nothing is chosen: never a bias that more records cannot
// remove, the target's own fit where it is known well, pooling where the domains are equal,
// whichever sample is private.
#include "privacy/replay.hpp"
#include "private/shrink.hpp"

using namespace dpadapt;

namespace {

/** Labels with coefficients `slope` and noise of deviation 1, features normal. */
Data normal_data(std::size_t rows, double slope, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < kFeatures; ++j) {
            data.x[i * kFeatures + j] = random.normal();
            data.y[i] += slope * data.x[i * kFeatures + j];
        }
        data.y[i] += random.normal();
    }
    return data;
}

/** Mean squared error of the predictor beyond that of the best one, whose coefficients are 1. */
double excess(const Solution &solution) {
    double sum = solution.intercept[0] * solution.intercept[0];
    for (const double w : solution.coefficients) sum += (w - 1.0) * (w - 1.0);
    return sum;
}

double mean_excess(double source_slope, std::size_t m, std::size_t n, const OptionTexts &texts,
                   unsigned draws = 4) {
    double sum = 0.0;
    for (unsigned draw = 0; draw < draws; ++draw) {
        OptionTexts seeded = texts;
        seeded["unsafe_seed"] = std::to_string(draw);
        const Run run = run_private(normal_data(m, source_slope, 100 + draw),
                                    normal_data(n, 1.0, 200 + draw), seeded, nullptr);
        sum += excess(run.solution) / draws;
    }
    return sum;
}

void a_clear_shift_leaves_no_bias() {
    for (const std::string epsilon : {"1", "10"}) {
        const OptionTexts automatic{{"epsilon", epsilon}, {"delta", "1e-5"}};
        OptionTexts target_only = automatic;
        target_only["alpha"] = "0";
        target_only["shrinkage"] = "0";
        for (const double slope : {-1.0, 0.0, 0.5, 1.0}) {
            const double error = mean_excess(slope, 5000, 20000, automatic);
            const double own = mean_excess(slope, 5000, 20000, target_only);
            const std::string name =
                "slope " + std::to_string(slope) + ", epsilon " + epsilon + ": ";
            if (!(error <= 2.0 * own)) std::fprintf(stderr, "%g %g\n", error, own);
            check_true(name + "as good as the target alone", error <= 2.0 * own);
        }
    }
}

void equal_domains_are_pooled() {
    const OptionTexts automatic{{"epsilon", "4"}, {"delta", "1e-5"}};
    const double pooled = (kFeatures + 1.0) / 10000.0;  // expected, of 10 000 records
    check_true("private target", mean_excess(1.0, 5000, 5000, automatic, 32) <= 1.6 * pooled);
    OptionTexts source = automatic;
    source["private_domain"] = "source";
    check_true("private source", mean_excess(1.0, 5000, 5000, source) <= 1.6 * pooled);
}

void a_private_source_of_another_law_does_no_harm() {
    const OptionTexts source{{"epsilon", "1"}, {"delta", "1e-5"}, {"private_domain", "source"}};
    const double alone = (kFeatures + 1.0) / 200.0;  // expected, of 200 records
    for (const double slope : {-1.0, 0.0})
        check_true("as the target alone", mean_excess(slope, 5000, 200, source) <= 1.6 * alone);
}

/** As the target alone if the domains have nothing in common, pooled if they are equal. */
void both_private_trust_as_one_does() {
    const OptionTexts texts{
        {"private_domain", "both"}, {"preprocess", "none"}, {"feature_radius", "5"},
        {"label_bound", "9"},       {"radius", "6"},        {"kappa_1", "100"},
        {"clip_bound", "2"},        {"epsilon", "4"},       {"delta", "1e-5"}};
    OptionTexts target = texts;
    target["alpha"] = "0";
    for (const double slope : {-1.0, 0.0}) {
        const double own = mean_excess(slope, 5000, 2000, target);
        check_true("another law", mean_excess(slope, 5000, 2000, texts) <= 3.0 * own);
    }
    check_true("one law", mean_excess(1.0, 5000, 200, texts) <= 0.02);
}

/** Ten records say little, and the source much. */
void few_target_rows_take_a_private_source() {
    const OptionTexts texts{{"epsilon", "1"}, {"delta", "1e-5"}, {"private_domain", "source"}};
    check_true("the source", mean_excess(1.0, 5000, 10, texts) <= 0.1);
}

/** Fewer public rows than features: their plain fit, which is exact, is no anchor. */
void few_source_rows_have_a_ridge() {
    const OptionTexts texts{{"epsilon", "0.1"}, {"delta", "1e-5"}};
    check_true("a ridge", mean_excess(0.0, 4, 50, texts) <= 4.0);
}

/** As many public rows as parameters, or about as many: they do not tell what clips leave. */
void hardly_enough_source_rows_lead_nowhere_far() {
    OptionTexts texts{{"epsilon", "2"}, {"delta", "1e-5"}};
    for (const std::size_t rows : {3, 4, 5})
        check_true(std::to_string(rows) + " rows", mean_excess(0.5, rows, 3000, texts) <= 10.0);
    texts["epsilon"] = "10";
    check_true("slopes of 2", mean_excess(2.0, 4, 3000, texts) <= 0.1);
    check_true("slopes of 5", mean_excess(5.0, 4, 3000, texts) <= 0.5);
}

void few_records_leave_the_anchor_where_it_is() {
    const OptionTexts few{{"epsilon", "0.5"}, {"delta", "1e-5"}};
    for (const std::string alpha : {"auto", "0.1", "0.5"}) {
        OptionTexts texts = few;
        texts["alpha"] = alpha;
        check_true("alpha " + alpha, mean_excess(1.0, 5000, 40, texts) <= 0.05);
    }
}

Data moved(Data data, double by) {
    for (double &label : data.y) label += by;
    return data;
}

/** At first all records are clipped, and the public labels end long before those of the target. */
void a_far_target_is_reached() {
    const OptionTexts texts{{"epsilon", "10"}, {"delta", "1e-5"}, {"unsafe_seed", "1"}};
    Run run = run_private(normal_data(5000, 1.0, 1), moved(normal_data(1000, 1.0, 2), 100.0), texts,
                          nullptr);
    check_true("its range", run.solution.settings.prediction_highest > 110.0);
    run.solution.intercept[0] -= 100.0;
    check_true("a mean 100 deviations off", excess(run.solution) <= 25.0);
    for (const double slope : {-1.0, -3.0}) {
        const double error = mean_excess(slope, 5000, 500, {{"epsilon", "10"}, {"delta", "1e-5"}});
        check_true("few records, slope " + std::to_string(slope), error <= 0.2);
    }
}

/** Public records without residuals have no scale for the clip. */
void a_source_without_noise_can_be_left() {
    Data source = normal_data(1000, 0.0, 3);
    for (std::size_t i = 0; i < source.y.size(); ++i) {
        source.y[i] = 0.0;
        for (std::size_t j = 0; j < kFeatures; ++j)
            source.y[i] += 2.0 * source.x[i * kFeatures + j];
    }
    const OptionTexts texts{{"epsilon", "10"}, {"delta", "1e-5"}, {"unsafe_seed", "1"}};
    const Run run = run_private(source, normal_data(2000, 1.0, 4), texts, nullptr);
    check_true("an exact source", excess(run.solution) <= 0.05);
}

/** The second column hardly varies; labels have this slope in it. */
Data quiet_column(std::size_t rows, double deviation, double slope, unsigned seed) {
    Data data = normal_data(rows, 1.0, seed);
    for (std::size_t i = 0; i < rows; ++i) {
        double &x = data.x[i * kFeatures + 1];
        data.y[i] += (slope * deviation - 1.0) * x;
        x *= deviation;
    }
    return data;
}

/** A ridge is the better start where the target has no such slope; that it fits the source badly is
 *  no reason for a wider clip. */
void a_start_at_a_ridge_adds_no_noise() {
    constexpr double kDeviation = 0.1;
    constexpr unsigned kDraws = 16;
    const auto error = [](const std::string &anchor) {
        double sum = 0.0;
        for (unsigned draw = 0; draw < kDraws; ++draw) {
            const OptionTexts texts{{"epsilon", "1"},
                                    {"delta", "1e-5"},
                                    {"anchor", anchor},
                                    {"unsafe_seed", std::to_string(draw)}};
            const Run run =
                run_private(quiet_column(5000, kDeviation / 2.0, 80.0, 300 + draw),
                            quiet_column(3000, kDeviation, 0.0, 400 + draw), texts, nullptr);
            const auto &w = run.solution.coefficients;
            sum += std::pow(w[0] - 1.0, 2) + std::pow(kDeviation * w[1], 2) +
                   std::pow(w[2] - 1.0, 2) + std::pow(run.solution.intercept[0], 2);
        }
        return sum / kDraws;
    };
    const double ridge = error("auto");
    const double plain = error("least_squares");
    if (!(ridge <= 1.8 * plain)) std::fprintf(stderr, "%g %g\n", ridge, plain);
    check_true("the noise of the plain fit", ridge <= 1.8 * plain);
}

/** Its unit is that of the other columns. */
void a_column_that_only_the_target_has_is_learnt() {
    Data source = normal_data(2000, 1.0, 5);
    for (std::size_t i = 0; i < source.y.size(); ++i) {
        source.y[i] -= source.x[i * kFeatures];
        source.x[i * kFeatures] = 0.0;
    }
    for (const std::string epsilon : {"1", "10"}) {
        const OptionTexts texts{{"epsilon", epsilon}, {"delta", "1e-5"}, {"unsafe_seed", "1"}};
        const Run run = run_private(source, normal_data(3000, 1.0, 6), texts, nullptr);
        check_true("epsilon " + epsilon, excess(run.solution) <= 0.05);
    }
}

/** Far from where steps began, few of them cannot arrive; what noise hides is not told. */
void steps_that_do_not_arrive_are_told() {
    const OptionTexts automatic{{"epsilon", "50"}, {"delta", "1e-5"}};
    const auto ends = [](double slope, OptionTexts texts, const std::string &steps, unsigned seed) {
        texts["iterations"] = steps;
        texts["unsafe_seed"] = std::to_string(seed);
        return run_private(normal_data(2000, slope, seed), normal_data(5000, 1.0, 50 + seed), texts,
                           nullptr)
            .solution.termination;
    };
    OptionTexts fixed = automatic;
    fixed["alpha"] = "0";
    fixed["clip_bound"] = "0.05";
    check_true("alpha a number", ends(-1.0, fixed, "8", 1) == Termination::not_converged);
    OptionTexts clipped = automatic;
    clipped["clip_bound"] = "0.02";
    check_true("alpha auto", ends(-1.0, clipped, "8", 1) == Termination::not_converged);
    clipped["clip_bound"] = "0.2";  // what is left is 1e-3 of the loss, and more than noise
    check_true("hardly away", ends(-1.0, clipped, "8", 1) == Termination::steps);
    for (unsigned seed = 1; seed <= 10; ++seed) {
        check_true("near", ends(1.0, automatic, "20", seed) == Termination::steps);
        OptionTexts noisy = automatic;
        noisy["epsilon"] = "0.1";
        check_true("noise", ends(-1.0, noisy, "20", seed) == Termination::steps);
    }
}

/** With both samples private steps begin at zero. */
void both_private_arrive_or_tell() {
    const auto ends = [](const std::string &clip, const std::string &steps, unsigned seed) {
        const OptionTexts texts{{"private_domain", "both"},
                                {"preprocess", "none"},
                                {"feature_radius", "5"},
                                {"label_bound", "9"},
                                {"radius", "6"},
                                {"kappa_1", "100"},
                                {"epsilon", "20"},
                                {"delta", "1e-5"},
                                {"discrepancy", "0"},
                                {"clip_bound", clip},
                                {"iterations", steps},
                                {"unsafe_seed", std::to_string(seed)}};
        return run_private(normal_data(2000, 1.0, seed), normal_data(2000, 1.0, 50 + seed), texts,
                           nullptr)
            .solution;
    };
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Solution near = ends("2", "20", seed);
        check_true("arrived", near.termination == Termination::steps && excess(near) <= 0.05);
        const Solution far = ends("0.002", "8", seed);
        check_true("not yet", far.termination == Termination::not_converged && excess(far) > 1.0);
    }
}

void the_shift_rule_is_what_it_says() {
    Metric metric;
    metric.maps_rows = true;
    metric.inverse = arma::mat(3, 3, arma::fill::eye);
    const arma::vec difference{3.0, 4.0, 0.1};  // the last: the intercept
    const ShiftVariance small{1e-4, 0.0};
    const ShiftRule target(metric, true, privacy::kTarget, 3.0);
    check_true("a clear shift is kept", target(difference, small).share > 0.999);
    check_true("noise is not", target(difference, {100.0, 0.0}).share == 0.0);
    check_close("no shift is pooled", target(difference, {100.0, 100.0}).share, 0.5, 1e-12);
    const arma::vec kept = target({0.0, 0.0, 3.0}, {0.25, 0.0}).shift;
    check_true("the intercept is a direction of its own", kept(2) > 1.0 && kept(0) == 0.0);
    check_true(
        "without it the same shift is noise",
        ShiftRule(metric, false, privacy::kTarget, 3.0)({0.0, 0.0, 3.0}, {0.25, 0.0}).shift(2) <
            kept(2));
    const arma::vec doubtful{0.014, 0.014, 0.0};  // twice the mean square of its noise
    check_true("a doubtful shift is not kept where it could do harm",
               target(doubtful, {1e-4, 0.0, 1e-4}).share == 0.0);
    check_true("where it can do none it is, in part",
               target(doubtful, {1e-4, 0.0, 1.0}).share > 0.3);
    check_true("and noise of the usual size is not",
               target({0.009, 0.009, 0.0}, {1e-4, 0.0, 1.0}).share < 0.05);
    const ShiftRule off(metric, true, privacy::kTarget, 0.0);
    check_true("0 keeps everything", off(difference, {100.0, 0.0}).share == 1.0);
    const ShiftRule source(metric, false, privacy::kSource, 3.0);
    check_close("another domain counts by its variance", source({0.1, 0.1, 0.1}, {1.0, 3.0}).share,
                0.75, 1e-12);
    check_true("a far one hardly", source(100.0 * difference, {1.0, 3.0}).share < 1e-3);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(a_clear_shift_leaves_no_bias),
        core_test(equal_domains_are_pooled),
        core_test(a_private_source_of_another_law_does_no_harm),
        core_test(both_private_trust_as_one_does),
        core_test(few_target_rows_take_a_private_source),
        core_test(few_source_rows_have_a_ridge),
        core_test(hardly_enough_source_rows_lead_nowhere_far),
        core_test(few_records_leave_the_anchor_where_it_is),
        core_test(a_far_target_is_reached),
        core_test(a_source_without_noise_can_be_left),
        core_test(a_start_at_a_ridge_adds_no_noise),
        core_test(a_column_that_only_the_target_has_is_learnt),
        core_test(steps_that_do_not_arrive_are_told),
        core_test(both_private_arrive_or_tell),
        core_test(the_shift_rule_is_what_it_says),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
