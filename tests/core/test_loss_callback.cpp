// A caller's function as loss: what it gets, and what becomes of bad results.
#include <vector>

#include "base/error.hpp"
#include "core.hpp"
#include "loss/callback.hpp"
#include "loss/scores.hpp"

using namespace dpadapt::loss;

namespace {

/** Logistic loss as a caller would write it; the second argument of each call is noted. */
std::int32_t plain_logistic(const double *x, std::size_t rows, std::size_t features,
                            const double *label, const double *theta, std::size_t parameters,
                            double *losses, double *gradients, void *user) {
    static_cast<std::vector<std::size_t> *>(user)->push_back(rows);
    if (parameters != features) return -1;
    for (std::size_t i = 0; i < rows; ++i, x += features) {
        double score = 0.0;
        for (std::size_t j = 0; j < features; ++j) score += theta[j] * x[j];
        losses[i] = std::log1p(std::exp(-label[i] * score));
        const double slope = -label[i] / (1.0 + std::exp(label[i] * score));
        for (std::size_t j = 0; gradients != nullptr && j < features; ++j)
            gradients[i * features + j] = slope * x[j];
    }
    return 0;
}

/** Both round the score and a dozen operations: they agree to 1e-14 of the numbers that occur. */
void it_agrees_with_the_built_in_loss() {
    constexpr std::size_t kRows = 103;
    constexpr std::size_t kFeatures = 5;
    Random random(51);
    std::vector<double> x(kRows * kFeatures);
    std::vector<double> label(kRows);
    for (double &value : x) value = random.normal();
    for (double &value : label) value = random.uniform() < 0.5 ? -1.0 : 1.0;
    const std::vector<double> theta{1.0, -2.0, 0.5, 0.0, 3.0};
    const Block block{kRows, kFeatures, x.data(), label.data()};
    std::vector<double> loss(kRows);
    std::vector<double> gradient(kRows * kFeatures);
    Logistic().evaluate(block, theta, loss, gradient);
    for (const std::size_t batch : {1U, 10U, 1000U}) {
        std::vector<std::size_t> calls;
        const Callback callback({plain_logistic, &calls, kFeatures, {1, 2, 3}},
                                Reading::public_records, batch);
        std::vector<double> own_loss(kRows);
        std::vector<double> own_gradient(kRows * kFeatures);
        callback.evaluate(block, theta, own_loss, own_gradient);
        for (std::size_t i = 0; i < kRows; ++i) check_close("loss", own_loss[i], loss[i], 1e-14);
        for (std::size_t j = 0; j < gradient.size(); ++j)
            check_close("gradient", own_gradient[j], gradient[j], 1e-14);
        std::size_t rows = 0;
        for (const std::size_t call : calls) {
            check_true("rows of a call", call <= batch);
            rows += call;
        }
        check_true("all rows, once", rows == kRows);
        std::vector<double> alone(kRows);
        callback.evaluate(block, theta, alone, {});
        check_true("without gradients", alone == own_loss);
    }
}

/** Record 0 is good, in 1 the loss is bad, in 2 and 3 a part of the gradient, 4 is left out. */
std::int32_t partly_bad(const double *x, std::size_t rows, std::size_t /*features*/,
                        const double * /*label*/, const double * /*theta*/,
                        std::size_t /*parameters*/, double *losses, double *gradients,
                        void * /*user*/) {
    for (std::size_t i = 0; i < rows; ++i) {
        const int kind = static_cast<int>(x[i]);
        if (kind == 4) continue;
        losses[i] = kind == 1 ? kInf : 5.0;
        if (gradients == nullptr) continue;
        gradients[2 * i] = kind == 2 ? kNan : 6.0;
        if (kind != 3) gradients[2 * i + 1] = 7.0;
    }
    return 0;
}

void bad_results_count_as_nothing_or_as_infinite() {
    const std::vector<double> x{0, 1, 2, 3, 4, 0};
    const std::vector<double> theta{1.0, 1.0};
    for (const Reading reading : {Reading::public_records, Reading::private_records}) {
        const double bad = reading == Reading::public_records ? kInf : 0.0;
        for (const std::size_t batch : {1U, 2U, 6U}) {
            const Callback callback({partly_bad, nullptr, 2, {}}, reading, batch);
            std::vector<double> loss(6, 9.0);
            std::vector<double> gradient(12, 9.0);
            callback.evaluate({6, 1, x.data(), x.data()}, theta, loss, gradient);
            check_true("losses", loss == std::vector<double>{5, bad, bad, bad, bad, 5});
            check_true("gradients",
                       gradient == std::vector<double>{6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 6, 7});
            callback.evaluate({6, 1, x.data(), x.data()}, theta, loss, {});
            check_true("losses alone", loss == std::vector<double>{5, bad, 5, 5, bad, 5});
        }
    }
}

std::int32_t answer(const double * /*x*/, std::size_t /*rows*/, std::size_t /*features*/,
                    const double * /*label*/, const double * /*theta*/, std::size_t /*parameters*/,
                    double * /*losses*/, double * /*gradients*/, void *user) {
    return *static_cast<std::int32_t *>(user);
}

template <typename Action>
void check_throws(const std::string &what, dpa_status status, const Action &action) {
    try {
        action();
        check_true(what + " throws", false);
    } catch (const dpadapt::Error &error) {
        check_true(what, error.status() == status);
    }
}

void codes_become_errors() {
    const double x = 1.0;
    double loss = 0.0;
    for (const std::int32_t code : {1, 77, -1, -21}) {
        std::int32_t returned = code;
        const Callback callback({answer, &returned, 1, {}}, Reading::public_records);
        check_throws("code", code > 0 ? DPA_E_CANCELLED : DPA_E_CALLBACK, [&] {
            callback.evaluate({1, 1, &x, &x}, {&x, 1}, {&loss, 1}, {});
        });
    }
    check_throws("no function", DPA_E_INVALID_ARGUMENT, [] {
        const Callback callback({nullptr, nullptr, 1, {}}, Reading::public_records);
    });
    check_throws("no parameters", DPA_E_DIMENSION, [] {
        const Callback callback({answer, nullptr, 0, {}}, Reading::public_records);
    });
}

void it_is_what_the_caller_says() {
    const Callback callback({answer, nullptr, 7, {1.0, 2.0, 3.0}}, Reading::public_records);
    check_true("parameters", callback.parameters(100) == 7);
    check_true("start", callback.start(100, 1) == std::vector<double>(7, 0.0));
    const Bounds bounds = callback.bounds({1, 1, 1});
    check_true("bounds",
               bounds.value == 1.0 && bounds.lipschitz == 2.0 && bounds.smoothness == 3.0);
    check_true("one thread", !callback.concurrent() && Logistic().concurrent());
    check_true("labels", callback.accepts(0.3) && !callback.accepts(kNan));
    check_true("no scores", callback.output() == nullptr);
    double score = 0.0;
    check_throws("scores", DPA_E_UNSUPPORTED, [&] { callback.scores({}, {}, {&score, 1}); });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(it_agrees_with_the_built_in_loss),
        core_test(bad_results_count_as_nothing_or_as_infinite),
        core_test(codes_become_errors),
        core_test(it_is_what_the_caller_says),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
