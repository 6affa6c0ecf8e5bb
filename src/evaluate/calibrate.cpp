#include "evaluate/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/error_bound.hpp"
#include "evaluate/error_release.hpp"
#include "evaluate/private_evaluation.hpp"

namespace dpadapt::evaluate {
namespace {

/** Ends scale 2^(k/each) for k = from, .., to. */
void add_ends(double scale, int from, int to, int each, std::vector<double> &ends) {
    for (int k = from; k <= to; ++k)
        ends.push_back(scale * std::exp2(static_cast<double>(k) / each));
}

/** How large residuals may be, by public numbers; infinite: nothing tells it. */
double public_scale(const Solution &solution, const Sample *reference, const Settings &settings) {
    if (settings.evaluation.bound) return *settings.evaluation.bound;
    double scale = reference == nullptr ? HUGE_VAL : error_bound(solution, *reference);
    if (!std::isfinite(scale)) scale = solution.settings.error_bound;
    const UsedSettings &used = solution.settings;
    if (!std::isfinite(scale)) scale = used.prediction_highest - used.prediction_lowest;
    return scale > 1e-280 && scale < 1e280 ? scale : HUGE_VAL;
}

/** Ends at equal ratios for seven octaves up to the scale, and wider ones for four more. Minus log
 *  probabilities need no scale; where residuals have none, all doubles of usual size.
 *  @param coarse  For few rows: each end is one more that noise can make look short of rows. */
std::vector<double> ends_of(const Solution &solution, double scale, bool coarse) {
    const int each = coarse ? 4 : 16;  // docs/defaults.md
    const bool signs = solution.loss.kind == loss::Kind::pinball;
    std::vector<double> ends;
    if (loss::predicts_classes(solution.loss)) {
        add_ends(1.0, -10 * each, 5 * each, each, ends);
    } else if (std::isfinite(scale)) {
        add_ends(scale, -7 * each, 0, each, ends);
        add_ends(scale, 1, coarse ? 2 : 8, coarse ? 1 : 2, ends);
        if (coarse) add_ends(16.0 * scale, 0, 0, 1, ends);
    } else {
        const int few = coarse ? 1 : signs ? 3 : 6;
        add_ends(1.0, -32 * few, 32 * few, few, ends);
    }
    if (!signs) return ends;
    std::vector<double> both(ends.rbegin(), ends.rend());
    for (double &end : both) end = -end;
    both.insert(both.end(), ends.begin(), ends.end());
    return both;
}

/** Whether a tenth of the rows is less than four deviations of the noise. */
bool are_few(std::size_t rows, double noise) {
    constexpr double kDeviations = 4.0;  // docs/defaults.md
    return 0.1 * static_cast<double>(rows) < kDeviations * noise;
}

/** How many of these errors have a score below each end; times a factor, for fitted rows. */
std::vector<double> counts_below(const std::vector<RowError> &errors, const Solution &solution,
                                 double factor, const std::vector<double> &ends) {
    std::vector<double> below(ends.size());
    for (const RowError &error : errors) {
        const std::size_t bin =
            records::bin_of(factor * records::calibration_score(error, solution), ends);
        if (bin < ends.size()) below[bin] += 1.0;
    }
    for (std::size_t b = 1; b < ends.size(); ++b) below[b] += below[b - 1];
    return below;
}

/** Shares of the source's rows; empty where they tell nothing. */
std::vector<double> shares_below(const Solution &solution, const Sample &reference,
                                 const std::vector<double> &ends) {
    constexpr std::size_t kMost = 20000;
    const Sample drawn = reference.evenly_drawn(kMost);
    const double factor = left_out_factor(solution, reference.rows());
    if (drawn.rows() == 0 || !std::isfinite(factor)) return {};
    std::vector<double> shares =
        counts_below(row_errors(solution, drawn, Evaluation::in_blocks), solution, factor, ends);
    for (double &share : shares) share /= static_cast<double>(drawn.rows());
    return shares;
}

/** The source's share of the counts, from released values alone. It is small where noise is small
 *  beside the domains' difference, the usual one or the one found. */
double source_share(const Calibration &table, const std::vector<double> &source) {
    constexpr double kUsualDifference = 0.1;  // docs/defaults.md
    constexpr double kLeastShare = 0.01;
    double difference = 0.0;
    for (std::size_t b = 0; b < source.size(); ++b)
        difference = std::max(difference, std::abs(table.below[b] / table.count - source[b]));
    const double noise = table.noise_most / table.count;
    const double chance = 2.0 * std::sqrt(noise * noise + 0.25 / table.count);
    const double ratio = std::max(kUsualDifference, difference - chance) / noise;
    const double share = 1.0 / (1.0 + ratio * ratio);
    return share < kLeastShare ? 0.0 : share;
}

void add_source(const std::vector<double> &source, Calibration &table) {
    if (source.empty()) return;
    const double share = source_share(table, source);
    for (std::size_t b = 0; b < source.size(); ++b)
        table.below[b] += share * (table.count * source[b] - table.below[b]);
    table.noise_least *= 1.0 - share;
    table.noise_most *= 1.0 - share;
    table.source_share = share;
}

}  // namespace

PrivateCalibration::PrivateCalibration(const Sample &rows, const Sample *reference,
                                       const Settings &settings, const Solution &solution)
    : PaidCall(settings), rows_(rows, settings) {
    const PrivacySettings &own = settings.privacy;
    privacy::Plan plan;
    plan.budget = gaussian_budget(own);
    task_.grid = histogram_grid(plan.budget->cap.mu_square, rows_.rows(), own.neighbours);
    const double scale = public_scale(solution, reference, settings);
    std::vector<double> ends = ends_of(solution, scale, false);
    if (are_few(rows_.rows(), std::pow(records::rank_norm(ends.size()), 2) * task_.grid.sigma()))
        ends = ends_of(solution, scale, true);
    if (reference != nullptr) reference_ = shares_below(solution, *reference, ends);
    task_.solutions.push_back(predictor_of(solution));
    task_.asked = records::ErrorsAsked::scores;
    task_.edges.emplace_back(ends);
    task_.areas.emplace_back(2 * (records::kOddsBins + 1), arma::fill::zeros);
    plan.releases.push_back(release_of(privacy::ReleaseKind::scores, task_, own.neighbours));
    plan.total += plan.releases.back().cost();
    set_plan(std::move(plan));
}

Calibration PrivateCalibration::release(privacy::ReleaseTrace *trace) const {
    constexpr std::uint64_t kStep = 2;  // after those of an evaluation
    const std::vector<double> released = release_sum(*this, rows_, task_, kStep, trace);
    const std::size_t ends = released.size();
    const std::span<const double> factors = records::rank_factors();
    const double unit = records::rank_norm(ends);
    Calibration table;
    table.ends.assign(task_.edges.front().begin(), task_.edges.front().end());
    table.below.resize(ends);
    table.count = static_cast<double>(rows_.rows());
    table.persons = rows_.has_persons();
    table.seeded = settings().privacy.unsafe_seed.has_value();
    table.epsilon = *settings().privacy.epsilon;
    table.delta = *settings().privacy.delta;
    table.noise_least = unit * task_.grid.sigma();
    table.noise_most = unit * table.noise_least;
    for (std::size_t i = 0; i < ends; ++i) {
        double above = 0.0;
        for (std::size_t k = 0; k <= i; ++k) above += factors[i - k] * released[k];
        table.below[ends - 1 - i] = table.count - unit * above;
    }
    add_source(reference_, table);
    return table;
}

Calibration calibrate_publicly(const Sample &rows, const Settings &settings,
                               const Solution &solution) {
    Calibration table;
    table.ends = ends_of(solution, public_scale(solution, nullptr, settings), false);
    table.below = counts_below(checked_errors(solution, rows), solution, 1.0, table.ends);
    table.count = static_cast<double>(rows.rows());
    table.epsilon = HUGE_VAL;
    return table;
}

}  // namespace dpadapt::evaluate
