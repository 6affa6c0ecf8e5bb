// Record and replay: a private run on a sample, then on a neighbour while feeding it the released values of the
// first run. In every step the integers before the noise may differ by the certified sensitivity at most, and
// everything public must be the same.
#include <limits>
#include <vector>

#include "base/int128.hpp"
#include "core/core.hpp"
#include "random/normal.hpp"
#include "solver/private_profile.hpp"

using namespace dpadapt;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFeatures = 3;

struct Data {
    std::vector<double> x;
    std::vector<double> y;

    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), kFeatures, kFeatures, true}, y.data());
    }
};

Data make_data(std::size_t rows, double shift, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < kFeatures; ++j) {
            data.x[i * kFeatures + j] = random.normal() + shift;
            data.y[i] += (static_cast<double>(j) + 1.0 - shift) * data.x[i * kFeatures + j];
        }
        data.y[i] += random.normal();
    }
    return data;
}

Settings plain_settings() {
    Settings settings{};
    settings.preprocess = PreprocessKind::standardize;
    settings.intercept = true;
    settings.feature_radius = {Bound::Kind::absent, 0.0};
    settings.label_bound = {Bound::Kind::absent, 0.0};
    settings.threads = 1;
    return settings;
}

random::Key known_key(std::uint8_t first) {
    const std::array<std::uint8_t, random::Key::kSize> bytes = {first, 1, 2, 3};
    return random::Key::unsafe_from_bytes(bytes);
}

/** Remembers the integers before the noise and the released values; or replays released values. */
struct Recorder : ReleaseTrace {
    std::vector<double> on_release(std::size_t step, const privacy::VectorSum &sum,
                                   std::vector<double> released) override {
        integers.emplace_back(sum.sums().begin(), sum.sums().end());
        records.push_back(sum.records());
        own.push_back(released);
        return replayed == nullptr ? released : replayed->own.at(step - 1);
    }
    const Recorder *replayed = nullptr;
    std::vector<std::vector<std::int64_t>> integers;
    std::vector<std::uint64_t> records;
    std::vector<std::vector<double>> own;
};

struct Setting {
    Setting()
        : source(make_data(400, 0.0, 1)),
          source_sample(source.sample()),
          problem(source_sample, source_sample, plain_settings(), control),
          metric(make_public_metric(problem, 0.1, 0.95)) {
        plan.steps = 10;
        plan.grid = privacy::plan_grid(0.2, metric.clip, 32);
    }
    PrivateFit fit(const Data &target, ReleaseTrace *trace, std::uint8_t key = 0,
                   std::size_t threads = 1) {
        const Sample sample = target.sample();
        const PrivateRows rows(sample, problem.preprocess(), metric.inverse_root, threads);
        return fit_private(rows, metric, plan, known_key(key), threads, control, trace);
    }
    NoControl control;
    Data source;
    Sample source_sample;
    PreparedProblem problem;
    PublicMetric metric;
    PrivatePlan plan;
};

/** Neighbours of a sample: one record replaced by something that a careless method would let through. */
std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double value : {kNan, kInf, -kInf, 1e308, -1e308, 1e200, 5e-324, 0.0, -50.0}) {
        for (const bool label_too : {false, true}) {
            Data other = data;
            for (std::size_t j = 0; j < kFeatures; ++j) other.x[record * kFeatures + j] = value;
            if (label_too) other.y[record] = value;
            all.push_back(std::move(other));
        }
    }
    Data flipped = data;
    for (std::size_t j = 0; j < kFeatures; ++j) flipped.x[record * kFeatures + j] *= -1e6;
    flipped.y[record] *= 1e6;
    all.push_back(flipped);
    Data copied = data;
    std::copy_n(data.x.begin(), kFeatures,
                copied.x.begin() + static_cast<std::ptrdiff_t>(record * kFeatures));
    copied.y[record] = data.y[0];
    all.push_back(copied);
    return all;
}

void sums_of_neighbours_differ_by_at_most_the_sensitivity() {
    Setting setting;
    const auto most =
        static_cast<Uint128>(Int128{2 * setting.plan.grid.most} * (2 * setting.plan.grid.most));
    Uint128 largest = 0;
    for (const std::size_t n : {1U, 2U, 60U}) {
        const Data data = make_data(n, 0.7, 2);
        Recorder first;
        const PrivateFit fit = setting.fit(data, &first);
        for (const Data &other : neighbours(data, n / 2)) {
            Recorder second;
            second.replayed = &first;
            const PrivateFit again = setting.fit(other, &second);
            check_true("same number of releases", first.integers.size() == second.integers.size());
            check_true("same number of records", first.records == second.records);
            check_true("same public output",
                       arma::all(fit.w == again.w) && fit.alpha == again.alpha);
            for (std::size_t step = 0; step < first.integers.size(); ++step) {
                Uint128 square = 0;
                for (std::size_t k = 0; k < first.integers[step].size(); ++k) {
                    const Int128 difference =
                        Int128{first.integers[step][k]} - second.integers[step][k];
                    square += static_cast<Uint128>(difference * difference);
                }
                check_true("sensitivity in step " + std::to_string(step), square <= most);
                largest = std::max(largest, square);
            }
        }
    }
    check_true("the neighbours are adversarial: they come near the sensitivity",
               4 * largest > most);
}

void noise_is_that_of_the_plan() {
    Setting setting;
    const Data data = make_data(60, 0.7, 2);
    Recorder recorder;
    setting.fit(data, &recorder);
    double square = 0.0;
    double count = 0.0;
    for (std::uint8_t key = 1; key <= 50; ++key) {
        Recorder run;
        setting.fit(data, &run, key);
        for (std::size_t step = 0; step < run.own.size(); ++step)
            for (std::size_t k = 0; k < run.own[step].size(); ++k) {
                const double noise =
                    run.own[step][k] -
                    setting.plan.grid.gamma * static_cast<double>(run.integers[step][k]);
                square += std::pow(noise / setting.plan.grid.sigma(), 2);
                ++count;
            }
    }
    // A mean of 2000 squares of standard normals: six standard deviations are 0.19.
    check_true("variance of the noise",
               std::abs(square / count - 1.0) < 6.0 * std::sqrt(2.0 / count));
    check_close("sigma of the plan", setting.plan.grid.sigma(),
                2.0 * setting.metric.clip / setting.plan.grid.certified_mu(), 1e-9);
}

void order_layout_and_threads_do_not_matter() {
    Setting setting;
    const Data data = make_data(3000, 0.7, 2);
    const PrivateFit one = setting.fit(data, nullptr);
    for (const std::size_t threads : {2U, 3U})
        check_true("threads", arma::all(setting.fit(data, nullptr, 0, threads).w == one.w));
    Data reversed = data;
    for (std::size_t i = 0; i < data.y.size(); ++i) {
        const std::size_t from = data.y.size() - 1 - i;
        reversed.y[i] = data.y[from];
        for (std::size_t j = 0; j < kFeatures; ++j)
            reversed.x[i * kFeatures + j] = data.x[from * kFeatures + j];
    }
    check_true("order of the rows", arma::all(setting.fit(reversed, nullptr).w == one.w));
    check_true("another key, another result", arma::any(setting.fit(data, nullptr, 9).w != one.w));
}

double error_of(const Setting &setting, const PrivateFit &fit) {
    const Predictor predictor = setting.problem.preprocess().to_user(fit.w);
    double square = std::pow(predictor.intercept, 2);
    for (std::size_t j = 0; j < kFeatures; ++j)
        square += std::pow(predictor.coefficients(j) - (static_cast<double>(j) + 0.3), 2);
    return std::sqrt(square);
}

/** The source has coefficients 1, 2, 3, the target 0.3, 1.3, 2.3, at a distance of 1.21: with many rows and a large
 *  budget most of the way to the target is gone, with few rows and a small budget the source's solution is kept. */
void utility_follows_the_budget() {
    Setting setting;
    setting.plan.steps = 20;
    setting.plan.grid = privacy::plan_grid(1.0, setting.metric.clip, 32);
    const PrivateFit rich = setting.fit(make_data(20000, 0.7, 3), nullptr);
    check_true("near the target's solution", error_of(setting, rich) < 0.4);
    check_true("little of the source", rich.alpha < 0.1);
    setting.plan.grid = privacy::plan_grid(1e-4, setting.metric.clip, 32);
    const PrivateFit poor = setting.fit(make_data(50, 0.7, 3), nullptr);
    check_true("the source's solution", poor.alpha > 0.9);
    check_true("no harm", error_of(setting, poor) < 1.5);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(sums_of_neighbours_differ_by_at_most_the_sensitivity),
        core_test(noise_is_that_of_the_plan),
        core_test(order_layout_and_threads_do_not_matter),
        core_test(utility_follows_the_budget),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
