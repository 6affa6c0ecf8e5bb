// What intervals of evaluations cover, over 500 or 2000 evaluations of each population, and how
// much wider than ordinary ones they are.
#include "privacy/evaluation.hpp"

namespace {

void check_all(std::size_t rows, bool widths) {
    const OptionTexts options = {{"epsilon", "1"}, {"delta", "1e-6"}};
    for (LabelledPopulation population :
         {numbers_population(), quantile_population(), classes_population()}) {
        population.solutions.resize(1);
        for (const auto &[name, found] : cover(population, rows, 2000, options, 4000000)) {
            const double ratio = found.width / found.public_width;
            std::printf("%6zu %-10s %-28s covers %.4f (ordinary %.4f), width %.3f\n", rows,
                        population.name.c_str(), name.c_str(), found.covered, found.public_covered,
                        ratio);
            check_true(name, found.covered >= 0.94);
            if (!widths) continue;  // where noise hides more, intervals are on the safe side
            check_true(name + " not too often", found.covered <= 0.98);
            check_true(name + " width", ratio <= 1.3);
        }
    }
}

void intervals_cover_ten_thousand_rows() { check_all(10000, true); }
void intervals_cover_two_thousand_rows() { check_all(2000, false); }

void differences_cover() {
    const OptionTexts options = {{"epsilon", "1"}, {"delta", "1e-6"}};
    for (const LabelledPopulation &population :
         {numbers_population(), quantile_population(), classes_population()})
        for (const auto &[name, found] : cover(population, 10000, 2000, options, 4000000)) {
            std::printf("%-10s %-32s covers %.4f\n", population.name.c_str(), name.c_str(),
                        found.covered);
            check_true(name, found.covered >= 0.94 && found.covered <= 0.98);
        }
}

/** Skewed and heavy tails, where sampling alone covers 0.72 (Student's) to 0.95. */
void squared_errors_with_long_tails_are_covered() {
    const auto student = [](Random &random) {
        const auto square = [&] { return std::pow(random.normal(), 2.0); };
        return random.normal() / std::sqrt((square() + square() + square()) / 3.0);
    };
    const auto sparse = [](Random &random) {
        return random.uniform() < 0.1 ? 5.0 * draw_exponential(random) : 0.0;
    };
    for (const Residuals &own :
         {residuals("normal", 0.0, 1.0, [](Random &random) { return random.normal(); }),
          residuals("exponential", 1.0, 1.0, draw_exponential), lognormal_residuals(),
          residuals("sparse", 0.5, 4.75, sparse), residuals("student 3", 0.0, 3.0, student)})
        for (const std::size_t rows : {1000, 3000, 10000})
            for (const char *epsilon : {"1", "4"})
                for (const bool with_source : {false, true}) {
                    const SquareCoverage found = cover_square(own, rows, 500, epsilon, with_source);
                    const std::string &name = own.population.name;
                    std::printf("%-11s %5zu epsilon %s %-6s covers %.3f, told %.3f, upper +%.2f\n",
                                name.c_str(), rows, epsilon, with_source ? "source" : "",
                                found.covered, found.told, found.width);
                    check_true(name, found.covered >= 0.9);
                    if (name == "normal") check_true("no false alarm", found.told <= 0.02);
                }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(intervals_cover_ten_thousand_rows),
        core_test(intervals_cover_two_thousand_rows),
        core_test(differences_cover),
        core_test(squared_errors_with_long_tails_are_covered),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
