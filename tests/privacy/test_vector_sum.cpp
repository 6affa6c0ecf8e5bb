// Integer sums: the certified sensitivity holds for every pair of records, in exact integers.
#include <algorithm>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "privacy/release.hpp"
#include "sums/integer_sums.hpp"

using namespace dpadapt;
using privacy::VectorGrid;
using sums::VectorSum;

namespace {

VectorGrid grid_for(double mu, double clip, int bits) {
    return privacy::plan_grid(privacy::mu_square_units(mu), clip, bits);
}

std::vector<std::int64_t> integers_of(const VectorGrid &grid, const std::vector<double> &record) {
    VectorSum sum(record.size(), grid);
    sum.add(record);
    return {sum.sums().begin(), sum.sums().end()};
}

Uint128 squared(const std::vector<std::int64_t> &v) {
    Uint128 sum = 0;
    for (const std::int64_t x : v) sum += static_cast<Uint128>(Int128{x} * x);
    return sum;
}

/** Records that a careless sum would let through: huge, infinite, undefined, denormal, at the
 * bound. */
std::vector<std::vector<double>> nasty_records(std::size_t d, double clip, unsigned seed) {
    Random random(seed);
    std::vector<std::vector<double>> records;
    for (const double value :
         {0.0, clip, -clip, 1e308, -1e308, kInf, kNan, 5e-324, 1e-300, clip / std::sqrt(d)})
        records.emplace_back(d, value);
    records.emplace_back(d, 0.0).front() = -kInf;
    records.emplace_back(d, 1e308).back() = kNan;
    for (int trial = 0; trial < 40; ++trial) {
        std::vector<double> record(d);
        double norm = 0.0;
        for (double &x : record) {
            x = random.normal();
            norm += x * x;
        }
        const double length = clip * (trial % 2 == 0 ? 1.0 : std::exp(5 * random.normal()));
        for (double &x : record) x *= length / std::sqrt(norm);
        records.push_back(record);
    }
    return records;
}

/** Multiples of rows, of any length and of none, are what they are one by one: of few and of many
 *  numbers, on grids whose squares fit into 64 bits and on others, beyond one block. */
void multiples_are_the_terms_that_they_stand_for() {
    Random random(29);
    for (const std::size_t d : {1U, 7U, 8U, 9U, 16U, 21U, 64U, 300U}) {
        for (const int bits : {20, 28, 32, 40}) {
            const VectorGrid grid = grid_for(0.5, 2.5, bits);
            const auto records = nasty_records(d, 2.5, 13);
            std::vector<double> factors;
            std::vector<double> rows;
            VectorSum one_by_one(d, grid);
            for (int round = 0; round < 5; ++round) {
                for (const auto &record : records) {
                    const double factor = round == 0 ? 1.0 : random.normal();
                    factors.push_back(factors.size() % 31 == 30 ? kNan : factor);
                    rows.insert(rows.end(), record.begin(), record.end());
                    auto term = record;
                    for (double &value : term) value *= factors.back();
                    one_by_one.add(term);
                }
            }
            VectorSum sum(d, grid);
            sum.add_multiples(factors, rows.data());
            check_true("records", sum.records() == one_by_one.records());
            check_true("sums", std::ranges::equal(sum.sums(), one_by_one.sums()));
        }
    }
}

void any_two_records_differ_by_at_most_the_sensitivity() {
    for (const std::size_t d : {1U, 2U, 11U, 300U}) {
        for (const double mu : {1e-5, 0.025348234955061452, 3.0}) {
            for (const int bits : {32, 40}) {
                const VectorGrid grid = grid_for(mu, 2.5, bits);
                check_true("certified", grid.certified_mu() <= mu);
                std::vector<std::vector<std::int64_t>> all;
                for (const auto &record : nasty_records(d, 2.5, 11)) {
                    all.push_back(integers_of(grid, record));
                    check_true("norm", squared(all.back()) <=
                                           static_cast<Uint128>(Int128{grid.most} * grid.most));
                }
                const auto sensitivity =
                    static_cast<Uint128>(Int128{2 * grid.most} * (2 * grid.most));
                for (const auto &one : all) {
                    for (const auto &other : all) {
                        auto difference = one;
                        for (std::size_t k = 0; k < d; ++k) difference[k] -= other[k];
                        check_true("sensitivity", squared(difference) <= sensitivity);
                    }
                }
            }
        }
    }
}

void records_that_are_not_finite_count_as_zero() {
    for (const int bits : {32, 40}) {
        const VectorGrid grid = grid_for(0.5, 1.0, bits);
        for (const double value : {kNan, kInf, -kInf})
            check_true("zero",
                       integers_of(grid, {0.3, value, 0.1}) == std::vector<std::int64_t>(3, 0));
    }
}

/** Whatever the number of lanes that are left: towards zero, one by one, and shrunk only beyond the
 *  bound; a number that is not finite is found in any place. */
void every_length_is_rounded_one_by_one() {
    const VectorGrid grid = grid_for(1e-3, 1.0, 32);
    Random random(5);
    for (std::size_t d = 1; d <= 41; ++d) {
        std::vector<double> record(d);
        double square = 0.0;
        for (double &x : record) {
            x = random.normal();
            square += x * x;
        }
        for (double &x : record) x *= 0.999 / std::sqrt(square);
        std::vector<std::int64_t> expected(d);
        for (std::size_t k = 0; k < d; ++k)
            expected[k] = static_cast<std::int64_t>(std::trunc(record[k] * (1.0 / grid.gamma)));
        const auto bound = static_cast<Uint128>(Int128{grid.most} * grid.most);
        check_true("integers", integers_of(grid, record) == expected);
        for (std::size_t k = 0; k < d; ++k) {
            std::vector<double> long_one(record);
            long_one[k] = 3.0;  // longer by this place alone
            const std::vector<std::int64_t> shrunk = integers_of(grid, long_one);
            check_true("shrunk", squared(shrunk) <= bound && shrunk[k] > grid.most / 2);
            for (const double bad : {kNan, kInf, -kInf}) {
                long_one[k] = bad;
                check_true("zeros", integers_of(grid, long_one) == std::vector<std::int64_t>(d));
            }
        }
    }
}

void opposite_records_attain_the_sensitivity() {
    const VectorGrid grid = grid_for(0.5, 1.0, 32);
    const auto up = integers_of(grid, {1.0, 0.0});
    const auto down = integers_of(grid, {-1.0, 0.0});
    check_true("nothing is wasted", up[0] - down[0] >= 2 * grid.most - 2);
}

void published_grid_example() {
    // eps = 1, delta = 1e-5, Laplace share 0.1, 100 releases: mu = 0.25348234955061452 in total.
    const VectorGrid grid = grid_for(0.025348234955061452, 1.0, 32);
    check_true("Q", grid.most == 54434920);
    check_close("certified total", 10.0 * grid.certified_mu(), 0.25348234921693802, 1e-15);
    check_true("gamma is rounded up",
               std::fma(grid.gamma, static_cast<double>(grid.most), -1.0) >= 0);
    check_close("sigma", grid.sigma(), 2.0 / grid.certified_mu(), 1e-15);
}

void order_and_partition_do_not_matter() {
    const VectorGrid grid = grid_for(0.1, 1.0, 32);
    const auto records = nasty_records(7, 1.0, 3);
    VectorSum forward(7, grid);
    VectorSum backward(7, grid);
    for (const auto &record : records) forward.add(record);
    for (auto record = records.rbegin(); record != records.rend(); ++record) backward.add(*record);
    VectorSum merged(7, grid);
    for (std::size_t begin = 0; begin < records.size(); begin += 5) {
        VectorSum part(7, grid);
        for (std::size_t i = begin; i < std::min(begin + 5, records.size()); ++i)
            part.add(records[i]);
        merged.merge(part);
    }
    check_true("backward",
               std::equal(forward.sums().begin(), forward.sums().end(), backward.sums().begin()));
    check_true("merged",
               std::equal(forward.sums().begin(), forward.sums().end(), merged.sums().begin()));
    check_true("count", merged.records() == records.size());
}

void release_adds_the_noise_once_over_all_records() {
    const VectorGrid grid = grid_for(0.1, 1.0, 32);
    VectorSum sum(2, grid);
    sum.add(std::vector<double>{0.5, -0.25});
    const std::vector<std::int64_t> noise = {1000, -7};
    const auto released = sum.release(noise, 1);
    check_close("first", released[0],
                grid.gamma * (static_cast<double>(sum.sums()[0] + 1000) + 0.5), 1e-15);
    check_close("second", released[1], grid.gamma * (static_cast<double>(sum.sums()[1] - 7) + 0.5),
                1e-15);
    check_true("missing record", status_of([&] { (void)sum.release(noise, 2); }) == DPA_E_INTERNAL);
    check_true("missing noise", status_of([&] { (void)sum.release({}, 1); }) == DPA_E_INTERNAL);
    check_true("other grid", status_of([&] { sum.merge(VectorSum(2, grid_for(0.2, 1.0, 32))); }) ==
                                 DPA_E_INTERNAL);
    check_true("too little budget",
               status_of([] { (void)grid_for(1e-8, 1.0, 32); }) == DPA_E_OPTION);
    check_true("too much budget", status_of([] { (void)grid_for(1e9, 1.0, 32); }) == DPA_E_OPTION);
}

void roots_are_exact() {
    Random random(5);
    for (int trial = 0; trial < 10000; ++trial) {
        const auto value = static_cast<Uint128>(std::exp2(126 * random.uniform()));
        const Uint128 root = ceil_sqrt(value);
        check_true("root", root * root >= value && (root == 0 || (root - 1) * (root - 1) < value));
    }
    for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, (1ULL << 53) - 1, 1ULL << 62})
        check_true("square", ceil_sqrt(Uint128{n} * n) == n);
}

/** So many that 64 bits might not hold their sum: it is not released, whatever they hold. */
void more_records_than_the_grid_allows_are_refused() {
    VectorSum sum(1, {32, std::int64_t{1} << 45, 1.0});
    sum.add(std::vector<double>{0.0});
    std::uint64_t records = 1;
    for (; records < (std::uint64_t{1} << 17); records *= 2) sum.merge(VectorSum(sum));
    const std::vector<std::int64_t> noise{3};
    check_true("as many as fit", sum.release(noise, records) == std::vector<double>{3.5});
    sum.merge(VectorSum(sum));
    try {
        (void)sum.release(noise, 2 * records);
        check_true("must fail", false);
    } catch (const Error &error) {
        check_true("status", error.status() == DPA_E_OPTION);
        check_true("words", std::string(error.what()).find("too many records") == 0);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(any_two_records_differ_by_at_most_the_sensitivity),
        core_test(multiples_are_the_terms_that_they_stand_for),
        core_test(records_that_are_not_finite_count_as_zero),
        core_test(every_length_is_rounded_one_by_one),
        core_test(opposite_records_attain_the_sensitivity),
        core_test(published_grid_example),
        core_test(order_and_partition_do_not_matter),
        core_test(release_adds_the_noise_once_over_all_records),
        core_test(roots_are_exact),
        core_test(more_records_than_the_grid_allows_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
