// Loops over rows ask the caller's control on their way, always after the same work, and leave by
// what it throws.
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/control.hpp"
#include "core/records.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"
#include "problem/quantile.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kRows = 1000000;
constexpr std::size_t kCols = 64;
constexpr double kOften = 1 << 25;  // numbers that are read without asking, at most

struct Stop : std::runtime_error {
    Stop() : std::runtime_error("stop") {}
};

/** Counts how often it is asked, and stops at one of these times. */
struct Asked : Control {
    explicit Asked(std::size_t stop = 0) : stop_at(stop) {}
    void report(const Progress & /*progress*/) override {}
    void pause() override {
        if (++times == stop_at) throw Stop();
    }
    std::size_t times = 0;
    std::size_t stop_at;
};

/** Many rows in little memory: all of them are the same. */
struct SameRows {
    SameRows() : label(kRows, 1.0) {
        rows.x = {row.data(), kRows, kCols, 0, true};
        rows.label = label.data();
        rows.center = arma::vec(kCols, arma::fill::zeros);
        rows.scale = arma::vec(kCols, arma::fill::ones);
    }
    std::vector<double> row = std::vector<double>(kCols, 0.5);
    std::vector<double> label;
    linalg::AffineRows rows;
};

/** work asks at least once in so many numbers, and as often again; and when the first, one in the
 *  middle, or the last time says stop, it stops. */
template <typename Work>
void check_work(const char *name, double numbers, const Work &work) {
    const int before = failures;
    Asked all;
    Asked again;
    for (Asked *asked : {&all, &again}) {
        const ControlScope scope(*asked);
        work();
    }
    check_true("asks often", static_cast<double>(all.times) >= numbers / kOften);
    check_true("asks as often again", all.times == again.times);
    for (const std::size_t time : {std::size_t{1}, (all.times + 1) / 2, all.times}) {
        Asked asked(time);
        bool stopped = false;
        try {
            const ControlScope scope(asked);
            work();
        } catch (const Stop &) {
            stopped = true;
        }
        check_true("stops", stopped && asked.times == time);
    }
    Asked nobody;
    {
        const ControlScope scope(nobody);
        const ControlScope none;
        work();
    }
    work();
    check_true("asks nobody else", nobody.times == 0);
    if (failures != before) std::fprintf(stderr, "by %s\n", name);
}

void loops_over_rows_ask() {
    const SameRows same;
    const linalg::AffineRows &rows = same.rows;
    constexpr double kNumbers = static_cast<double>(kRows) * kCols;
    const arma::vec w(kCols, arma::fill::ones);
    std::vector<double> residual(kRows);
    check_work("residuals", kNumbers, [&] { linalg::residual_pass(rows, w, 1, residual.data()); });
    check_work("gradient", kNumbers,
               [&] { (void)linalg::gradient_pass(rows, same.label.data(), 1); });
    check_work("column sums", kNumbers, [&] { (void)linalg::column_sums(rows.x, 1); });
    check_work("column squares", kNumbers,
               [&] { (void)linalg::column_squares(rows.x, rows.center, 1); });
    check_work("fused", kNumbers, [&] {
        (void)linalg::fused_pass(rows, w, 1, residual.data(),
                                 [](auto, auto, const double *, double *) { return 0.0; });
    });
    check_work("gram", kNumbers, [&] { (void)linalg::weighted_gram(rows, nullptr, true); });
    check_work("norms", kNumbers,
               [&] { (void)linalg::mapped_norms(rows, arma::mat(2, kCols, arma::fill::ones)); });
}

void orderings_ask() {
    Random random(1);
    std::vector<double> values(1U << 24U);
    for (double &value : values) value = random.uniform();
    check_work("selection", static_cast<double>(values.size()),
               [&] { (void)quantile(values, 0.5); });
    values.resize(1U << 21U);
    const std::vector<double> weights(values.size(), 1.0);
    check_work("weighted quantile", 16.0 * static_cast<double>(values.size()),
               [&] { (void)quantile(values, weights, 0.5); });
}

/** How often two sums of terms ask, of the rows of so many persons or of a batch of records. */
std::size_t asked_by_sums(std::size_t rows, std::size_t persons,
                          const std::vector<std::uint32_t> &batch) {
    constexpr std::size_t kUnits = 2048;
    const Records data(rows);
    Sample sample = data.sample();
    std::vector<std::int64_t> ids(rows);
    for (std::size_t i = 0; i < rows; ++i) ids[i] = static_cast<std::int64_t>(i % persons);
    if (batch.empty()) sample.group(std::make_shared<const Persons>(ids));
    records::Coordinates to = plain();
    to.hidden = {{kUnits}, arma::vec(kUnits * kCols, arma::fill::zeros)};
    const records::Accumulator accumulator(sample, to, 1);
    const records::GradientTask task{
        records::ScoredLoss{kSquared, arma::vec(kUnits, arma::fill::zeros), 2.0},
        1.0,
        {},
        records::WholeWeights{},
        batch,
        vector_grid()};
    Asked asked;
    const ControlScope scope(asked);
    for (int reading = 0; reading < 2; ++reading) (void)accumulator.sum(task);
    return asked.times;
}

/** How many rows persons have, and how many records were drawn, is private. */
void private_numbers_of_rows_do_not_decide() {
    const std::size_t once = asked_by_sums(20, 20, {});
    check_true("asks", once > 1);
    check_true("rows that are not kept", asked_by_sums(20 * 410, 20, {}) == once);
    std::vector<std::uint32_t> batch(19);
    std::iota(batch.begin(), batch.end(), 0U);
    check_true("batches", asked_by_sums(20, 20, {7}) == asked_by_sums(20, 20, batch));
}

void helpers_ask_nobody() {
    Asked asked;
    const ControlScope scope(asked);
    std::thread([] { count_work(1e12); }).join();
    check_true("a thread without a control goes on", asked.times == 0);
    count_work(1e12);
    check_true("its own thread asks", asked.times == 1);
    {
        Asked inner;
        const ControlScope other(inner);
        count_work(1e12);
        check_true("the innermost control is asked", inner.times == 1 && asked.times == 1);
    }
    count_work(1e12);
    check_true("the one before is back", asked.times == 2);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(loops_over_rows_ask),
        core_test(orderings_ask),
        core_test(private_numbers_of_rows_do_not_decide),
        core_test(helpers_ask_nobody),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
