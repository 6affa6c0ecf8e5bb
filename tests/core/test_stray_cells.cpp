// Which cells are stray, against the definition by complete orders, for columns of many laws, units
// and codes: no column that has some is passed over.
#include <functional>
#include <vector>

#include "core.hpp"
#include "problem/stray_cells.hpp"

using namespace dpadapt;

namespace {

using Column = std::vector<double>;

double quantile_of(Column values, double level) {
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(level * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Column finite_of(const Column &cells, std::size_t most) {
    Column finite;
    const std::size_t taken = std::min(cells.size(), most);
    for (std::size_t k = 0; k < taken; ++k)
        if (const double cell = cells[k * cells.size() / taken]; std::isfinite(cell))
            finite.push_back(cell);
    return finite;
}

struct Definition {
    double median = 0.0;
    double least = std::numeric_limits<double>::infinity();  ///< distance that is stray
};

Definition definition(const Column &cells) {
    Definition result;
    Column drawn = finite_of(cells, 4096);
    if (drawn.size() < 20) return result;
    result.median = quantile_of(drawn, 0.5);
    for (double &cell : drawn) cell = std::abs(cell - result.median);
    double typical = quantile_of(drawn, 0.5);
    if (const double rounding = 1e-12 * std::abs(result.median); typical <= rounding) {
        std::erase_if(drawn, [&](double distance) { return distance <= rounding; });
        if (drawn.empty()) return result;
        typical = quantile_of(drawn, 0.1);
    }
    Column all = finite_of(cells, cells.size());
    for (double &cell : all) cell = std::abs(cell - result.median);
    std::erase_if(all, [](double distance) { return !std::isfinite(distance); });
    std::sort(all.begin(), all.end());
    for (std::size_t k = all.size() - std::min(all.size(), cells.size() / 20); k < all.size();
         ++k) {
        if (!(all[k] > 20.0 * 1.4826 * typical)) continue;
        const double before = k == 0 ? 0.0 : all[k - 1];
        std::size_t times = 0;
        for (std::size_t i = k; i < all.size(); ++i)
            times = std::max(times,
                             static_cast<std::size_t>(std::count(
                                 all.begin() + static_cast<std::ptrdiff_t>(k), all.end(), all[i])));
        const double gap = all[k] / before;
        if (gap >= 20.0 || (gap >= 4.0 && times >= 3 && 2 * times >= all.size() - k)) {
            result.least = all[k];
            break;
        }
    }
    return result;
}

/** One column of the sample, whose others are this one as well. */
void check_column(const std::string &what, const Column &cells) {
    const Definition expected = definition(cells);
    const linalg::MatrixView x{cells.data(), cells.size(), 1, 1, true};
    const Sample sample = Sample::lend_unlabelled(x);
    const std::optional<Sample> cleaned = StrayCells(sample, false, nullptr).without(sample);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double distance = std::abs(cells[i] - expected.median);
        const bool stray = std::isfinite(distance) && distance >= expected.least;
        const double after = cleaned ? cleaned->x()(i, 0) : cells[i];
        const double wanted = stray ? expected.median : cells[i];
        wrong += !(after == wanted || (std::isnan(after) && std::isnan(wanted)));
    }
    check_true(what + ": " + std::to_string(wrong) + " cells", wrong == 0);
}

using Draw = std::function<double(Random &)>;

double heavy(Random &random, double power) {
    const double value = random.normal();
    return std::copysign(std::pow(std::abs(value), power), value);
}

const std::pair<const char *, Draw> laws[] = {
    {"normal", [](Random &random) { return random.normal(); }},
    {"far from zero", [](Random &random) { return 1e7 + random.normal(); }},
    {"uniform", [](Random &random) { return random.uniform(); }},
    {"lognormal", [](Random &random) { return std::exp(random.normal()); }},
    {"third power", [](Random &random) { return heavy(random, 3.0); }},
    {"sixth power", [](Random &random) { return heavy(random, 6.0); }},
    {"Cauchy", [](Random &random) { return random.normal() / random.normal(); }},
    {"counts", [](Random &random) { return std::floor(3.0 * random.uniform()); }},
    {"indicator", [](Random &random) { return random.uniform() < 0.1 ? 1.0 : 0.0; }},
    {"rare", [](Random &random) { return random.uniform() < 0.03 ? random.normal() : 5.0; }},
    {"two groups",
     [](Random &random) { return random.normal() + (random.uniform() < 0.5 ? 0.0 : 40.0); }},
    {"constant", [](Random &) { return 2.5; }},
    {"some missing",
     [](Random &random) { return random.uniform() < 0.2 ? std::nan("") : random.normal(); }},
};

/** A code in every so many cells: none, far, and where distances of 20 deviations end. */
void columns_follow_the_definition() {
    constexpr double kCodes[] = {0.0, 15.0, 19.0, 20.5, 24.0, 30.0, 99.0, 1e9, HUGE_VAL};
    constexpr double kUnits[] = {1.0, 1e-300, 1e-309, 1e290};
    Random random(11);
    std::size_t cases = 0;
    for (const auto &[name, draw] : laws)
        for (const std::size_t rows : {12U, 19U, 20U, 47U, 400U, 5000U})
            for (const double code : kCodes)
                for (const std::size_t every : {23U, 31U, 200U}) {
                    const double unit = kUnits[cases++ % std::size(kUnits)];
                    Column cells;
                    for (std::size_t i = 0; i < rows; ++i) cells.push_back(unit * draw(random));
                    for (std::size_t i = 0; code != 0.0 && i < rows; i += every)
                        cells[i] = unit * code * (1.0 + (every == 23 ? random.uniform() : 0.0));
                    check_column(std::string(name) + ", " + std::to_string(rows) + " rows, code " +
                                     std::to_string(code) + " every " + std::to_string(every),
                                 cells);
                }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(columns_follow_the_definition)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
