// Which rows are drawn depends on what they say, not on their units, nor on the order of rows and
// columns; of rows that are alike as many are drawn as of others.
#include <iterator>
#include <numeric>
#include <vector>

#include "core.hpp"
#include "engine/survey.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kRows = 40000;
constexpr std::size_t kColumns = 4;
constexpr std::size_t kAbout = 8000;

struct Table {
    arma::mat x;
    arma::vec y;

    [[nodiscard]] std::vector<std::size_t> drawn() const {
        const Sample rows =
            Sample::lend({x.memptr(), x.n_rows, x.n_cols, x.n_rows, false}, y.memptr());
        return engine::draw_rows(rows, column_means(rows, 1), kAbout);
    }
};

/** Of normal numbers, or of so many different ones, one far more often than the others. */
Table table_of(unsigned different = 0) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::geometric_distribution<unsigned> geometric(0.5);
    const auto cell = [&] {
        return different > 0 ? std::min(geometric(random), different - 1) : normal(random);
    };
    Table table{arma::mat(kRows, kColumns), arma::vec(kRows)};
    table.x.imbue(cell);
    table.y.imbue(cell);
    return table;
}

void check_count(const char *what, std::size_t found, double expected) {
    const double deviation = std::sqrt(expected);
    check_true(what, std::abs(static_cast<double>(found) - expected) <= 5.0 * deviation);
}

void units_do_not_matter() {
    const Table table = table_of();
    const std::vector<std::size_t> drawn = table.drawn();
    check_count("as many as asked for", drawn.size(), kAbout);
    Table other = table;
    other.x.col(0) = 1e7 * other.x.col(0) - 3e7;
    other.x.col(1) *= 1e-8;
    other.x.col(2) = other.x.col(2) / 3.0 + 1e2;
    other.y = 0.3 * other.y + 17.0;
    check_true("the same rows in other units", other.drawn() == drawn);
    // A mean of 30 000 deviations leaves 12 digits: hardly any number is rounded otherwise.
    other.x.col(2) += 1e4;
    std::vector<std::size_t> far = other.drawn();
    std::vector<std::size_t> near = drawn;
    std::sort(far.begin(), far.end());
    std::sort(near.begin(), near.end());
    std::vector<std::size_t> changed;
    std::set_symmetric_difference(far.begin(), far.end(), near.begin(), near.end(),
                                  std::back_inserter(changed));
    check_true("nearly the same rows far away", changed.size() <= 2);
}

void orders_do_not_matter() {
    const Table table = table_of();
    Table other = table;
    for (arma::uword j = 0; j < kColumns; ++j) other.x.col(j) = table.x.col((j + 1) % kColumns);
    const std::vector<std::size_t> drawn = table.drawn();
    check_true("the same rows of other columns", other.drawn() == drawn);
    other.x = arma::flipud(table.x);
    other.y = arma::flipud(table.y);
    std::vector<std::size_t> places = other.drawn();
    for (std::size_t &place : places) place = kRows - 1 - place;
    check_true("the same rows backwards", places == drawn);
}

void rows_that_are_alike_are_drawn_alike() {
    const Table table = table_of(3);
    const std::vector<std::size_t> drawn = table.drawn();
    check_count("as many as asked for", drawn.size(), kAbout);
    const auto zeros = [&](const std::vector<std::size_t> &places) {
        return static_cast<std::size_t>(std::count_if(
            places.begin(), places.end(),
            [&](std::size_t i) { return !arma::any(table.x.row(i)) && table.y(i) == 0.0; }));
    };
    std::vector<std::size_t> all(kRows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    constexpr double kShare = static_cast<double>(kAbout) / kRows;
    check_count("their share", zeros(drawn), kShare * static_cast<double>(zeros(all)));

    Table same = table;
    same.x.zeros();
    same.y.zeros();
    check_count("of one row many times", same.drawn().size(), kAbout);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(units_do_not_matter), core_test(orders_do_not_matter),
                                core_test(rows_that_are_alike_are_drawn_alike)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
