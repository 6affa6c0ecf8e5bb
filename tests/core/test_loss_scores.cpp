// What the losses have to do with one another, and what they predict.
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "loss/poisson.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"
#include "loss/survival.hpp"

using namespace dpadapt::loss;

namespace {

struct Values {
    std::vector<double> loss;
    std::vector<double> slope;
    std::vector<double> curvature;  ///< along (1, 0, ...)
};

Values values_at(const ScoreLoss &loss, const std::vector<double> &score,
                 const std::vector<double> &label) {
    const std::size_t n = label.size();
    Values values{std::vector<double>(n), std::vector<double>(score.size()),
                  std::vector<double>(score.size())};
    std::vector<double> direction(score.size(), 0.0);
    std::fill_n(direction.begin(), n, 1.0);
    loss.slopes(n, score.data(), label.data(), values.loss.data(), values.slope.data());
    loss.curvatures(n, score.data(), label.data(), direction.data(), values.curvature.data());
    return values;
}

/** Scores s for class 1, against 0 for class 0: relative accuracy, at any size. */
void logistic_is_softmax_with_two_classes() {
    std::vector<double> one;
    for (double s = -900.0; s <= 900.0; s += 0.37) one.push_back(s);
    const std::size_t n = one.size();
    std::vector<double> both(n, 0.0);
    both.insert(both.end(), one.begin(), one.end());
    for (const double y : {-1.0, 1.0}) {
        const Values logistic = values_at(Logistic(), one, std::vector<double>(n, y));
        const Values softmax =
            values_at(Softmax(2), both, std::vector<double>(n, y > 0 ? 1.0 : 0.0));
        for (std::size_t i = 0; i < n; ++i) {
            check_close("loss", softmax.loss[i], logistic.loss[i], 1e-15);
            check_close("slope of class 1", softmax.slope[n + i], logistic.slope[i], 1e-15);
            check_true("slopes sum to zero",
                       std::abs(softmax.slope[i] + softmax.slope[n + i]) <= 3e-16);
            check_true("curvature",
                       std::abs(softmax.curvature[i] - logistic.curvature[i]) <= 1e-15);
        }
    }
    std::vector<double> p(n);
    std::vector<double> of_classes(2 * n);
    Logistic().probabilities(n, one.data(), p.data());
    Softmax(2).probabilities(n, both.data(), of_classes.data());
    for (std::size_t i = 0; i < n; ++i) check_close("probability", of_classes[n + i], p[i], 1e-15);
}

/** Adding a number to all scores of a record, or renaming the classes, changes nothing. */
void softmax_is_invariant() {
    constexpr std::size_t kRows = 150;
    constexpr std::size_t kClasses = 4;
    const Softmax softmax(kClasses);
    Random random(31);
    std::vector<double> score(kRows * kClasses);
    std::vector<double> shifted(score.size());
    std::vector<double> renamed(score.size());
    std::vector<double> label(kRows);
    std::vector<double> other(kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
        const double shift = std::ldexp(std::round(8 * random.normal()), 6);
        label[i] = std::floor(kClasses * random.uniform());
        other[i] = std::fmod(label[i] + 1.0, kClasses);
        for (std::size_t k = 0; k < kClasses; ++k) {
            const double value = std::round(1e4 * random.normal()) / 1024.0;
            score[k * kRows + i] = value;
            shifted[k * kRows + i] = value + shift;  // exact
            renamed[(k + 1) % kClasses * kRows + i] = value;
        }
    }
    const Values values = values_at(softmax, score, label);
    const Values moved = values_at(softmax, shifted, label);
    const Values cycled = values_at(softmax, renamed, other);
    check_true("loss after a shift", values.loss == moved.loss);
    check_true("slope after a shift", values.slope == moved.slope);
    check_true("curvature after a shift", values.curvature == moved.curvature);
    for (std::size_t i = 0; i < kRows; ++i) {
        check_close("loss of renamed classes", cycled.loss[i], values.loss[i], 1e-15);
        for (std::size_t k = 0; k < kClasses; ++k)
            check_close("slope of renamed classes", cycled.slope[(k + 1) % kClasses * kRows + i],
                        values.slope[k * kRows + i], 2e-15);
    }
}

void huber_is_squared_below_its_threshold_and_linear_beyond() {
    const std::vector<double> score{-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 1.5, 1000.0};
    const std::vector<double> label(score.size(), 0.0);
    const Values wide = values_at(Huber(1e9), score, label);
    const Values squared = values_at(Squared(), score, label);
    check_true("loss", wide.loss == squared.loss);
    check_true("slope", wide.slope == squared.slope);
    check_true("curvature", wide.curvature == squared.curvature);
    const Values narrow = values_at(Huber(1.0), score, label);
    check_true("loss", narrow.loss == std::vector<double>{5, 1, 0.0625, 0, 0.25, 1, 2, 1999});
    check_true("slope", narrow.slope == std::vector<double>{-2, -2, -0.5, 0, 1, 2, 2, 2});
    check_true("curvature", narrow.curvature == std::vector<double>{0, 2, 2, 2, 2, 2, 0, 0});
}

/** The loss of a quantile, a (y - s) below and (1 - a) (s - y) above, meaned over shifts of the
 *  label by at most h: the same beyond h, and within it never smaller. */
void pinball_is_the_loss_of_a_quantile() {
    const std::vector<double> score{-40.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 40.0};
    const std::vector<double> label(score.size(), 0.0);
    constexpr int kShifts = 1 << 16;
    for (const double level : {0.1, 0.5, 0.9}) {
        const Values found = values_at(Pinball(level, 1.0), score, label);
        for (std::size_t i = 0; i < score.size(); ++i) {
            double mean = 0.0;
            double below = 0.0;
            for (int k = 0; k < kShifts; ++k) {
                const double y = (2.0 * k + 1.0) / kShifts - 1.0;
                mean += std::max(level * (y - score[i]), (1.0 - level) * (score[i] - y)) / kShifts;
                below += (y < score[i] ? 1.0 : 0.0) / kShifts;
            }
            check_close("loss", found.loss[i], mean, 1e-8);
            check_true("slope", std::abs(found.slope[i] - (below - level)) < 1e-4);
        }
    }
}

/** Two levels that add up to 1 are the same loss for labels of the other sign. */
void opposite_levels_mirror_each_other() {
    const std::vector<double> score{-40.0, -3.0, -0.5, 0.0, 0.25, 1.0, 7.0};
    const std::vector<double> label{1.0, -2.0, 0.0, 0.0, 1.0, 3.0, 7.5};
    std::vector<double> other_score(score);
    std::vector<double> other_label(label);
    for (double &s : other_score) s = -s;
    for (double &y : other_label) y = -y;
    const Values one = values_at(Pinball(0.75, 0.5), score, label);
    const Values other = values_at(Pinball(0.25, 0.5), other_score, other_label);
    check_true("loss", one.loss == other.loss);
    check_true("curvature", one.curvature == other.curvature);
    for (std::size_t i = 0; i < score.size(); ++i)
        check_true("slope", one.slope[i] == -other.slope[i]);
}

/** However rare they are, the records of the larger slope are not cut. */
void clips_keep_the_larger_slope() {
    check_true("of others", Squared().kept_slope() == 0.0 && Huber(1.0).kept_slope() == 0.0);
    for (const double level : {0.125, 0.5, 0.875}) {
        const Pinball pinball(level, 1.0);
        const Values ends = values_at(pinball, {-50.0, 50.0}, {0.0, 0.0});
        check_true("of quantiles", pinball.kept_slope() == std::max(-ends.slope[0], ends.slope[1]));
    }
}

/** Half the deviance of a rate that is the exponential of the score, up to 16 typical labels. */
void poisson_is_half_the_deviance() {
    const double typical = 0.75;
    std::vector<double> score;
    std::vector<double> label;
    for (double s = -30.0; s < 2.48; s += 0.37)
        for (const double y : {0.0, 1e-200, 0.5, 1.0, 3.0, 11.9}) {
            score.push_back(s);
            label.push_back(y);
        }
    const Poisson poisson(typical);
    const Values found = values_at(poisson, score, label);
    std::vector<double> rates(score.size());
    poisson.predict(score.size(), score.data(), rates.data());
    for (std::size_t i = 0; i < score.size(); ++i) {
        const long double y = label[i];
        const long double rate = std::exp(static_cast<long double>(score[i]));
        const long double own = y > 0 ? y * (std::log(y) - score[i]) : 0.0L;
        check_close("rate", rates[i], static_cast<double>(rate), 1e-14);
        check_true("loss", std::abs(found.loss[i] - static_cast<double>(rate - y + own)) <=
                               1e-14 * static_cast<double>(1.0L + rate + std::abs(own)));
        check_true("slope", std::abs(found.slope[i] - static_cast<double>(rate - y)) <= 1e-13);
        check_close("curvature", found.curvature[i], static_cast<double>(rate), 1e-14);
    }
}

/** Beyond that the rate is straight, and a label there has its own best score. */
void poisson_is_straight_at_its_end() {
    const double end = std::log(12.0);
    const std::vector<double> score{end, end + 0.5, end + 1.0, end + 9.0, end + 4.0};
    const std::vector<double> label{12.0, 18.0, 6.0, 0.0, 60.0};
    const Poisson poisson(0.75);
    const Values found = values_at(poisson, score, label);
    std::vector<double> rates(score.size());
    poisson.predict(score.size(), score.data(), rates.data());
    const double expected[] = {12.0, 18.0, 24.0, 120.0, 60.0};
    for (std::size_t i = 0; i < score.size(); ++i) {
        check_close("rate", rates[i], expected[i], 1e-14);
        check_true("slope", std::abs(found.slope[i] - (expected[i] - label[i])) <= 1e-12);
        check_close("curvature", found.curvature[i], 12.0, 1e-14);
        if (expected[i] == label[i]) check_true("no loss", found.loss[i] <= 1e-13);
    }
    check_close("loss of no event", found.loss[3], 12.0 * (1.0 + 9.0 + 40.5), 1e-14);
    check_close("loss", found.loss[2], 24.0 + 6.0 - 6.0 - 6.0 * (1.0 + std::log(2.0)), 1e-14);
}

/** Half the deviance, as far as the label is at most 16 rates; the unit moves scores alone. */
void gamma_is_half_the_deviance() {
    std::vector<double> score;
    std::vector<double> label;
    std::vector<double> in_units;
    const double unit = 0.75;
    for (double s = -2.7; s < 30.0; s += 0.37)
        for (const double y : {1e-200, 1e-3, 0.5, 1.0}) {
            score.push_back(s);
            label.push_back(y);
            in_units.push_back(unit * y);
        }
    const Values found = values_at(Gamma(), score, label);
    const Values others = values_at(Gamma(unit), score, in_units);
    std::vector<double> rates(score.size());
    Gamma(unit).predict(score.size(), score.data(), rates.data());
    for (std::size_t i = 0; i < score.size(); ++i) {
        const long double ratio = label[i] * std::exp(-static_cast<long double>(score[i]));
        const auto loss = static_cast<double>(ratio - 1.0L - std::log(ratio));
        check_true("loss", std::abs(found.loss[i] - loss) <= 1e-14 * (1.0 + std::abs(loss)));
        check_true("loss in units",
                   std::abs(others.loss[i] - loss) <= 1e-14 * (1.0 + std::abs(loss)));
        check_true("slope", std::abs(found.slope[i] - static_cast<double>(1.0L - ratio)) <= 1e-13);
        check_true("curvature", std::abs(found.curvature[i] - static_cast<double>(ratio)) <= 1e-13);
        check_close("rate", rates[i], std::exp(score[i]), 1e-14);
    }
}

/** Beyond that it is a parabola; labels that no number of units tells apart are one. */
void gamma_is_straight_from_its_ratio() {
    const double end = std::log(16.0);
    const std::vector<double> score{0.0, 0.0, -end - 1.0, 0.0, 0.0};
    const std::vector<double> label{16.0, 16.0 * std::exp(1.0), std::exp(1.0), 1e-300, 1e-320};
    const Values found = values_at(Gamma(), score, label);
    const double slope[] = {-15.0, -31.0, -47.0, 1.0, 1.0};
    for (std::size_t i = 0; i < score.size(); ++i) {
        check_true("slope", std::abs(found.slope[i] - slope[i]) <= 1e-12);
        check_true("curvature", std::abs(found.curvature[i] - (i < 3 ? 16.0 : 0.0)) <= 1e-12);
    }
    check_close("loss at the end", found.loss[0], 15.0 - end, 1e-14);
    check_close("loss beyond", found.loss[2], 16.0 * (1.0 + 2.0 + 2.0) - 1.0 - (end + 2.0), 1e-14);
    check_close("loss of little", found.loss[3], 300.0 * std::log(10.0) - 1.0, 1e-14);
    check_true("of less", found.loss[4] == found.loss[3]);
}

/** Up to 16 expected events: minus the log likelihood of proportional hazards, less its least. */
void survival_is_the_likelihood_of_hazards() {
    const CumulativeHazard baseline{{0.5, 2.0}, {0.4, 1.6}};
    const Survival survival(baseline);
    check_close("between", baseline.at(1.25), 1.0, 1e-15);
    check_close("in the first piece", baseline.at(0.25), 0.2, 1e-15);
    std::vector<double> score;
    std::vector<double> label;
    for (double s = -20.0; s < 2.2; s += 0.31)
        for (const double time : {1e-3, 0.3, 0.5, 1.1, 2.0, 7.0})
            for (const double sign : {1.0, -1.0}) {
                score.push_back(s);
                label.push_back(sign * time);
            }
    const Values found = values_at(survival, score, label);
    std::vector<double> hazards(score.size());
    survival.predict(score.size(), score.data(), hazards.data());
    for (std::size_t i = 0; i < score.size(); ++i) {
        const double time = std::abs(label[i]);
        const double event = label[i] > 0.0 && time <= 2.0 ? 1.0 : 0.0;  // later ones are not seen
        const double expected = baseline.at(time) * std::exp(score[i]);
        const double loss = expected - event * (1.0 + std::log(expected));
        check_close("hazard", hazards[i], std::exp(score[i]), 1e-14);
        check_true("loss", std::abs(found.loss[i] - loss) <= 1e-14 * (2.0 + std::abs(loss)));
        check_true("slope", std::abs(found.slope[i] - (expected - event)) <= 1e-13);
        check_close("curvature", found.curvature[i], expected, 1e-13);
    }
}

template <typename Action>
void check_throws(const std::string &what, dpa_status status, const Action &action) {
    try {
        action();
        check_true(what + " is refused", false);
    } catch (const dpadapt::Error &error) {
        check_true(what, error.status() == status);
    }
}

void predictions() {
    const std::vector<double> score{-2.0, 0.0, 3.0};
    std::vector<double> out(3);
    Squared().predict(3, score.data(), out.data());
    check_true("numbers", out == score);
    Logistic().predict(3, score.data(), out.data());
    check_true("signs", out == std::vector<double>{-1, 1, 1});
    const std::vector<double> of_classes{1.0, 5.0, 2.0, 1.0, 4.0, 9.0};  // two records
    Softmax(3).predict(2, of_classes.data(), out.data());
    check_true("classes", out[0] == 2.0 && out[1] == 2.0);
    const std::vector<double> ties{1.0, 2.0, 1.0, 2.0};
    Softmax(2).predict(2, ties.data(), out.data());
    check_true("the first of several", out[0] == 0.0 && out[1] == 0.0);
    std::vector<double> p(6);
    Softmax(3).probabilities(2, of_classes.data(), p.data());
    check_close("they sum to one", p[0] + p[2] + p[4], 1.0, 1e-15);
    check_close("their ratios", p[4] / p[0], std::exp(3.0), 1e-14);
    check_throws("probabilities of numbers", DPA_E_UNSUPPORTED,
                 [&] { Huber(1.0).probabilities(3, score.data(), out.data()); });
}

void settings_are_checked() {
    for (const double h : {0.0, -1.0, HUGE_VAL, std::nan("")})
        check_throws("threshold", DPA_E_OPTION, [&] { const Huber huber(h); });
    for (const double h : {0.0, -1.0, HUGE_VAL, std::nan("")})
        check_throws("smoothing", DPA_E_OPTION, [&] { const Pinball pinball(0.5, h); });
    for (const double level : {0.0, 1.0, -0.1, std::nan("")})
        check_throws("level", DPA_E_OPTION, [&] { const Pinball pinball(level, 1.0); });
    for (const double typical : {0.0, -1.0, HUGE_VAL, std::nan("")})
        check_throws("typical label", DPA_E_OPTION, [&] { const Poisson poisson(typical); });
    for (const std::size_t classes : {0U, 1U})
        check_throws("classes", DPA_E_OPTION, [&] { const Softmax softmax(classes); });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(logistic_is_softmax_with_two_classes),
        core_test(softmax_is_invariant),
        core_test(huber_is_squared_below_its_threshold_and_linear_beyond),
        core_test(pinball_is_the_loss_of_a_quantile),
        core_test(opposite_levels_mirror_each_other),
        core_test(clips_keep_the_larger_slope),
        core_test(poisson_is_half_the_deviance),
        core_test(poisson_is_straight_at_its_end),
        core_test(gamma_is_half_the_deviance),
        core_test(gamma_is_straight_from_its_ratio),
        core_test(survival_is_the_likelihood_of_hazards),
        core_test(predictions),
        core_test(settings_are_checked),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
