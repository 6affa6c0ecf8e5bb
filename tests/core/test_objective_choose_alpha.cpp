// alpha and the radius without privacy: leaving rows out equals fits without them, and what follows
// where the source helps, misleads, or says nothing.
#include <algorithm>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "engine/fit.hpp"
#include "engine/options.hpp"
#include "loss/scores.hpp"
#include "objective/left_out.hpp"
#include "objective/solve.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kFeatures = 5;

using Texts = std::vector<std::pair<const char *, const char *>>;

struct Data {
    std::vector<double> x;
    std::vector<double> y;
    [[nodiscard]] Sample sample() const {
        return Sample::copy({x.data(), y.size(), kFeatures, kFeatures, true}, y.data());
    }
};

enum class Labels { numbers, signs, classes };

/** Features of variance 1, labels slope times their sum, with noise of deviation 1. */
Data make_data(std::size_t rows, double slope, unsigned seed, Labels labels = Labels::numbers) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        double score = random.normal();
        for (std::size_t j = 0; j < kFeatures; ++j)
            score += slope * (data.x[i * kFeatures + j] = random.normal());
        const bool high = score > 0.0;
        data.y[i] = labels == Labels::numbers ? score
                    : labels == Labels::signs ? (high ? 1.0 : -1.0)
                                              : (high ? 1.0 : 0.0);
    }
    return data;
}

engine::OptionValues options(const Texts &texts) {
    engine::OptionValues values;
    values.parse(engine::Option::private_domain, "none");
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return values;
}

Solution fit(const Data &source, const Data &target, const Texts &texts, Control &control,
             const char *baseline = nullptr) {
    engine::Problem problem;
    problem.replace(privacy::kSource, source.sample());
    problem.replace(privacy::kTarget, target.sample());
    return engine::fit(problem, baseline == nullptr ? nullptr : &baseline::find_method(baseline),
                       nullptr, options(texts), control);
}

Solution fit(const Data &source, const Data &target, const Texts &texts = {},
             const char *baseline = nullptr) {
    NoControl control;
    return fit(source, target, texts, control, baseline);
}

/** Expected squared error beyond that of the truth, whose coefficients are `slope`. */
double excess(const Solution &solution, double slope) {
    double sum = solution.intercept.front() * solution.intercept.front();
    for (const double c : solution.coefficients) sum += (c - slope) * (c - slope);
    return sum;
}

SourcePrior make_prior(arma::uword d, Random &random) {
    arma::mat root(d, d);
    root.imbue([&] { return random.normal(); });
    arma::vec center(d);
    center.imbue([&] { return random.normal(); });
    return {root * root.t() + arma::eye(d, d), center};
}

ColumnRows make_rows(arma::uword d, std::size_t n, Random &random, bool signs) {
    ColumnRows rows;
    rows.z.set_size(d, n);
    rows.z.imbue([&] { return random.normal(); });
    for (std::size_t i = 0; i < n; ++i) {
        const double y = random.normal() + rows.z(0, i);
        rows.label.push_back(signs ? (y > 0.0 ? 1.0 : -1.0) : y);
    }
    return rows;
}

arma::vec weights(const ColumnRows &rows) {
    arma::vec all(rows.label.size());
    for (std::size_t i = 0; i < all.n_elem; ++i) all(i) = rows.weight(i);
    return all;
}

arma::mat weighted(const ColumnRows &rows) { return rows.z * arma::diagmat(weights(rows)); }

/** From a half to one and a half, of mean 1. */
void weigh(ColumnRows &rows) {
    const auto n = static_cast<double>(rows.label.size());
    for (double k = 0.5; k < n; ++k) rows.relative.push_back(0.5 + k / n);
}

Moments moments_of(const ColumnRows &rows) {
    const auto n = static_cast<double>(rows.label.size());
    const arma::vec y(rows.label);
    const arma::mat z = weighted(rows);
    return {z * rows.z.t() / n, z * y / n, arma::dot(weights(rows) % y, y) / n};
}

ColumnRows without(ColumnRows rows, std::size_t i) {
    rows.z.shed_col(i);
    rows.label.erase(rows.label.begin() + static_cast<std::ptrdiff_t>(i));
    if (!rows.relative.empty())
        rows.relative.erase(rows.relative.begin() + static_cast<std::ptrdiff_t>(i));
    return rows;
}

/** The minimum of sum r_i (z_i.w - y_i)^2 + s/2 (w - c)'P(w - c), by the normal equations, of fewer
 *  rows than columns by those of the rows. */
arma::vec by_hand(const SourcePrior &prior, const ColumnRows &rows, double size) {
    const arma::vec y(rows.label);
    if (rows.z.n_cols < rows.z.n_rows) {
        const arma::mat columns = arma::solve(prior.curvature, rows.z);
        arma::mat k = rows.z.t() * columns;
        for (arma::uword i = 0; i < k.n_rows; ++i) k(i, i) += 0.5 * size / rows.weight(i);
        return prior.center + columns * arma::solve(k, y - rows.z.t() * prior.center);
    }
    const arma::mat z = weighted(rows);
    return arma::solve(2.0 * z * rows.z.t() + size * prior.curvature,
                       2.0 * z * y + size * prior.curvature * prior.center);
}

void leaving_out_in_closed_form_equals_fits_without_the_row() {
    Random random(1);
    struct Size {
        arma::uword d;
        std::size_t n;
        bool has_weights = false;
    };
    for (const auto &[d, n, has_weights] :
         {Size{4, 30}, Size{12, 7}, Size{5, 1}, Size{4, 30, true}, Size{12, 7, true}}) {
        const SourcePrior prior = make_prior(d, random);
        ColumnRows rows = make_rows(d, n, random, false);
        if (has_weights) weigh(rows);
        const auto closed = left_out_squared(prior, moments_of(rows), static_cast<double>(n), rows);
        const loss::Squared squared;
        const auto stepped = left_out_newton(prior, squared, rows, 1e3);
        for (const double size : {100.0, 1.0, 0.01, 1e-7}) {
            const LeftOut fit = closed->at(size);
            check_true(
                "the fit to all rows",
                arma::approx_equal(fit.theta, by_hand(prior, rows, size), "both", 1e-8, 1e-8));
            const LeftOut other = stepped->at(size);
            for (std::size_t i = 0; i < n; ++i) {
                const arma::vec w = by_hand(prior, without(rows, i), size);
                const double r = arma::dot(w, rows.z.col(i)) - rows.label[i];
                check_close("left out", fit.losses[i], r * r, 1e-7);
                check_close("left out by a Newton step", other.losses[i], r * r, 1e-4);
            }
        }
    }
}

void some_rows_stand_for_all_of_them() {
    Random random(2);
    const SourcePrior prior = make_prior(3, random);
    const ColumnRows rows = make_rows(3, 40, random, false);
    ColumnRows some = rows;
    while (some.label.size() > 10) some = without(some, some.label.size() - 1);
    const LeftOut all = left_out_squared(prior, moments_of(rows), 40.0, rows)->at(2.0);
    const LeftOut few = left_out_squared(prior, moments_of(rows), 40.0, some)->at(2.0);
    check_true("the same fit", arma::approx_equal(all.theta, few.theta, "absdiff", 0.0));
    for (std::size_t i = 0; i < few.losses.size(); ++i)
        check_close("the same losses", few.losses[i], all.losses[i], 1e-12);

    const Data data = make_data(50, 1.0, 3);
    const Sample sample = data.sample();
    const Settings settings = engine::fit_settings(nullptr, options({}));
    const Preprocess preprocess(sample, settings);
    const PreparedSample prepared(sample, preprocess, 1);
    check_true("all rows", some_rows(prepared, 1, 50).label == prepared.labels());
    check_true("different rows",
               some_rows(prepared, 1, 20).z.n_cols == 20 &&
                   some_rows(prepared, 1, 20).label != some_rows(prepared, 2, 20).label);
}

/** A copy knows its own label: what is left out is a row with all of its copies. */
void rows_that_repeat_are_left_out_together() {
    Random random(3);
    const SourcePrior prior = make_prior(kFeatures, random);
    const Data once = make_data(30, 1.0, 4);
    Data data = once;
    for (int copies = 1; copies < 4; ++copies) {
        data.x.insert(data.x.end(), once.x.begin(), once.x.end());
        data.y.insert(data.y.end(), once.y.begin(), once.y.end());
    }
    const Settings settings = engine::fit_settings(nullptr, options({{"intercept", "false"}}));
    const Sample samples[] = {once.sample(), data.sample()};
    const Preprocess preprocess(samples[0], settings);
    const loss::Squared squared;
    std::vector<LeftOut> found[2];
    for (std::size_t k = 0; k < 2; ++k) {
        const PreparedSample prepared(samples[k], preprocess, 1);
        const ColumnRows rows = some_rows(prepared, 1);
        check_true("distinct rows", rows.label.size() == 30);
        const auto n = static_cast<double>(prepared.rows());
        found[k] = {left_out_squared(prior, prepared.moments(), n, rows)->at(n / 10.0),
                    left_out_newton(prior, squared, rows, 1e3)->at(n / 10.0)};
    }
    for (std::size_t way = 0; way < 2; ++way) {
        const auto sorted = [&](std::size_t k) {
            std::vector<double> losses = found[k][way].losses;
            std::sort(losses.begin(), losses.end());
            return losses;
        };
        for (std::size_t i = 0; i < 30; ++i)
            check_close("the same losses", sorted(1)[i], sorted(0)[i], 1e-6);
    }
}

void leaving_out_by_a_newton_step_is_near_fits_without_the_row() {
    Random random(4);
    const SourcePrior prior = make_prior(3, random);
    const ColumnRows rows = make_rows(3, 40, random, true);
    const loss::Logistic logistic;
    for (const double size : {10.0, 0.5}) {
        const LeftOut fit = left_out_newton(prior, logistic, rows, 1e3)->at(size);
        double mean = 0.0;
        double apart = 0.0;
        for (std::size_t i = 0; i < 40; ++i) {
            const ColumnRows rest = without(rows, i);
            const arma::vec w = left_out_newton(prior, logistic, rest, 1e3)->at(size).theta;
            const double score = arma::dot(w, rows.z.col(i));
            const double label = rows.label[i];
            double loss = 0.0;
            logistic.slopes(1, &score, &label, &loss, nullptr);
            mean += loss / 40.0;
            apart += (fit.losses[i] - loss) / 40.0;
        }
        check_true("mean loss left out", std::abs(apart) < 0.02 * mean);
    }
}

void a_source_of_opposite_sign_does_no_harm() {
    double adapted = 0.0;
    double alone = 0.0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Data source = make_data(5000, -1.0, 100 + seed);
        const Data target = make_data(200, 1.0, 200 + seed);
        const Solution solution = fit(source, target);
        adapted += excess(solution, 1.0);
        alone += excess(fit(source, target, {{"kappa_1", "1e9"}}, "target_only"), 1.0);
        check_true("certified", solution.duality_gap <= 1e-6 * solution.objective);
        check_true("the source keeps a say", solution.settings.alpha > 0.0);
    }
    check_true("at most twice the target alone", adapted <= 2.0 * alone);
}

void a_source_of_the_same_law_is_used() {
    double adapted = 0.0;
    double pooled = 0.0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Data source = make_data(5000, 1.0, 300 + seed);
        const Data target = make_data(200, 1.0, 400 + seed);
        adapted += 1.0 + excess(fit(source, target), 1.0);
        pooled += 1.0 + excess(fit(source, target, {}, "pooled"), 1.0);
    }
    check_true("at most 1.02 of pooling", adapted <= 1.02 * pooled);
}

void a_source_without_signal_does_not_bind_the_target() {
    const Data source = make_data(5000, 0.0, 5);
    const Data target = make_data(2000, 3.0, 6);
    check_true("auto", excess(fit(source, target), 3.0) < 0.05);
    check_true("alpha = 0", excess(fit(source, target, {{"alpha", "0"}}), 3.0) < 0.05);
    check_true("baseline", excess(fit(source, target, {}, "target_only"), 3.0) < 0.05);
    const Solution given = fit(source, target, {{"radius", "2"}});
    check_true("a radius that is given holds", given.settings.radius == 2.0);
}

void other_losses_choose_too() {
    const auto trust = [](double slope, const Texts &texts, Labels labels) {
        return fit(make_data(2000, slope, 7, labels), make_data(400, 1.0, 8, labels), texts)
            .settings.alpha;
    };
    const auto most = 2000.0 / 2400.0;
    for (const auto &[texts, labels] : std::vector<std::pair<Texts, Labels>>{
             {{{"loss", "huber"}}, Labels::numbers},
             {{{"loss", "logistic"}}, Labels::signs},
             {{{"loss", "logistic"}, {"optimizer", "quasi_newton"}}, Labels::signs},
             {{{"loss", "softmax"}}, Labels::classes},
             {{{"loss", "perceptron"}, {"hidden_units", "4"}}, Labels::classes}}) {
        const std::string name = texts.back().second;
        check_true(name + ": opposite sign", trust(-1.0, texts, labels) <= 0.1);
        const double alike = trust(1.0, texts, labels);
        check_true(name + ": same law", alike > 0.4 && alike <= most);
    }
}

void what_is_chosen_can_be_asked_for() {
    const Data source = make_data(500, 1.0, 9);
    const Data target = make_data(60, 1.3, 10);
    const Solution chosen = fit(source, target);
    const std::string alpha = std::to_string(chosen.settings.alpha);
    check_true("no discrepancy", std::isnan(chosen.settings.discrepancy));
    NoControl control;
    engine::OptionValues values = options({{"discrepancy", "0"}});
    values.set(engine::Option::alpha, chosen.settings.alpha);
    values.set(engine::Option::radius, chosen.settings.radius);
    values.set(engine::Option::kappa_1, chosen.settings.kappa_1);
    engine::Problem problem;
    problem.replace(privacy::kSource, source.sample());
    problem.replace(privacy::kTarget, target.sample());
    const Solution again = engine::fit(problem, nullptr, nullptr, values, control);
    check_true("the same fit", again.coefficients == chosen.coefficients);
    const Solution charged = fit(source, target, {{"discrepancy", "3"}});
    check_true("a discrepancy that is given is charged", charged.settings.discrepancy == 3.0);
    const Solution number = fit(source, target, {{"alpha", "0.5"}});
    check_true("a number is charged with its discrepancy", number.settings.discrepancy > 0.0);
}

void a_target_of_one_row_trusts_the_source() {
    const Data source = make_data(100, 1.0, 11);
    const Data target = make_data(1, 1.0, 12);
    check_close("alpha", fit(source, target).settings.alpha, 100.0 / 101.0, 1e-12);
}

/** Stops after some reports of the choice. */
struct Stop : Control {
    explicit Stop(int after) : left(after) {}
    void report(const Progress &progress) override {
        if (std::string(progress.phase.name) != "choose alpha") return;
        in_order = in_order && (progress.limit == 0 || progress.iteration < progress.limit);
        if (left-- == 0) throw Error(DPA_E_CANCELLED, "stopped");
    }
    int left;
    bool in_order = true;
};

void the_choice_reports_and_can_be_stopped() {
    for (const Texts &texts : {Texts{}, Texts{{"loss", "logistic"}},
                               Texts{{"loss", "logistic"}, {"optimizer", "quasi_newton"}}}) {
        const Labels labels = texts.empty() ? Labels::numbers : Labels::signs;
        Stop stop(3);
        bool stopped = false;
        try {
            (void)fit(make_data(100, 1.0, 13, labels), make_data(50, 1.0, 14, labels), texts, stop);
        } catch (const Error &error) {
            stopped = error.status() == DPA_E_CANCELLED;
        }
        check_true("stopped", stopped && stop.in_order);
    }
}

/** The source's rows lie close to its predictor. Those of the target scatter to one side, which is
 *  no reason to give them less weight: the mean of a label is wanted. */
void scattered_labels_keep_their_weight() {
    double adapted = 0.0;
    double alone = 0.0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        Data source = make_data(500, 1.0, 900 + seed);
        for (std::size_t i = 0; i < source.y.size(); ++i) {
            double score = 0.0;
            for (std::size_t j = 0; j < kFeatures; ++j) score += source.x[i * kFeatures + j];
            source.y[i] = score + 0.1 * (source.y[i] - score);
        }
        Data target = make_data(400, 1.0, 950 + seed);
        Random random(70 + seed);
        for (double &y : target.y) y += std::exp(random.normal()) - std::exp(0.5);
        adapted += excess(fit(source, target), 1.0);
        alone += excess(fit(source, target, {{"kappa_1", "1e9"}}, "target_only"), 1.0);
        check_true("given", excess(fit(source, target, {{"kappa_1", "0.01"}}), 1.0) > 0.02);
    }
    check_true("as good as the target's own fit", adapted < 1.2 * alone);
}

/** Counts, whose mean is exponential in the features and grows by e^growth. */
Data make_counts(std::size_t rows, double growth, unsigned seed) {
    constexpr double kSlope = 0.5;
    Data data = make_data(rows, 1.0, seed);
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
        double log_mean = growth;
        for (std::size_t j = 0; j < kFeatures; ++j) log_mean += kSlope * data.x[i * kFeatures + j];
        std::poisson_distribution<int> count(std::exp(std::min(log_mean, 8.0)));
        data.y[i] = count(random);
    }
    return data;
}

double mean_square(const Solution &solution, const Data &data) {
    double sum = 0.0;
    for (std::size_t i = 0; i < data.y.size(); ++i) {
        double residual = data.y[i] - solution.intercept.front();
        for (std::size_t j = 0; j < kFeatures; ++j)
            residual -= solution.coefficients[j] * data.x[i * kFeatures + j];
        sum += residual * residual;
    }
    return sum / static_cast<double>(data.y.size());
}

/** Large counts are no spoilt rows: each bound of what a row may cost is judged by losses that have
 *  that bound. */
void counts_keep_their_weight() {
    double adapted = 0.0;
    double alone = 0.0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Data source = make_counts(2000, 0.0, 1000 + seed);
        const Data target = make_counts(3000, 1.0, 1100 + seed);
        const Data held_out = make_counts(20000, 1.0, 1200 + seed);
        adapted += mean_square(fit(source, target), held_out);
        alone += mean_square(fit(source, target, {{"kappa_1", "1e9"}}, "target_only"), held_out);
    }
    check_true("at most 1.01 of the target's own fit", adapted <= 1.01 * alone);
}

/** Columns that move together, about 5, and labels of the first two. */
Data make_sizes(std::size_t rows, double growth, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        double *row = &data.x[i * kFeatures];
        const double size = 5.0 + random.normal();
        for (std::size_t j = 0; j < kFeatures; ++j) row[j] = size + 0.4 * random.normal();
        data.y[i] = row[0] + 0.5 * row[1] + growth + 0.2 * random.normal();
    }
    return data;
}

/** A zero for a missing size in one of 200 rows does not say how far rows may lie. */
void one_spoilt_row_costs_little() {
    double clean = 0.0;
    double spoilt = 0.0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Data source = make_sizes(4000, 0.0, 1300 + seed);
        const Data held_out = make_sizes(4000, 0.3, 1500 + seed);
        Data target = make_sizes(200, 0.3, 1400 + seed);
        clean += mean_square(fit(source, target), held_out);
        target.x[0] = 0.0;
        spoilt += mean_square(fit(source, target), held_out);
    }
    check_true("at most 1.1 of the error without it", spoilt <= 1.1 * clean);
}

/** Of 1000 rows: a preferred fit that is better but for rows where it is far worse. */
std::optional<std::size_t> chosen_with(std::size_t bad) {
    const std::vector<double> other(1000, 1.01);
    std::vector<double> preferred(1000, 1.0);
    std::fill_n(preferred.begin(), bad, 100.0);
    LeftOutChoice choice;
    choice.add(0.0, 1.01, other);
    choice.add(1.0, 1.0 + 99.0 * static_cast<double>(bad) / 1000.0, preferred);
    return choice();
}

void few_rows_do_not_decide() {
    check_true("none", chosen_with(0) == 1U);
    check_true("a fifth of a percent", chosen_with(2) == 1U);
    check_true("one more", chosen_with(3) == 0U);
    LeftOutChoice beyond_floats;
    beyond_floats.add(0.0, 1.0, {1.0, 1e300});
    beyond_floats.add(1.0, 2.0, {2.0, 1e300});
    check_true("infinite", beyond_floats() == 0U);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(leaving_out_in_closed_form_equals_fits_without_the_row),
        core_test(some_rows_stand_for_all_of_them),
        core_test(rows_that_repeat_are_left_out_together),
        core_test(leaving_out_by_a_newton_step_is_near_fits_without_the_row),
        core_test(a_source_of_opposite_sign_does_no_harm),
        core_test(a_source_of_the_same_law_is_used),
        core_test(a_source_without_signal_does_not_bind_the_target),
        core_test(scattered_labels_keep_their_weight),
        core_test(counts_keep_their_weight),
        core_test(one_spoilt_row_costs_little),
        core_test(few_rows_do_not_decide),
        core_test(other_losses_choose_too),
        core_test(what_is_chosen_can_be_asked_for),
        core_test(a_target_of_one_row_trusts_the_source),
        core_test(the_choice_reports_and_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
