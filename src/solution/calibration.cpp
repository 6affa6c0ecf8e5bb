#include "solution/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/text.hpp"
#include "solution/predict.hpp"

namespace dpadapt {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/** Integral of the normal distribution function up to x. */
double integral(double x) {
    const double density = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    return 0.5 * x * std::erfc(-x / std::numbers::sqrt2) + density;
}

/** A lower bound of the coverage if noisy counts must reach `wanted`: the mean of
 *  Phi((wanted - r)/sigma) over r in [0, count + 1], with the sigma that makes each term least
 *  (docs/privacy.md). */
double coverage(const Calibration &table, double wanted) {
    constexpr double kLeastNoise = 1e-9;
    const double beyond = wanted - table.count - 1.0;
    const double most = std::max(table.noise_most, kLeastNoise);
    const double least = std::max(table.noise_least, kLeastNoise);
    const double up_to = most * (integral(wanted / most) - integral(std::max(beyond, 0.0) / most));
    const double from = least * (integral(0.0) - integral(std::min(beyond, 0.0) / least));
    // mutant: level_without_the_noise, level_without_the_new_row
    return (up_to + from) / (table.count + 1.0);
}

/** How many the noisy counts must reach for that level; infinite where all rows do not suffice. */
double wanted_count(const Calibration &table, double level) {
    constexpr double kRounding = 1e-12;
    const double least = (1.0 - kRounding) * level;
    if (!(coverage(table, table.count) >= least)) return kInfinite;
    const auto falls_short = [&](double count) { return coverage(table, count) < least; };
    return (1.0 - kRounding) * bisect(0.0, table.count, 60, falls_short).second;
}

std::vector<double> intervals(const Solution &solution, double level, const linalg::MatrixView &x) {
    const Calibration &table = solution.calibration;
    const bool signs = solution.loss.kind == loss::Kind::pinball;  // half the misses on each side
    const double above = table.upper(signs ? 0.5 * (1.0 + level) : level);
    const double below = signs ? table.lower(0.5 * (1.0 + level)) : -above;
    std::vector<double> ends = predict(solution, x);
    ends.resize(2 * x.rows);
    for (std::size_t i = 0; i < x.rows; ++i) {
        ends[x.rows + i] = ends[i] + above;
        ends[i] += below;
    }
    return ends;
}

std::vector<double> sets(const Solution &solution, double level, const linalg::MatrixView &x) {
    constexpr double kRounding = 1.0 - 1e-12;
    const double least = kRounding * std::exp(-solution.calibration.upper(level));
    std::vector<double> numbers = probabilities(solution, x);
    if (solution.outputs() == 1) {  // of the label +1; the first class is -1
        numbers.insert(numbers.begin(), x.rows, 0.0);
        for (std::size_t i = 0; i < x.rows; ++i) numbers[i] = 1.0 - numbers[x.rows + i];
    }
    for (double &number : numbers)
        if (!std::isnan(number)) number = number >= least ? 1.0 : 0.0;
    return numbers;
}

}  // namespace

double Calibration::upper(double level) const {
    const double wanted = wanted_count(*this, level);
    double end = kInfinite;
    // Monotone from above: an end counts if no later one has fewer rows than are wanted.
    for (std::size_t b = ends.size(); b > 0 && below[b - 1] >= wanted; --b) end = ends[b - 1];
    return end;
}

double Calibration::lower(double level) const {
    const double wanted = wanted_count(*this, level);
    double end = -kInfinite;
    for (std::size_t b = 0; b < ends.size() && count - below[b] >= wanted; ++b) end = ends[b];
    return end;
}

std::string Calibration::promise() const {
    if (!there()) return {};
    const std::string unit = persons ? "person" : "row";
    const std::string rows = std::to_string(std::llround(count)) + ' ' + unit + 's';
    std::string text =
        "An interval of level L holds the label of a new row with probability at least L, over "
        "that row, the " +
        rows +
        " of its calibration, which must be drawn alike and unseen by the fit, and the "
        "noise. Intervals end up to level " +
        to_text(std::floor(1000.0 * last_level()) / 1000.0) + '.';
    if (source_share > 0.0)
        text += " A share of " + to_text(std::round(1000.0 * source_share) / 1000.0) +
                " of the counts is the source's: L falls by up to that share of the largest "
                "difference between the domains' distributions of errors.";
    if (std::isinf(epsilon)) return text + " Nothing protects the rows of the calibration.";
    if (seeded) return text + " NOT PRIVATE: the noise of the calibration came from unsafe_seed.";
    return text + " The calibration is private with epsilon = " + to_text(epsilon) +
           " and delta = " + to_text(delta) + " for each " + unit +
           ", beside what the fit costs one that is in both.";
}

double Calibration::last_level() const {
    const bool signs = ends.front() < 0.0;
    const auto ends = [&](double level) {
        const double each = signs ? 0.5 * (1.0 + level) : level;
        return std::isfinite(upper(each)) && (!signs || std::isfinite(lower(each)));
    };
    return bisect(0.0, 1.0, 30, ends).first;
}

std::size_t interval_width(const Solution &solution) {
    return loss::predicts_classes(solution.loss) ? std::max<std::size_t>(solution.outputs(), 2) : 2;
}

std::vector<double> prediction_intervals(const Solution &solution, double level,
                                         const linalg::MatrixView &x) {
    if (!solution.calibration.there())
        throw Error(DPA_E_UNSUPPORTED,
                    "the solution has no calibration, which tells how far labels are from "
                    "predictions: dpa_solution_calibrate makes one");
    if (!(level > 0.0 && level < 1.0))
        throw Error(DPA_E_INVALID_ARGUMENT, "level must be in (0, 1), but is " + to_text(level));
    return loss::predicts_classes(solution.loss) ? sets(solution, level, x)
                                                 : intervals(solution, level, x);
}

}  // namespace dpadapt
