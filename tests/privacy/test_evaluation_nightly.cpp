// What intervals of evaluations cover, over 2000 evaluations of each population, and how much wider
// than ordinary ones they are.
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

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(intervals_cover_ten_thousand_rows),
        core_test(intervals_cover_two_thousand_rows),
        core_test(differences_cover),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
