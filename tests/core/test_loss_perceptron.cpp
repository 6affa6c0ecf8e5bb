// What a perceptron is when some of its weights vanish, and how it starts.
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "loss/perceptron.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"

using namespace dpadapt::loss;

namespace {

constexpr std::size_t kRows = 40;
constexpr std::size_t kFeatures = 4;
constexpr std::size_t kClasses = 3;

struct Records {
    explicit Records(Random &random) {
        for (double &value : x) value = random.normal();
        for (double &value : label) value = std::floor(kClasses * random.uniform());
    }
    [[nodiscard]] Block block() const { return {kRows, kFeatures, x.data(), label.data()}; }

    std::vector<double> x = std::vector<double>(kRows * kFeatures);
    std::vector<double> label = std::vector<double>(kRows);
};

struct Evaluated {
    Evaluated(const Loss &model, const Records &records, const std::vector<double> &theta)
        : loss(kRows), gradient(kRows * theta.size()) {
        model.evaluate(records.block(), theta, loss, gradient);
    }
    std::vector<double> loss;
    std::vector<double> gradient;
};

void without_hidden_layers_it_is_the_linear_model() {
    Random random(41);
    const Records records(random);
    std::vector<double> theta(kFeatures * kClasses);
    for (double &value : theta) value = random.normal();
    const Evaluated plain(Softmax(kClasses), records, theta);
    const Evaluated none(Perceptron({}, std::make_unique<Softmax>(kClasses)), records, theta);
    check_true("losses", plain.loss == none.loss);
    check_true("gradients", plain.gradient == none.gradient);
}

/** With zero hidden weights the units are silent: the scores are the constants of the last layer,
 *  which has the gradient of a linear model on the constant feature; the hidden weights have that
 *  of one on x. */
void zero_hidden_weights_leave_a_constant() {
    Random random(42);
    const Records records(random);
    constexpr std::size_t kUnits = 2;
    const Perceptron model({kUnits}, std::make_unique<Softmax>(kClasses));
    std::vector<double> theta(model.parameters(kFeatures), 0.0);
    const std::size_t last = kUnits * kFeatures;
    for (std::size_t j = last; j < theta.size(); ++j) theta[j] = random.normal();
    const Evaluated found(model, records, theta);
    for (std::size_t i = 0; i < kRows; ++i) {
        double score[kClasses];
        double slope[kClasses];
        double value = 0.0;
        for (std::size_t k = 0; k < kClasses; ++k)
            score[k] = theta[last + k * (kUnits + 1) + kUnits];
        Softmax(kClasses).slopes(1, score, &records.label[i], &value, slope);
        check_true("loss", found.loss[i] == value);
        const double *gradient = found.gradient.data() + i * theta.size();
        for (std::size_t k = 0; k < kClasses; ++k) {
            const double *of_class = gradient + last + k * (kUnits + 1);
            check_true("weights of silent units", of_class[0] == 0.0 && of_class[1] == 0.0);
            check_true("constant", of_class[kUnits] == slope[k]);
        }
        for (std::size_t u = 0; u < kUnits; ++u) {
            double below = 0.0;
            for (std::size_t k = 0; k < kClasses; ++k)
                below += slope[k] * theta[last + k * (kUnits + 1) + u];
            for (std::size_t j = 0; j < kFeatures; ++j)
                check_close("hidden weight", gradient[u * kFeatures + j],
                            below * records.x[i * kFeatures + j], 1e-15);
        }
    }
}

/** tanh p is p up to p^3 / 3: small hidden weights give the linear model with W = the product of
 *  the layers. */
void small_hidden_weights_give_a_linear_model() {
    Random random(43);
    const Records records(random);
    const Perceptron model({1, 1}, std::make_unique<Squared>());
    std::vector<double> theta(model.parameters(kFeatures), 0.0);
    check_true("layout", theta.size() == kFeatures + 2 + 2);
    constexpr double kSmall = 1e-5;
    std::vector<double> w(kFeatures);
    for (std::size_t j = 0; j < kFeatures; ++j) {
        w[j] = random.normal();
        theta[j] = kSmall * w[j];
    }
    theta[kFeatures] = 1.0;
    theta[kFeatures + 2] = 1.0 / kSmall;
    theta[kFeatures + 3] = 0.25;
    std::vector<double> deep(kRows);
    std::vector<double> linear(kRows);
    model.scores(records.block(), theta, deep);
    Squared().scores(records.block(), w, linear);
    for (std::size_t i = 0; i < kRows; ++i)
        check_true("score", std::abs(deep[i] - linear[i] - 0.25) <=
                                1e-12 + std::pow(std::abs(linear[i]), 3) * kSmall * kSmall);
}

void starts_come_from_the_seed() {
    const Perceptron model({5, 2}, std::make_unique<Logistic>());
    const std::vector<double> start = model.start(kFeatures, 1);
    check_true("length", start.size() == model.parameters(kFeatures) && start.size() == 35);
    check_true("same seed", start == model.start(kFeatures, 1));
    check_true("other seed", start != model.start(kFeatures, 2));
    // SplitMix64's first number for the seed 1, known from its published code.
    const double first = static_cast<double>(0x910a2dec89025cc1 >> 11) * 0x1p-52 - 1.0;
    check_close("known number", start[0], std::sqrt(6.0 / 9.0) * first, 1e-15);
    for (std::size_t j = 0; j < 20; ++j)
        check_true("first layer", std::abs(start[j]) <= std::sqrt(6.0 / 9.0));
    check_true("constants", start[25] == 0.0 && start[31] == 0.0 && start[34] == 0.0);
    const std::vector<double> many = Perceptron({500}, std::make_unique<Squared>()).start(500, 9);
    double squares = 0.0;
    for (std::size_t j = 0; j < 250000; ++j) squares += many[j] * many[j];
    check_close("variance 2 / (read + units)", squares / 250000, 2.0 / 1000, 0.02);
    check_true("linear losses start at zero",
               Softmax(2).start(3, 1) == std::vector<double>(6, 0.0));
}

void a_layer_has_units() {
    try {
        const Perceptron model({3, 0}, std::make_unique<Squared>());
        check_true("an empty layer is refused", false);
    } catch (const dpadapt::Error &error) {
        check_true("status", error.status() == DPA_E_OPTION);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(without_hidden_layers_it_is_the_linear_model),
        core_test(zero_hidden_weights_leave_a_constant),
        core_test(small_hidden_weights_give_a_linear_model),
        core_test(starts_come_from_the_seed),
        core_test(a_layer_has_units),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
