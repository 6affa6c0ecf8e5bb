// Sums of outer products: exact, mergeable, of certified sensitivity, with the noise that they say.
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "privacy/release.hpp"
#include "random/noise.hpp"
#include "sums/integer_sums.hpp"

using namespace dpadapt;
using privacy::OuterGrid;
using sums::OuterSum;

namespace {

constexpr std::size_t kDimension = 4;
constexpr std::size_t kEntries = kDimension * (kDimension + 1) / 2;

using Vector = std::vector<double>;

OuterGrid grid_for(double mu, std::uint64_t records = 1000) {
    return privacy::plan_outer_grid(privacy::mu_square_units(mu), records).value();
}

std::vector<std::int64_t> packed_sum(const OuterGrid &grid, const std::vector<Vector> &records) {
    OuterSum sum(kDimension, grid);
    for (const Vector &x : records) sum.add(x);
    return sum.packed();
}

void plan_stays_within_the_price() {
    for (const double mu : {1e-3, 0.01, 0.0793, 0.5, 3.0, 49.0})
        for (const std::uint64_t records : {1ULL, 1000ULL, 100000000ULL}) {
            const OuterGrid grid = grid_for(mu, records);
            const privacy::Release release{privacy::Mechanism::gaussian,
                                           privacy::ReleaseKind::second_moments,
                                           privacy::kTarget,
                                           1,
                                           1,
                                           grid.bits,
                                           grid.integer_sensitivity(),
                                           1.0,
                                           0.0};
            check_true("price", release.cost().mu_square <= privacy::mu_square_units(mu));
            check_true("sensitivity covers sqrt(2) 128 length^2",
                       static_cast<double>(grid.integer_sensitivity()) >=
                           std::sqrt(2.0) * 128.0 * static_cast<double>(grid.length) *
                               static_cast<double>(grid.length));
            if (mu < 1.0) check_true("most of the price is used", release.step_price() > 0.98 * mu);
        }
    check_true("no grid where it would be too coarse",
               !privacy::plan_outer_grid(privacy::mu_square_units(1e-9), 1000));
    check_true("finer grids for fewer records",
               grid_for(0.1, 1000).bits >= grid_for(0.1, 1ULL << 30).bits);
}

/** Between sums of neighbours: the largest share of the squared sensitivity. */
double largest_step(const OuterGrid &grid, const std::vector<std::vector<std::int64_t>> &sums) {
    const Int128 sensitivity = grid.integer_sensitivity();
    const auto most = static_cast<Uint128>(sensitivity * sensitivity);
    double largest = 0.0;
    for (const auto &a : sums)
        for (const auto &b : sums) {
            Uint128 square = 0;
            for (std::size_t k = 0; k < kEntries; ++k) {
                const Int128 difference = Int128{a[k]} - b[k];
                square += static_cast<Uint128>(difference * difference);
            }
            check_true("sensitivity", square <= most);
            largest = std::max(largest, static_cast<double>(square) / static_cast<double>(most));
        }
    return largest;
}

void neighbours_differ_by_at_most_the_sensitivity() {
    const OuterGrid grid = grid_for(0.1);
    const std::vector<Vector> others = {
        {0, 0, 0, 0},         {1, 0, 0, 0},           {0, 1, 0, 0},         {-1, 0, 0, 0},
        {5, 5, 5, 5},         {1e308, -1e308, 1, 0},  {kNan, 0, 0, 0},      {kInf, 1, 1, 1},
        {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.7, 0.7, 0.1, 0.1}, {5e-324, 0, 0, 1}};
    const Vector common = {0.3, -0.2, 0.4, 0.1};
    std::vector<std::vector<std::int64_t>> sums;
    for (const Vector &one : others) sums.push_back(packed_sum(grid, {common, one}));
    check_true("orthogonal records come near it", largest_step(grid, sums) > 0.99);
}

void a_record_that_is_taken_out_moves_the_sum_by_its_own_square() {
    const Uint128 price = privacy::mu_square_units(0.1);
    const OuterGrid grid = *privacy::plan_outer_grid(price, 1000, privacy::Neighbours::zero_out);
    const Int128 sensitivity = grid.integer_sensitivity(privacy::Neighbours::zero_out);
    const auto most = static_cast<Uint128>(sensitivity * sensitivity);
    check_true("within the price", sensitivity <= privacy::plan_sensitivity(price, grid.bits));
    check_true("longer than where records are replaced",
               static_cast<double>(grid.length) > 1.18 * static_cast<double>(grid_for(0.1).length));
    double largest = 0.0;
    for (const Vector &x : std::vector<Vector>{{1, 0, 0, 0}, {5, 5, 5, 5}, {0.6, 0.8, 0, 0}}) {
        Uint128 square = 0;
        for (const Int128 entry : packed_sum(grid, {x}))
            square += static_cast<Uint128>(entry * entry);
        check_true("sensitivity", square <= most);
        largest = std::max(largest, static_cast<double>(square) / static_cast<double>(most));
    }
    check_true("records come near it", largest > 0.99);
}

/** Of persons, whose rows may be as long as they like, and as many. */
void the_products_of_a_person_count_as_one() {
    const OuterGrid grid = grid_for(0.1);
    const auto sum_of = [&](const std::vector<Vector> &rows) {
        OuterSum sum(kDimension, grid);
        for (std::size_t k = 0; k < rows.size(); ++k) sum.add_part(rows[k], rows.size(), k == 0);
        check_true("a person counts once", sum.records() == 1);
        return sum.packed();
    };
    const std::vector<std::vector<Vector>> persons = {{{5, 0, 0, 0}},
                                                      {{5, 0, 0, 0}, {0, 5, 0, 0}},
                                                      std::vector<Vector>(7, {0, 0, 9, 0}),
                                                      std::vector<Vector>(1000, {1e308, 0, 0, 0}),
                                                      {{kNan, 0, 0, 0}, {0, 0, 0, 3}, {0, 0, 0, 3}},
                                                      {{0.1, 0, 0, 0}, {0, 0.1, 0, 0}},
                                                      std::vector<Vector>(300000, {0, 1, 1, 0})};
    std::vector<std::vector<std::int64_t>> sums;
    for (const auto &person : persons) sums.push_back(sum_of(person));
    check_true("orthogonal persons come near it", largest_step(grid, sums) > 0.99);
}

void sums_are_exact_and_mergeable() {
    const OuterGrid grid = grid_for(0.1);
    Random random(1);
    std::vector<Vector> records;
    for (int i = 0; i < 50; ++i) {
        records.push_back({random.normal(), random.normal(), random.normal(), random.normal()});
        for (double &x : records.back()) x *= 0.3;
    }
    OuterSum first(kDimension, grid);
    OuterSum second(kDimension, grid);
    for (std::size_t i = 0; i < records.size(); ++i) (i % 3 == 0 ? first : second).add(records[i]);
    second.merge(first);
    check_true("order and partition do not matter", second.packed() == packed_sum(grid, records));
    check_true("all records are counted", second.records() == records.size());

    const std::vector<std::int64_t> no_noise(kEntries, 0);
    const std::vector<double> released = second.release(no_noise, records.size());
    std::size_t k = 0;
    for (std::size_t j = 0; j < kDimension; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++k) {
            double sum = 0.0;
            for (const Vector &x : records) {
                const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
                sum += x[i] * x[j] / std::max(1.0, square);
            }
            check_true("near the sum in doubles", std::abs(released[k] - sum) < 0.01);
        }
}

void noise_is_what_the_grid_says() {
    const OuterGrid grid = grid_for(0.5);
    const random::Key key;
    constexpr std::size_t kRounds = 4000;
    double diagonal = 0.0;
    double other = 0.0;
    for (std::size_t round = 0; round < kRounds; ++round) {
        std::vector<std::int64_t> noise(kEntries);
        random::fill_with_noise(noise, random::normal, static_cast<unsigned>(grid.bits), key,
                                random::Purpose::gaussian_moments, round);
        const std::vector<double> released = OuterSum(kDimension, grid).release(noise, 0);
        diagonal += std::pow(released[0] / grid.deviation(), 2);
        other += std::pow(released[1] * 181.0 / 128.0 / grid.deviation(), 2);
    }
    // Means of squares of standard normals: six of their deviations.
    const double most = 6.0 * std::sqrt(2.0 / kRounds);
    check_true("on the diagonal", std::abs(diagonal / kRounds - 1.0) < most);
    check_true("off the diagonal", std::abs(other / kRounds - 1.0) < most);
}

void misuse_is_refused() {
    const OuterGrid grid = grid_for(0.1);
    OuterSum sum(kDimension, grid);
    sum.add({{0.1, 0.2, 0.3, 0.4}});
    const std::vector<std::int64_t> noise(kEntries, 0);
    for (const auto &attempt :
         {+[](OuterSum &s, const std::vector<std::int64_t> &n) { (void)s.release(n, 2); },
          +[](OuterSum &s, const std::vector<std::int64_t> &) { (void)s.release({}, 1); },
          +[](OuterSum &s, const std::vector<std::int64_t> &) {
              s.merge(OuterSum(kDimension, grid_for(0.2)));
          }}) {
        bool refused = false;
        try {
            attempt(sum, noise);
        } catch (const Error &) {
            refused = true;
        }
        check_true("refused", refused);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(plan_stays_within_the_price),
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(a_record_that_is_taken_out_moves_the_sum_by_its_own_square),
        core_test(the_products_of_a_person_count_as_one),
        core_test(sums_are_exact_and_mergeable),
        core_test(noise_is_what_the_grid_says),
        core_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
