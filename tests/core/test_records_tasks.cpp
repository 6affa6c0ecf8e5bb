// The accumulator beside plain loops: each task, in the order of operations that its sums are
// defined by, bit for bit.
#include "core/records.hpp"
#include "loss/scores.hpp"
#include "records/arithmetic.hpp"
#include "records/row_map.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 700;

template <typename Task>
typename Task::Sum sum_of(const Records &rows, const records::Coordinates &coordinates,
                          const Task &task, std::size_t threads = 1) {
    const Sample sample = rows.sample();
    return records::Accumulator(sample, coordinates, threads).sum(task);
}

bool same(const sums::VectorSum &a, const sums::VectorSum &b) {
    return a.records() == b.records() &&
           std::equal(a.sums().begin(), a.sums().end(), b.sums().begin(), b.sums().end());
}

double norm_of(const std::vector<double> &row) {
    return std::sqrt(records::product(row.data(), row.data(), row.size()));
}

void terms_by_score_are_shrunken_residuals() {
    const Records rows(kCount);
    const records::PricedWeights weights = convex_weights();
    const auto &prices = std::get<ConvexPrices>(weights.coupling.prices);
    const arma::vec v = numbers(kCols);
    constexpr double kClip = 0.7;
    constexpr double kWeight = 0.9;
    sums::VectorSum expected(kCols + 2, vector_grid());
    const ConvexRule rule = prices.rule(weights.scalars);
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::vector<double> z = rows.row(i);
        const double r = records::product(v.memptr(), z.data(), kCols) - rows.y[i];
        const double c = r * r + weights.d;
        const double share = rule.share(c, weights.p);
        const double residual = kWeight * share * r / kClip;
        const double norm = std::abs(residual) * norm_of(z);
        const double factor = norm > kWeight ? residual * (kWeight / norm) : residual;
        std::vector<double> term;
        for (const double value : z) term.push_back(factor * value);
        const double q = weights.p * share;
        const double t = weights.scalars.t;
        const double most = prices.kappa_1 * (weights.unit / t) * (weights.unit / t);
        const double held = prices.kappa_1 * (weights.p / t) * (weights.p / t) - c -
                            prices.kappa_2 * t / weights.scalars.s;
        constexpr double kMiddle = records::PricedWeights::kMiddle;
        term.push_back(0.5 * (q * q) / (weights.unit * weights.unit) - kMiddle);
        term.push_back(0.5 * std::max(0.0, held) / most - kMiddle);
        expected.add(term);
    }
    const records::GradientTask task{
        records::ScoredLoss{kSquared, v, 2.0}, kWeight, kClip, weights, {}, vector_grid()};
    for (const std::size_t threads : {1U, 3U})
        check_true("sum", same(expected, sum_of(rows, plain(), task, threads)));
    check_true("the scalars move", expected.sums()[kCols] != 0 && expected.sums()[kCols + 1] != 0);
}

void mapped_terms_are_shrunken_gradients() {
    const Records rows(kCount);
    const records::PricedWeights weights = linear_weights();
    const auto &prices = std::get<LinearPrices>(weights.coupling.prices);
    const arma::vec theta = numbers(kCols);
    const arma::mat map = {{1.0, 0.5, 0.0}, {0.0, 2.0, 0.25}, {1.0, 0.0, 0.5}};
    constexpr double kClip = 0.4;
    constexpr double kMost = 0.8;
    sums::VectorSum expected(kCols + 2, vector_grid());
    const LinearRule rule = prices.rule(weights.scalars);
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::vector<double> z = rows.row(i);
        double loss = 0.0;
        std::vector<double> gradient(kCols);
        loss::Logistic().evaluate({1, kCols, z.data(), &rows.y[i]}, {theta.memptr(), kCols},
                                  {&loss, 1}, gradient);
        std::vector<double> term(kCols);
        for (std::size_t j = 0; j < kCols; ++j)
            records::add_column(gradient[j], map.colptr(j), kCols, term.data());
        const double q = rule.weight(loss + weights.d, weights.p);
        records::scale_within(term, kMost * (q / weights.p / kClip), kMost);
        constexpr double kMiddle = records::PricedWeights::kMiddle;
        term.push_back(0.5 * (q * q) / (weights.unit * weights.unit) - kMiddle);
        term.push_back(0.5 * soft_share(prices.mu, q, weights.unit) - kMiddle);
        expected.add(term);
    }
    const records::GradientTask task{
        records::MappedLoss{kLogistic, theta, {{}, map}}, kMost, kClip, weights, {}, vector_grid()};
    for (const std::size_t threads : {1U, 3U})
        check_true("sum", same(expected, sum_of(rows, plain(), task, threads)));
}

void short_gradients_are_counted_and_zeros_are_not() {
    Records rows(kCount);
    for (std::size_t j = 0; j < kCols; ++j) rows.x[kCols + j] = 0.0;
    rows.y[2] = kNan;
    const arma::vec v = numbers(kCols);
    constexpr double kMost = 0.9;
    constexpr double kClip = 0.7;
    const records::CountedLengths lengths{0.15, 0.6};
    records::GradientTask plain_task{
        records::ScoredLoss{kSquared, v, 2.0}, kMost, kClip, {}, {}, vector_grid()};
    const sums::VectorSum alone = sum_of(rows, plain(), plain_task);
    sums::VectorSum count(1, vector_grid());
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::vector<double> z = rows.row(i);
        const double r = records::product(v.memptr(), z.data(), kCols) - rows.y[i];
        const double length = kMost * std::min(1.0, std::abs(r) * norm_of(z) / kClip);
        const bool nothing = i == 1 || i == 2;
        count.add(std::vector<double>{nothing ? 0.0 : length < 0.6 ? 0.15 : -0.15});
    }
    plain_task.weighting = lengths;
    const sums::VectorSum both = sum_of(rows, plain(), plain_task);
    check_true("one more coordinate", both.sums().size() == kCols + 1);
    check_true("the gradients",
               std::equal(alone.sums().begin(), alone.sums().end(), both.sums().begin()));
    check_true("the count", both.sums()[kCols] == count.sums()[0]);
    check_true("it is no zero", count.sums()[0] != 0);
}

void disjoint_batches_make_up_the_sample() {
    const Records rows(kCount);
    records::GradientTask task;
    task.loss = records::MappedLoss{kLogistic, numbers(kCols), {}};
    task.most = 0.3;
    task.grid = vector_grid();
    const sums::VectorSum all = sum_of(rows, plain(), task);
    sums::VectorSum merged(kCols, vector_grid());
    for (std::uint32_t batch = 0; batch < 3; ++batch) {
        task.batch.clear();
        for (std::uint32_t i = batch; i < kCount; i += 3) task.batch.push_back(i);
        merged.merge(sum_of(rows, plain(), task));
    }
    check_true("same sums", same(all, merged));
}

void outer_products_are_of_shrunken_records() {
    const Records rows(kCount);
    const privacy::OuterGrid grid{40, 1 << 20};
    const arma::vec start = numbers(kCols);
    constexpr double kClip = 0.8;
    constexpr double kMost = 2.0;
    sums::OuterSum by_loss(kCols, grid);
    sums::OuterSum by_radius(kCols + 1, grid);
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::vector<double> z = rows.row(i);
        const double norm = norm_of(z);
        const double r = records::product(start.memptr(), z.data(), kCols) - rows.y[i];
        const double term = std::abs(r) * norm;
        const double weight = term > kClip ? kClip / term : 1.0;
        const double square = norm * norm;
        const double factor =
            std::sqrt((square * weight > kMost ? kMost / square : weight) / kMost);
        const double scale = norm > 1.5 ? 0.5 * (1.5 / norm) : 0.5;
        std::vector<double> one;
        std::vector<double> other;
        for (const double value : z) {
            one.push_back(factor * value);
            other.push_back(scale * value);
        }
        other.push_back(0.25 * rows.y[i]);
        by_loss.add(one);
        by_radius.add(other);
    }
    const records::OuterTask first{records::ShrunkByLoss{{kSquared, start, 2.0}, kClip, kMost},
                                   grid};
    const records::OuterTask second{records::ShrunkByRadius{1.5, 0.5, 0.25}, grid};
    check_true("by loss", sum_of(rows, plain(), first).packed() == by_loss.packed());
    check_true("by radius", sum_of(rows, plain(), second, 3).packed() == by_radius.packed());
}

/** The rows of the coordinates, by hand. */
void rows_are_mapped_and_clipped() {
    const Records rows(kCount);
    const records::Coordinates to = mapped();
    sums::MomentSum expected(4, 4.0, 1.0);
    std::size_t scaled = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<double> raw = rows.row(i);
        for (std::size_t j = 0; j < kCols; ++j) raw[j] = to.scale(j) * (raw[j] - to.center(j));
        std::vector<double> z(4);
        for (std::size_t j = 0; j < kCols; ++j)
            records::add_column(raw[j], to.whitening.colptr(j), kCols, z.data());
        double square = 0.0;
        for (std::size_t j = 0; j < kCols; ++j) square += z[j] * z[j];
        const double norm = std::sqrt(square);
        if (norm > 1.5) {
            ++scaled;
            for (std::size_t j = 0; j < kCols; ++j) z[j] *= 1.5 / norm;
        }
        z[kCols] = 1.0;
        std::vector<double> zeta(4);
        for (std::size_t j = 0; j < 4; ++j)
            records::add_column(z[j], to.map.colptr(j), 4, zeta.data());
        expected.add(zeta.data(), std::clamp(rows.y[i] - 0.25, -1.0, 1.0));
    }
    const sums::MomentSum sum = sum_of(rows, to, records::MomentTask{4.0, 1.0}, 3);
    bool same_sums = true;
    for (std::size_t i = 0; i <= 4; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            same_sums = same_sums && sum.sum(i, j) == expected.sum(i, j);
    check_true("same moments", same_sums);
    const sums::Counts counts = sum_of(rows, to, records::CountTask{kSquared});
    check_true("scaled", counts.scaled == scaled && scaled > 0 && counts.not_finite == 0);
}

void records_that_mean_nothing_are_counted_and_ignored() {
    Records rows(kCount);
    records::Coordinates coordinates = plain();
    coordinates.clipping.neutral_label = kNan;
    coordinates.clipping.label_bound = 2.0;
    rows.x[3 * kCols] = kNan;
    rows.y[5] = kInf;
    rows.y[7] = 0.5;  // no class
    rows.y[9] = 5.0;  // a class after it is clamped, if there were such a class
    const sums::Counts counts = sum_of(rows, coordinates, records::CountTask{kLogistic}, 3);
    check_true("not finite", counts.not_finite == 4);
    check_true("clamped", counts.clamped_labels == 1);
    check_true("seen", counts.records() == kCount);

    records::GradientTask task;
    task.loss = records::MappedLoss{kLogistic, numbers(kCols), {}};
    task.grid = vector_grid();
    const sums::VectorSum sum = sum_of(rows, coordinates, task);
    task.batch.clear();
    for (std::uint32_t i = 0; i < kCount; ++i)
        if (i != 3 && i != 5 && i != 7 && i != 9) task.batch.push_back(i);
    const sums::VectorSum others = sum_of(rows, coordinates, task);
    check_true("no term", std::equal(sum.sums().begin(), sum.sums().end(), others.sums().begin()));
}

void losses_and_scores_are_clipped_integers() {
    Records rows(kCount);
    rows.x[0] = kNan;
    const arma::vec theta = numbers(kCols);
    const sums::Tally losses = sum_of(rows, plain(), records::LossTask{kSquared, {theta}, 1.5}, 3);
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < kCount; ++i) {
        const std::vector<double> z = rows.row(i);
        double loss = 0.0;
        loss::make_loss(kSquared, loss::Reading::private_records)
            ->evaluate({1, kCols, z.data(), &rows.y[i]}, {theta.memptr(), kCols}, {&loss, 1}, {});
        sum += static_cast<std::int64_t>(std::ldexp(std::min(loss, 1.5) / 1.5, 30));
    }
    check_true("losses", losses.records() == kCount && losses.sums().front() == sum);

    const auto sum_of_predictors = [&](const std::vector<arma::vec> &predictors) {
        return sum_of(rows, plain(),
                      records::ComparisonTask{kSquared, predictors, 1.5, vector_grid()}, 3);
    };
    const sums::VectorSum one = sum_of_predictors({theta});
    const double mean = std::ldexp(static_cast<double>(losses.sums()[0]), -30);
    check_close("compared losses", one.grid().gamma * static_cast<double>(one.sums()[0]),
                2.0 * mean - static_cast<double>(kCount), 1e-5);
    const sums::VectorSum two = sum_of_predictors({theta, theta});
    check_close("of norm 1 together", std::sqrt(2.0) * static_cast<double>(two.sums()[1]),
                static_cast<double>(one.sums()[0]), 1e-6);
    rows.y[1] = kNan;
    const sums::VectorSum alone =
        sum_of(rows, plain(), records::ComparisonTask{kSquared, {}, 1.0, vector_grid(), 1.0}, 3);
    check_close("of the count alone", alone.grid().gamma * static_cast<double>(alone.sums()[0]),
                static_cast<double>(kCount) - 4.0, 1e-5);
    records::ComparisonTask counting{kSquared, {theta, theta}, 1.5, vector_grid(), 0.6, 5};
    const sums::VectorSum counted = sum_of(rows, plain(), counting, 3);
    const double unit = counted.grid().gamma;
    check_close("records with a label, but for a bad one",
                unit * static_cast<double>(counted.sums()[2]),
                0.6 * static_cast<double>(kCount - 2), 1e-5);
    counting.counted = 0.0;
    const sums::VectorSum plain_sum = sum_of(rows, plain(), counting, 3);
    check_close("and less of the losses", static_cast<double>(counted.sums()[1]),
                0.8 * static_cast<double>(plain_sum.sums()[1]), 1e-6 * kCount / unit);
    check_true("filled up by zeros", counted.sums().size() == 5 && counted.sums()[3] == 0 &&
                                         counted.sums()[4] == 0 && plain_sum.sums()[2] == 0);
    arma::vec far = theta;
    far.fill(kInf);
    const sums::VectorSum lost = sum_of_predictors({far});
    check_close("a loss that is not a number is the bound",
                lost.grid().gamma * static_cast<double>(lost.sums()[0]),
                static_cast<double>(kCount), 1e-5);

    const sums::Tally scores = sum_of(rows, {}, score_task(), 3);
    check_true("a bad record has the largest score",
               scores.sums().size() == 2 && scores.sums()[0] >= std::int64_t{1} << 30);
}

/** Numbers of all signs and sizes, some of them equal to others. */
std::vector<double> some_numbers(std::size_t count, Random &random) {
    std::vector<double> numbers(count);
    for (double &value : numbers) value = std::ldexp(random.normal(), count % 7 == 0 ? 900 : 0);
    return numbers;
}

/** Column after column from 0, row by row: whatever the shape, the lanes, and what lies beside a
 *  row. */
void rows_are_multiplied_in_the_order_of_columns() {
    Random random(11);
    for (std::size_t size = 1; size <= 35; ++size)
        for (std::size_t columns : {std::size_t{1}, size, size + 3}) {
            const std::size_t rows = 1 + size % 19;
            const std::size_t apart = size + size % 3;
            const std::vector<double> entries = some_numbers(size * columns, random);
            const std::vector<double> from = some_numbers(rows * columns, random);
            std::vector<double> expected(rows * apart, 7.0);
            const std::vector<double> untouched(expected);
            for (std::size_t i = 0; i < rows; ++i) {
                std::fill_n(expected.data() + i * apart, size, 0.0);
                for (std::size_t j = 0; j < columns; ++j)
                    records::add_column(from[i * columns + j], entries.data() + j * size, size,
                                        expected.data() + i * apart);
            }
            for (std::size_t lanes = 2; lanes <= records::RowMap::most_lanes(); lanes *= 2) {
                const records::RowMap map(arma::mat(entries.data(), size, columns), lanes);
                std::vector<double> made(untouched);
                map.multiply(from.data(), rows, made.data(), apart);
                check_true("products", std::memcmp(made.data(), expected.data(),
                                                   made.size() * sizeof(double)) == 0);
            }
        }
}

/** The first sum reads the rows, the second keeps them, the third finds them kept. */
void every_reading_gives_the_same_sum() {
    Records rows(kCount);
    rows.x[5] = kNan;
    rows.x[30] = 1e308;
    rows.y[60] = kInf;
    rows.y[71] = kNan;
    Sample sample = rows.sample();
    auto weights = std::make_shared<SecretVector<double>>(kCount);
    for (std::size_t i = 0; i < kCount; ++i) (*weights)[i] = 0.25 * static_cast<double>(i % 11);
    sample.weigh(weights);
    std::vector<double> by_columns(rows.x.size());
    for (std::size_t i = 0; i < kCount; ++i)
        for (std::size_t j = 0; j < kCols; ++j) by_columns[j * kCount + i] = rows.x[i * kCols + j];
    Sample turned = Sample::lend({by_columns.data(), kCount, kCols, kCount, false}, rows.y.data());
    turned.weigh(weights);
    for (const records::Coordinates &coordinates : {plain(), mapped(), layered(), weighted()}) {
        const std::size_t d = coordinates.dimension();
        const records::GradientTask task{
            records::ScoredLoss{kSquared, numbers(d), 2.0}, 1.0, 0.5, {}, {}, vector_grid()};
        const records::GradientTask batch{records::ScoredLoss{kSquared, numbers(d), 2.0},
                                          1.0,
                                          0.5,
                                          {},
                                          {5, 3, 600, 10},
                                          vector_grid()};
        const records::Accumulator accumulator(sample, coordinates, 2);
        const sums::VectorSum first = accumulator.sum(task);
        for (int again = 0; again < 2; ++again)
            check_true("all", same(first, accumulator.sum(task)));
        check_true("a batch", same(accumulator.sum(batch),
                                   records::Accumulator(sample, coordinates, 1).sum(batch)));
        check_true("columns", same(first, records::Accumulator(turned, coordinates, 1).sum(task)));
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(rows_are_multiplied_in_the_order_of_columns),
        core_test(every_reading_gives_the_same_sum),
        core_test(terms_by_score_are_shrunken_residuals),
        core_test(mapped_terms_are_shrunken_gradients),
        core_test(short_gradients_are_counted_and_zeros_are_not),
        core_test(disjoint_batches_make_up_the_sample),
        core_test(outer_products_are_of_shrunken_records),
        core_test(rows_are_mapped_and_clipped),
        core_test(records_that_mean_nothing_are_counted_and_ignored),
        core_test(losses_and_scores_are_clipped_integers),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
