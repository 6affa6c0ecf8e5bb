// What all weights from kernels have in common: rows may be shuffled or repeated, and calls can be
// stopped.
#include "core/kernels.hpp"

namespace {

/** Order and repetition of rows, equal rows, constant features: for all three, parameters fixed and
 *  not. */
void weights_follow_the_rows() {
    Random random(12);
    Rows source = random_rows(random, 130, 3, 0.0);
    Rows target = random_rows(random, 120, 3, 0.3);
    for (Rows *rows : {&source, &target})
        for (auto &row : *rows) row[2] = 1.0;
    source[7] = source[3];
    target[5] = target[9];
    const auto methods = [](std::optional<double> gamma) {
        return std::vector<WeightMethod>{
            [=](const Samples &s) {
                return match(s, {gamma, 20.0, 0.1});
            },
            [=](const Samples &s) {
                return likelihood_fit(s, {gamma, 30, 3}).weights;
            },
            [=](const Samples &s) {
                return squares_fit(s, {gamma, gamma ? gamma : std::nullopt, 0.1, 30, 3}).weights;
            }};
    };
    for (const auto gamma : {std::optional<double>(0.5), std::optional<double>()}) {
        for (const WeightMethod &method : methods(gamma)) {
            const std::vector<double> q = method(Samples(source, target)).q;
            check_close("equal rows", q[3], q[7], 0.0);
            check_true("finite",
                       std::all_of(q.begin(), q.end(), [](double w) { return w >= 0.0; }));
            std::vector<double> moved = method(Samples(shuffled(source, 4), shuffled(target, 5))).q;
            const auto order = SplitMix64(4).draw(source.size(), source.size());
            std::vector<double> back(q.size());
            for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = moved[i];
            check_vector("order", back, q, 1e-12);
            if (!gamma) continue;
            const std::vector<double> doubled = method(Samples(twice(source), twice(target))).q;
            for (std::size_t i = 0; i < doubled.size(); ++i)
                check_true("twice", std::abs(doubled[i] - 0.5 * q[i % q.size()]) < 1e-6);
        }
    }
}

/** Whitening must not tell equal rows apart by where they are. */
void whitened_rows_stay_equal() {
    Random random(14);
    Rows source = random_rows(random, 61, 7, 0.0);
    source[60] = source[1];
    const Samples samples(source, random_rows(random, 20, 7, 0.3), PreprocessKind::whiten);
    const PointPair points = point_pair(samples.source, samples.target);
    check_true("points", points.source.size() == 60);
    const std::vector<double> q = match(samples, {}).q;
    check_close("weights", q[1], q[60], 0.0);
}

void equal_rows_only() {
    const Samples samples(Rows(4, {0.0, 0.0}), Rows(3, {0.0, 0.0}));
    const std::vector<double> quarter(4, 0.25);
    check_vector("matching", match(samples, {}).q, quarter, 1e-12);
    check_vector("likelihood", likelihood_fit(samples, {}).weights.q, quarter, 1e-12);
    check_vector("squares", squares_fit(samples, {}).weights.q, quarter, 1e-12);
}

/** Stops a call at its n-th report. */
struct Stopper : Control {
    explicit Stopper(int reports) : left(reports) {}
    void report(const Progress & /*progress*/) override {
        if (left-- == 0) throw Error(DPA_E_CANCELLED, "stopped");
    }
    int left;
};

void calls_can_be_stopped() {
    Random random(13);
    const Samples samples(random_rows(random, 60, 2, 0.0), random_rows(random, 50, 2, 1.0));
    for (const int reports : {0, 3}) {
        Stopper stopper(reports);
        check_error("matching", DPA_E_CANCELLED, [&] {
            (void)kernel_mean_matching(samples.source, samples.target, {}, kLimits, stopper);
        });
        stopper.left = reports;
        check_error("likelihood", DPA_E_CANCELLED,
                    [&] { (void)kliep(samples.source, samples.target, {}, kLimits, stopper); });
        stopper.left = reports;
        check_error("squares", DPA_E_CANCELLED,
                    [&] { (void)ulsif(samples.source, samples.target, {}, kLimits, stopper); });
    }
    const Weights few =
        kernel_mean_matching(samples.source, samples.target, {}, {1e-9, 1, 1}, no_control);
    check_true("iterations", few.termination == Termination::iterations && few.duality_gap > 0.0);
    const RatioFit some = kliep(samples.source, samples.target, {1.0}, {1e-9, 2, 1}, no_control);
    check_true("iterations", some.weights.termination == Termination::iterations);
}

void distances_that_overflow_are_refused() {
    for (const double far : {-1.58e177, 1e300, 1e308, -1.7e308}) {
        for (const bool in_source : {true, false}) {
            Rows source = column({0.3, -1, 2, 0.1, 1});
            Rows target = column({0.4, 1, -2, 0, 0.7, 1.5, 3, -1});
            (in_source ? source : target)[2][0] = far;
            const Samples samples(source, target);
            const std::string what = std::to_string(far);
            check_error("matching " + what, DPA_E_NUMERICAL, [&] { (void)match(samples, {}); });
            check_error("likelihood " + what, DPA_E_NUMERICAL,
                        [&] { (void)likelihood_fit(samples, {}); });
            check_error("squares " + what, DPA_E_NUMERICAL,
                        [&] { (void)squares_fit(samples, {}); });
        }
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(weights_follow_the_rows),
        core_test(whitened_rows_stay_equal),
        core_test(equal_rows_only),
        core_test(calls_can_be_stopped),
        core_test(distances_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
