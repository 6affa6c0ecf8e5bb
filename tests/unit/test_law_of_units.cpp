// A fit knows no units: labels c y + e, features D x + b, rows and columns in another order and
// classes under other codes give the transformed fit. Draws are random; the arguments are their
// number and the first.
#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dpadapt/dpadapt.hpp>
#include <numeric>
#include <random>

// It has no guard for C++ of its own.
extern "C" {
#include <cmocka.h>
}

namespace {

using Random = std::mt19937_64;
using Order = std::vector<size_t>;

size_t first = 0;
size_t draws = 300;

double uniform(Random &random, double least, double most) {
    return least + (most - least) * static_cast<double>(random() >> 11U) * 0x1p-53;
}

double normal(Random &random) {
    const double size = std::sqrt(-2.0 * std::log(1.0 - uniform(random, 0.0, 1.0)));
    return size * std::cos(2.0 * M_PI * uniform(random, 0.0, 1.0));
}

Order shuffled(Random &random, size_t count, bool really) {
    Order order(count);
    std::iota(order.begin(), order.end(), 0U);
    for (size_t i = count; really && i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
}

enum class Labels { numbers, rates, amounts, times, signs, classes };
constexpr size_t kClasses = 3;

/** Whether scores are logarithms. */
bool has_log_link(Labels labels) { return labels == Labels::rates || labels == Labels::amounts; }

/** An option; a number is in units of labels^of_labels features^of_features. */
struct Setting {
    const char *name;
    dpa::Options::Value value;
    double of_labels = 0.0;
    double of_features = 0.0;
};

struct Case {
    std::string name;
    Labels labels;
    std::string method;  ///< empty: dpa::solve
    std::vector<Setting> settings;
    bool by_row = false;     ///< a public seed draws something by the place of rows
    bool by_column = false;  ///< or by that of columns and classes, or noise is drawn so
    bool raw = false;        ///< preprocess = none: labels and features have one unit each
    bool slow = false;
    bool exact = false;  ///< units are powers of 2, so that nothing is rounded otherwise
    double law = 1e-6;   ///< what a deviation may be

    void make_exact() {
        exact = by_row = by_column = true;
        law = 1e-12;
    }
};

struct Sample {
    size_t columns;
    std::vector<double> x, y;
    [[nodiscard]] dpa::Rows rows() const { return {x, columns}; }
};

/** Columns are numbers that depend on each other, and the last one tells a rare level. */
Sample draw_sample(Random &random, Labels labels, size_t rows, size_t columns, double shift) {
    Sample sample{columns, {}, {}};
    for (size_t i = 0; i < rows; ++i) {
        double score = shift;
        double last = normal(random);
        for (size_t j = 0; j < columns; ++j) {
            last = 0.4 * last + normal(random) + 0.3 * shift;
            const double value = j > 0 && j + 1 == columns ? (i % 5 == 0 ? 1.0 : 0.0) : last;
            sample.x.push_back(value);
            score += value * (j % 2 == 0 ? 1.0 : -0.6) * (1.0 + 0.3 * shift);
        }
        score += 0.7 * normal(random);
        if (has_log_link(labels)) score = std::exp(0.5 * score + 1.0);
        if (labels == Labels::rates) score = std::floor(score);
        if (labels == Labels::times) score = (score < -0.5 ? -1.0 : 1.0) * std::exp(-0.5 * score);
        if (labels == Labels::signs) score = score < 0.3 ? -1.0 : 1.0;
        if (labels == Labels::classes) score = score < -0.7 ? 0.0 : score < 0.9 ? 1.0 : 2.0;
        sample.y.push_back(score);
    }
    return sample;
}

struct Change {
    double factor = 1.0;  ///< of numbers; -1 exchanges signs
    double offset = 0.0;
    double rate = 1.0;  ///< factor of rates, whose scores are logarithms, and of times
    std::vector<double> scale, shift;  ///< of columns
    Order columns, codes;

    [[nodiscard]] double label(Labels labels, double y) const {
        if (labels == Labels::classes) return static_cast<double>(codes[static_cast<size_t>(y)]);
        if (has_log_link(labels) || labels == Labels::times) return rate * y;
        return factor * y + offset;
    }
    [[nodiscard]] Sample operator()(Labels labels, const Sample &from, const Order &rows) const {
        Sample to{from.columns, {}, {}};
        for (const size_t i : rows) {
            for (const size_t j : columns)
                to.x.push_back(scale[j] * from.x[i * from.columns + j] + shift[j]);
            to.y.push_back(label(labels, from.y[i]));
        }
        return to;
    }
};

Change draw_change(Random &random, const Case &of, size_t columns, bool intercept) {
    const auto unit = [&] {
        return of.exact ? std::exp2(std::floor(uniform(random, -30.0, 30.0)))
                        : std::pow(10.0, uniform(random, -9.0, 9.0));
    };
    Change change;
    const double uniform_unit = intercept ? 1.0 : unit();
    for (size_t j = 0; j < columns; ++j) {
        const bool turned = !of.by_column && random() % 2 == 0;
        change.scale.push_back(of.raw ? uniform_unit : (turned ? -1.0 : 1.0) * unit());
        const bool moves = intercept && !of.raw && !of.exact;
        const double moved = moves ? uniform(random, -3.0, 3.0) : 0.0;
        change.shift.push_back(change.scale.back() * moved);
    }
    change.columns = shuffled(random, columns, !of.by_column);
    change.codes = shuffled(random, kClasses, !of.by_column);
    if (of.labels == Labels::signs && !of.by_column && random() % 2 == 0) change.factor = -1.0;
    if (has_log_link(of.labels) && intercept && !of.raw) {
        change.rate = unit();
        change.offset = std::log(change.rate);
    }
    if (of.labels == Labels::times && !of.raw) change.rate = unit();
    if (of.labels != Labels::numbers) return change;
    change.factor = unit();
    if (intercept && !of.raw && !of.exact)
        change.offset = change.factor * uniform(random, -5.0, 5.0);
    return change;
}

dpa::Options options_of(const Case &of, bool intercept, const Change *change) {
    dpa::Options options;
    for (const Setting &setting : of.settings) {
        const double *number = std::get_if<double>(&setting.value);
        if (number == nullptr || change == nullptr) {
            options.set(setting.name, setting.value);
            continue;
        }
        const bool rates = has_log_link(of.labels);
        const bool counts = rates || of.labels == Labels::numbers;
        const double labels = counts ? setting.of_labels : 0.0;
        options.set(setting.name, *number *
                                      std::pow(rates ? change->rate : change->factor, labels) *
                                      std::pow(change->scale.front(), setting.of_features));
    }
    options.set("intercept", intercept);
    return options;
}

/** Column after column: those of each class. */
std::vector<double> scores(const Case &of, const dpa::Options &options, const Sample &source,
                           const Sample &target, const Sample &asked) {
    dpa::Problem problem;
    problem.lend_source(source.rows(), source.y);
    problem.lend_target(target.rows(), target.y);
    const dpa::Solution fit = of.method.empty() ? dpa::solve(problem, options)
                                                : dpa::baseline(problem, of.method, options);
    return fit.scores(asked.rows());
}

/** The largest deviation from the law, in units of the scores. */
double violation(const Case &of, uint64_t seed, size_t most_rows) {
    constexpr size_t kAsked = 20;
    constexpr size_t kAllRows = 5000;  // of more of them some are left out in turn, by their place
    Random random(seed);
    const bool intercept = !of.raw || random() % 2 == 0;
    const size_t columns = 1 + random() % 4;
    const auto count = [&] {
        return static_cast<size_t>(
            30.0 * std::pow(static_cast<double>(most_rows) / 30.0, uniform(random, 0.0, 1.0)));
    };
    const size_t m = count();
    const size_t n = count();
    const Sample source = draw_sample(random, of.labels, m, columns, 0.0);
    const Sample target = draw_sample(random, of.labels, n, columns, uniform(random, 0.0, 1.0));
    const Sample asked = draw_sample(random, of.labels, kAsked, columns, 0.0);
    const Change change = draw_change(random, of, columns, intercept);
    const auto rows = [&](size_t of_sample) {
        return shuffled(random, of_sample, !of.by_row && of_sample <= kAllRows);
    };
    const auto plain = scores(of, options_of(of, intercept, nullptr), source, target, asked);
    const auto changed =
        scores(of, options_of(of, intercept, &change), change(of.labels, source, rows(m)),
               change(of.labels, target, rows(n)),
               change(of.labels, asked, shuffled(random, kAsked, false)));
    double away = 0.0;
    double size = of.labels == Labels::numbers ? 1.0 : 0.0;  // labels deviate by about that
    for (size_t i = 0; i < plain.size(); ++i) {
        const size_t k = i / kAsked;
        const size_t place = plain.size() == kAsked ? i : change.codes[k] * kAsked + i % kAsked;
        const double back = (changed[place] - change.offset) / change.factor;
        away = std::max(away, std::abs(back - plain[i]));
        size = std::max(size, std::abs(plain[i]));
    }
    return away > 0.0 ? away / size : away;
}

struct Loss {
    const char *name;
    Labels labels;
    const char *output = nullptr;
    Setting scale{"threads", 1.0};  ///< with which no public sample is needed
};

const Loss kLosses[] = {
    {"squared", Labels::numbers},
    {"huber", Labels::numbers, nullptr, {"huber_threshold", 1.0, 1.0}},
    {"pinball", Labels::numbers, nullptr, {"quantile_smoothing", 0.2, 1.0}},
    {"poisson", Labels::rates, nullptr, {"typical_label", 1.0, 1.0}},
    {"logistic", Labels::signs},
    {"softmax", Labels::classes, nullptr, {"classes", 3.0}},
    {"perceptron", Labels::numbers, "squared"},
    {"perceptron", Labels::signs, "logistic"},
    {"perceptron", Labels::classes, "softmax"},
    {"gamma", Labels::amounts, nullptr, {"typical_label", 1.0, 1.0}},
    {"survival", Labels::times},
};

std::vector<Case> all_cases() {
    constexpr double kSeeded = 1e-3;          // see docs/methods.md, Units
    constexpr double kFollowsRounding = 0.3;  // minimizers that stop far from where all arrive
    std::vector<Case> cases;
    for (const Loss &loss : kLosses) {
        const auto add = [&](const std::string &domain, const std::string &method,
                             std::vector<Setting> settings) {
            Case one{std::string(loss.name) + (loss.output != nullptr ? loss.output : "") + " " +
                         domain + " " + method,
                     loss.labels, method, std::move(settings)};
            for (const Setting &setting : one.settings) one.name += std::string(" ") + setting.name;
            one.settings.push_back({"loss", std::string(loss.name)});
            one.settings.push_back({"private_domain", domain});
            if (one.name.starts_with("pinball")) one.settings.push_back({"quantile_level", 0.9});
            if (loss.output != nullptr) {
                one.settings.push_back({"perceptron_output", std::string(loss.output)});
                one.settings.push_back({"hidden_units", std::string("3")});
            }
            if (domain != "none") {
                one.settings.push_back({"epsilon", 2.0});
                one.settings.push_back({"delta", 1e-5});
                one.settings.push_back({"unsafe_seed", 7.0});
            }
            one.slow = loss.output != nullptr || !method.empty();
            const bool network = loss.output != nullptr;
            one.by_row = network || loss.labels == Labels::classes || method == "noisy_sgd" ||
                         one.name.ends_with("method");
            one.by_column = network || domain != "none" || method == "kliep" || method == "ulsif" ||
                            method == "rulsif";
            one.raw = domain == "both";
            // Nothing public tells the unit of a network's scores there.
            if (one.raw && network && loss.labels == Labels::numbers) return;
            if (domain != "none") one.law = kSeeded;
            if (network || method.ends_with("dm")) one.law = kFollowsRounding;
            cases.push_back(std::move(one));
        };
        const Setting half{"alpha", 0.5};
        const std::vector<Setting> bounds{{"feature_radius", std::string("quantile")},
                                          {"label_bound", std::string("quantile")}};
        for (const char *domain : {"none", "target", "source"}) {
            add(domain, "", {});
            add(domain, "", {half});
            add(domain, "", {{"method", std::string("paper")}});
            add(domain, "", {half, {"preprocess", std::string("whiten")}});
            add(domain, "", {half, {"discrepancy", 0.0}, {"form", std::string("general")}});
            for (size_t i = 0; dpa_baseline_text(i, "name") != nullptr; ++i)
                add(domain, dpa_baseline_text(i, "name"), {});
        }
        std::vector<Setting> given{{"preprocess", std::string("none")},
                                   {"feature_radius", 3.0, 0.0, 1.0},
                                   {"label_bound", 4.0, 1.0},
                                   {"radius", 5.0, 1.0, -1.0},
                                   {"clip_bound", 2.0, 1.0},
                                   loss.scale};
        if (std::string(loss.name) == "squared") given.push_back({"kappa_1", 2.0, 2.0});
        add("both", "", given);
        given.push_back(half);
        given.push_back({"discrepancy", 0.0});
        add("both", "", given);
    }
    return cases;
}

/** Without those that the library refuses. */
std::vector<Case> possible_cases() {
    std::vector<Case> cases;
    for (Case &one : all_cases()) {
        try {
            violation(one, 1, 40);
            cases.push_back(std::move(one));
        } catch (const dpa::Error &error) {
            if (error.status() != DPA_E_OPTION && error.status() != DPA_E_UNSUPPORTED)
                fail_msg("%s: %s", one.name.c_str(), error.what());
        }
    }
    return cases;
}

void fits_know_no_units(void **) {
    constexpr uint64_t kSeed = 1000;
    constexpr size_t kFew = 300;
    constexpr size_t kLeastCases = 150;  // that the library takes
    const std::vector<Case> cases = possible_cases();
    assert_true(cases.size() >= kLeastCases);
    size_t failed = 0;
    for (size_t draw = first; draw < first + draws; ++draw) {
        Case one = cases[draw % cases.size()];
        const size_t most = one.slow ? 150 : draw % 50 == 0 ? 100000 : 1500;
        for (const bool exact : {false, true}) {
            if (exact) one.make_exact();
            const double away = violation(one, kSeed + draw, exact ? std::min(most, kFew) : most);
            if (away <= one.law) continue;
            ++failed;
            printf("draw %zu%s, %s: %g\n", draw, exact ? " exact" : "", one.name.c_str(), away);
        }
    }
    assert_int_equal(failed, 0);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 2) first = std::strtoull(argv[2], nullptr, 10);
    if (argc > 1) draws = std::strtoull(argv[1], nullptr, 10);
    const CMUnitTest tests[] = {cmocka_unit_test(fits_know_no_units)};
    return cmocka_run_group_tests_name("law of units", tests, nullptr, nullptr);
}
