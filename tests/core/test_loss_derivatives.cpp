// Gradients and curvatures of every loss against differences of its values, and closed forms where
// the scores are extreme.
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core.hpp"
#include "loss/perceptron.hpp"
#include "loss/poisson.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"
#include "loss/survival.hpp"

using namespace dpadapt::loss;

namespace {

constexpr double kThreshold = 1.5;

std::unique_ptr<Loss> perceptron(std::vector<std::size_t> hidden,
                                 std::unique_ptr<const ScoreLoss> output) {
    return std::make_unique<Perceptron>(std::move(hidden), std::move(output));
}

std::vector<std::unique_ptr<Loss>> every_loss() {
    std::vector<std::unique_ptr<Loss>> losses;
    losses.push_back(std::make_unique<Squared>());
    losses.push_back(std::make_unique<Huber>(kThreshold));
    losses.push_back(std::make_unique<Pinball>(0.9, kThreshold));
    losses.push_back(std::make_unique<Poisson>(0.3));  // some scores lie beyond its link's end
    losses.push_back(std::make_unique<Gamma>(0.3));
    losses.push_back(std::make_unique<Survival>(CumulativeHazard{{0.5, 2.0}, {0.4, 9.0}}));
    losses.push_back(std::make_unique<Logistic>());
    losses.push_back(std::make_unique<Softmax>(2));
    losses.push_back(std::make_unique<Softmax>(5));
    losses.push_back(perceptron({}, std::make_unique<Softmax>(3)));
    losses.push_back(perceptron({3}, std::make_unique<Squared>()));
    losses.push_back(perceptron({4}, std::make_unique<Logistic>()));
    losses.push_back(perceptron({1}, std::make_unique<Huber>(kThreshold)));
    losses.push_back(perceptron({4, 3}, std::make_unique<Softmax>(4)));
    return losses;
}

double random_label(const Loss &loss, Random &random) {
    const ScoreLoss &output = *loss.output();
    if (dynamic_cast<const Softmax *>(&output) != nullptr)
        return std::floor(random.uniform() * static_cast<double>(output.outputs()));
    if (dynamic_cast<const Logistic *>(&output) != nullptr)
        return random.uniform() < 0.5 ? -1.0 : 1.0;
    if (dynamic_cast<const Poisson *>(&output) != nullptr)
        return std::floor(20.0 * random.uniform() * random.uniform());
    if (dynamic_cast<const Gamma *>(&output) != nullptr) return std::exp(2.0 * random.normal());
    return random.normal();
}

/** Records and parameters at random. */
struct Instance {
    Instance(const Loss &loss, std::size_t n, std::size_t d, double size, Random &random)
        : rows(n), features(d), x(n * d), label(n), theta(loss.parameters(d)) {
        for (double &value : x) value = random.normal();
        for (double &value : label) value = random_label(loss, random);
        for (double &value : theta) value = size * random.normal();
    }
    [[nodiscard]] Block block() const { return {rows, features, x.data(), label.data()}; }
    [[nodiscard]] Block record(std::size_t i) const {
        return {1, features, x.data() + i * features, label.data() + i};
    }

    std::size_t rows;
    std::size_t features;
    std::vector<double> x;
    std::vector<double> label;
    std::vector<double> theta;
};

/** Derivative at 0 by central differences with one step of Richardson's extrapolation. */
double derivative(const std::function<double(double)> &f) {
    constexpr double kStep = 2e-3;
    const auto central = [&](double h) { return (f(h) - f(-h)) / (2 * h); };
    return (4 * central(kStep / 2) - central(kStep)) / 3;
}

double loss_at(const Loss &loss, const Block &record, std::vector<double> theta, std::size_t j,
               double step) {
    theta[j] += step;
    double value = 0.0;
    loss.evaluate(record, theta, {&value, 1}, {});
    return value;
}

/** Where the slope has a kink, near enough to spoil differences. */
bool near_a_kink(const ScoreLoss &loss, double score, double label) {
    const bool kinks = dynamic_cast<const Huber *>(&loss) != nullptr ||
                       dynamic_cast<const Pinball *>(&loss) != nullptr;
    return kinks && std::abs(std::abs(score - label) - kThreshold) < 0.05;
}

bool near_a_kink(const Loss &loss, const Block &record, const std::vector<double> &theta) {
    std::vector<double> score(loss.output()->outputs());
    loss.scores(record, theta, score);
    return near_a_kink(*loss.output(), score[0], *record.label);
}

void gradients_are_those_of_the_values() {
    Random random(11);
    for (const auto &loss : every_loss())
        for (const double size : {0.1, 1.0, 3.0}) {
            const Instance instance(*loss, 20, 3, size, random);
            std::vector<double> value(20);
            std::vector<double> gradient(20 * instance.theta.size());
            loss->evaluate(instance.block(), instance.theta, value, gradient);
            for (std::size_t i = 0; i < 20; ++i) {
                const Block record = instance.record(i);
                if (near_a_kink(*loss, record, instance.theta)) continue;
                for (std::size_t j = 0; j < instance.theta.size(); ++j) {
                    const double slope = derivative([&](double step) {
                        return loss_at(*loss, record, instance.theta, j, step);
                    });
                    const double found = gradient[i * instance.theta.size() + j];
                    check_true("gradient " + std::to_string(found) + " " + std::to_string(slope),
                               std::abs(found - slope) <= 2e-9 * (1 + value[i]));
                }
            }
        }
}

void curvatures_are_those_of_the_slopes() {
    Random random(12);
    for (const auto &any : every_loss()) {
        const ScoreLoss &loss = *any->output();
        const std::size_t k = loss.outputs();
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<double> score(k);
            std::vector<double> direction(k);
            for (double &value : score) value = 4 * random.normal();
            for (double &value : direction) value = random.normal();
            const double label = random_label(loss, random);
            if (near_a_kink(loss, score[0], label)) continue;
            std::vector<double> out(k);
            loss.curvatures(1, score.data(), &label, direction.data(), out.data());
            for (std::size_t j = 0; j < k; ++j) {
                const double expected = derivative([&](double step) {
                    std::vector<double> moved(k);
                    std::vector<double> slope(k);
                    double value = 0.0;
                    for (std::size_t c = 0; c < k; ++c) moved[c] = score[c] + step * direction[c];
                    loss.slopes(1, moved.data(), &label, &value, slope.data());
                    return slope[j];
                });
                check_true("curvature", std::abs(out[j] - expected) <= 1e-9);
            }
        }
    }
}

struct Values {
    double loss;
    double slope;
    double curvature;
};

Values values_at(const ScoreLoss &loss, double score, double label) {
    Values values{};
    const double one = 1.0;
    loss.slopes(1, &score, &label, &values.loss, &values.slope);
    loss.curvatures(1, &score, &label, &one, &values.curvature);
    return values;
}

void check_values(const std::string &what, const Values &found, long double loss, long double slope,
                  long double curvature) {
    check_close(what + ": loss", found.loss, static_cast<double>(loss), 6e-16);
    check_close(what + ": slope", found.slope, static_cast<double>(slope), 6e-16);
    check_close(what + ": curvature", found.curvature, static_cast<double>(curvature), 2e-15);
}

void extreme_scores_keep_their_relative_accuracy() {
    for (const double margin : {-1e300, -800.0, -700.0, -40.0, -1e-3, -1e-300, 0.0, 1e-300, 1e-9,
                                3.0, 40.0, 700.0, 800.0, 1e300}) {
        const long double u = std::exp(-std::abs(static_cast<long double>(margin)));
        const long double value = (margin > 0 ? margin : 0.0L) + std::log1p(u);
        const long double p = (margin > 0 ? 1.0L : u) / (1.0L + u);
        const long double curvature = u / ((1.0L + u) * (1.0L + u));
        check_values("logistic +1", values_at(Logistic(), -margin, 1.0), value, -p, curvature);
        check_values("logistic -1", values_at(Logistic(), margin, -1.0), value, p, curvature);
    }
    check_values("squared", values_at(Squared(), 1e8, -1e150), 1e300L, 2e150L, 2.0L);
    const Huber huber(2.0);
    check_values("huber", values_at(huber, 0.0, 1e300), 4e300L, -4.0L, 0.0L);
    check_values("huber", values_at(huber, -1e300, 1e300), 8e300L, -4.0L, 0.0L);
    check_values("huber", values_at(huber, 1e-160, 0.0), 1e-320L, 2e-160L, 2.0L);
    check_values("huber", values_at(huber, 5.0, 3.0), 4.0L, 4.0L, 2.0L);
    const Pinball pinball(0.75, 2.0);
    check_values("pinball", values_at(pinball, 0.0, 1e300), 7.5e299L, -0.75L, 0.0L);
    check_values("pinball", values_at(pinball, 1e300, 0.0), 2.5e299L, 0.25L, 0.0L);
    check_values("pinball", values_at(pinball, -1e300, 1e300), 1.5e300L, -0.75L, 0.0L);
    check_values("pinball", values_at(pinball, 3.0, 3.0), 0.5L, -0.25L, 0.25L);
    check_values("pinball", values_at(pinball, 4.0, 3.0), 0.375L, 0.0L, 0.25L);

    const Softmax softmax(3);
    const double score[] = {800.0, -800.0, 799.0};
    const double label = 0.0;
    double value = 0.0;
    double slope[3];
    softmax.slopes(1, score, &label, &value, slope);
    const long double u = std::exp(-1.0L);
    check_close("softmax", value, static_cast<double>(std::log1p(u)), 6e-16);
    check_close("softmax", slope[0], static_cast<double>(-u / (1 + u)), 6e-16);
    check_true("softmax", slope[1] == 0.0);
    check_close("softmax", slope[2], static_cast<double>(u / (1 + u)), 6e-16);
    const double far[] = {50.0, 0.0, 0.0};
    softmax.slopes(1, far, &label, &value, slope);
    check_close("small loss", value, static_cast<double>(std::log1p(2 * std::exp(-50.0L))), 6e-16);
    check_close("small slope", slope[0], -value, 6e-16);
}

/** Bit for bit, wherever the record stands; with or without gradients. */
void a_record_is_evaluated_from_itself_alone() {
    Random random(13);
    for (const auto &loss : every_loss()) {
        const std::size_t n = 131;
        const Instance instance(*loss, n, 19, 0.5, random);
        const std::size_t width = instance.theta.size();
        std::vector<double> value(n);
        std::vector<double> without(n);
        std::vector<double> gradient(n * width);
        loss->evaluate(instance.block(), instance.theta, value, gradient);
        loss->evaluate(instance.block(), instance.theta, without, {});
        check_true("values do not depend on gradients", value == without);
        for (std::size_t i = 0; i < n; ++i) {
            double alone = 0.0;
            std::vector<double> own(width);
            loss->evaluate(instance.record(i), instance.theta, {&alone, 1}, own);
            check_true("value", alone == value[i]);
            check_true("gradient",
                       std::equal(own.begin(), own.end(),
                                  gradient.begin() + static_cast<std::ptrdiff_t>(i * width)));
        }
    }
}

void labels_without_meaning_count_as_nothing() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Logistic logistic;
    const Softmax softmax(3);
    for (const ScoreLoss *loss :
         {static_cast<const ScoreLoss *>(&logistic), static_cast<const ScoreLoss *>(&softmax)})
        for (const double label : {-0.5, 0.5, 3.0, -3.0, 1e300, nan}) {
            const double score[] = {1.0, 2.0, 4.0};
            double value = 7.0;
            double out[] = {7.0, 7.0, 7.0};
            loss->slopes(1, score, &label, &value, out);
            check_true("refused", !loss->accepts(label));
            check_true("loss", value == 0.0);
            for (std::size_t k = 0; k < loss->outputs(); ++k) check_true("slope", out[k] == 0.0);
            loss->curvatures(1, score, &label, score, out);
            for (std::size_t k = 0; k < loss->outputs(); ++k)
                check_true("curvature", out[k] == 0.0);
        }
    check_true("accepted", logistic.accepts(-1.0) && logistic.accepts(1.0));
    check_true("accepted", softmax.accepts(0.0) && softmax.accepts(2.0));
    check_true("numbers", Squared().accepts(1e300) && !Squared().accepts(nan));
    check_true("numbers", Huber(1.0).accepts(-3.0) && !Huber(1.0).accepts(nan));
    const Pinball pinball(0.5, 1.0);
    check_true("numbers", pinball.accepts(-3.0) && !pinball.accepts(nan));
    const Poisson poisson(2.0);
    check_true("rates", poisson.accepts(0.0) && poisson.accepts(0.25) && poisson.accepts(1e300));
    for (const double label : {-0.5, -1e300, -HUGE_VAL, HUGE_VAL, nan}) {
        const Values values = values_at(poisson, 1.0, label);
        check_true("no rate", !poisson.accepts(label));
        check_true("counts as nothing",
                   values.loss == 0.0 && values.slope == 0.0 && values.curvature == 0.0);
    }
    const Gamma gamma(2.0);
    check_true("amounts", gamma.accepts(1e-310) && gamma.accepts(0.25) && gamma.accepts(1e300));
    for (const double label : {0.0, -0.5, -1e300, -HUGE_VAL, HUGE_VAL, nan}) {
        const Values values = values_at(gamma, 1.0, label);
        check_true("no amount", !gamma.accepts(label));
        check_true("counts as nothing",
                   values.loss == 0.0 && values.slope == 0.0 && values.curvature == 0.0);
    }
}

/** Times have a sign and are not 0; another label counts as nothing. */
void times_have_a_sign() {
    const Survival survival({{0.5, 2.0}, {0.4, 9.0}});
    for (const double label : {1e-300, -1e-300, 0.7, -2.0, 1e300, -1e300})
        check_true("a time", survival.accepts(label));
    for (const double label : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        const Values values = values_at(survival, 1.0, label);
        check_true("no time", !survival.accepts(label));
        check_true("counts as nothing",
                   values.loss == 0.0 && values.slope == 0.0 && values.curvature == 0.0);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(gradients_are_those_of_the_values),
        core_test(curvatures_are_those_of_the_slopes),
        core_test(extreme_scores_keep_their_relative_accuracy),
        core_test(a_record_is_evaluated_from_itself_alone),
        core_test(labels_without_meaning_count_as_nothing),
        core_test(times_have_a_sign),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
