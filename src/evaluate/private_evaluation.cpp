#include "evaluate/private_evaluation.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "evaluate/decode.hpp"
#include "evaluate/error_bound.hpp"
#include "evaluate/error_release.hpp"

namespace dpadapt::evaluate {
namespace {

using records::ErrorKind;
using records::ErrorTask;
using records::ErrorTerm;

/** The share 2/25 of mu^2 is for the first release. */
constexpr Uint128 kSizesShare = 2;  // docs/defaults.md
constexpr Uint128 kAllShares = 25;

constexpr double kMostBound = 1e75;         // variances have its fourth power
constexpr double kLeastProbability = 0.01;  // of a class, where no public error is known

/** What noise can hide of the rows, as a share: above the first one a histogram is useless, and
 *  below the second one it is used alone. */
constexpr double kMostShare = 0.1;  // docs/defaults.md
constexpr double kSureShare = 0.003;
constexpr double kSurePinballShare = 0.012;
constexpr double kManyPinballClipped = 0.03;  // their bounds are closer to them
constexpr double kSureOddsShare = 0.05;

/** For sizes beyond the end of a noisy histogram, which is where about that share of the rows is
 *  left: residuals have the tails of a normal distribution, losses those of an exponential one. */
double room_for(bool residuals, double share) {
    constexpr double kUsualShare = 0.01;  // for which 1.3 and 1.7 are right
    const double longer = std::log(kUsualShare) / std::log(std::clamp(share, 1e-4, 0.3));
    return residuals ? 1.3 * std::max(1.0, std::sqrt(longer)) : 1.7 * std::max(1.0, longer);
}

std::vector<double> odds_ends() {
    std::vector<double> upper;
    for (std::size_t b = 0; b < records::kOddsBins; ++b)
        upper.push_back(records::upper_log_odds(b));
    return upper;
}

/** Means over five bins, which have less noise. */
std::vector<double> smoothed(std::span<const double> counts) {
    constexpr std::size_t kHalf = 2;
    std::vector<double> means(counts.size());
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const std::size_t from = b < kHalf ? 0 : b - kHalf;
        const std::size_t to = std::min(counts.size(), b + kHalf + 1);
        for (std::size_t k = from; k < to; ++k) means[b] += counts[k] / (2.0 * kHalf + 1.0);
    }
    return means;
}

/** From noisy counts of negative rows, then positive ones: where noise cannot explain both
 *  together. */
void learn_odds(std::span<const double> counts, double noise, arma::vec &edges,
                Reference &reference) {
    std::vector<double> negative = smoothed(counts.first(records::kOddsBins));
    std::vector<double> positive = smoothed(counts.last(records::kOddsBins));
    std::vector<double> both(records::kOddsBins);
    const double least = 2.0 * std::sqrt(2.0 / 5.0) * noise;
    for (std::size_t b = 0; b < records::kOddsBins; ++b) {
        if (negative[b] + positive[b] > least) both[b] = negative[b] + positive[b];
        negative[b] = both[b] > 0.0 ? std::max(negative[b], 0.0) : 0.0;
        positive[b] = both[b] > 0.0 ? std::max(positive[b], 0.0) : 0.0;
    }
    edges = arma::vec(equal_parts(both, odds_ends()));
    reference = Reference(std::move(negative), std::move(positive));
}

/** Of sizes that are clipped. */
Powers powers_of(std::span<const double> sizes, double bound) {
    Powers powers;
    for (const double size : sizes) {
        const double square = std::pow(std::min(size / bound, 1.0), 2.0);
        powers.square += square / static_cast<double>(sizes.size());
        powers.fourth += square * square / static_cast<double>(sizes.size());
    }
    return powers;
}

/** Of residuals of at most 1. */
double largest_pinball(const ErrorTask &task) {
    const double level = task.solutions.front().loss.quantile_level;
    return std::max(level, 1.0 - level);
}

}  // namespace

PrivateEvaluation::PrivateEvaluation(const Sample &rows, const Sample *reference,
                                     const Settings &settings,
                                     std::span<const Solution *const> solutions)
    : PaidCall(settings), rows_(rows, settings) {
    const std::vector<double> even(records::kOddsBins, 1.0);  // before anything is known
    for (const Solution *solution : solutions) {
        task_.solutions.push_back(predictor_of(*solution));
        error_bound_ = std::max(error_bound_, solution->settings.error_bound);
        range_ = std::max(
            range_, solution->settings.prediction_highest - solution->settings.prediction_lowest);
        task_.edges.emplace_back(equal_parts(even, odds_ends()));
        references_.emplace_back(even, even);
        task_.areas.push_back(solution->loss.kind == loss::Kind::survival
                                  ? arma::vec()  // there is no concordance without public rows
                                  : references_.back().areas());
    }
    if (reference != nullptr) take_reference(*reference);
    if (settings.evaluation.bound) take_bound(*settings.evaluation.bound, "evaluation_bound");
    plan_releases();
}

/** Public rows for pairs with private ones, and the cells in which there are as many of them. */
void PrivateEvaluation::take_pairs(const std::vector<double> &rows, std::size_t solution) {
    if (rows.empty()) return;
    const std::size_t count = rows.size() / 2;
    std::vector<double> edges;
    const auto cut = [&](std::size_t first, std::size_t parts) {
        std::vector<double> values(count);
        for (std::size_t k = 0; k < count; ++k)
            values[k] = first == 0 ? rows[k] : std::abs(rows[first + k]);
        std::sort(values.begin(), values.end());
        for (std::size_t k = 1; k < parts; ++k) edges.push_back(values[k * count / parts]);
    };
    cut(0, records::kScoreCells);
    cut(count, records::kTimeCells);
    task_.edges[solution] = arma::vec(edges);
    task_.areas[solution] = arma::vec(rows);
}

void PrivateEvaluation::take_reference(const Sample &reference) {
    std::vector<double> largest(reference.rows());
    std::vector<double> largest_pinball(reference.rows());
    for (std::size_t k = 0; k < task_.solutions.size(); ++k) {
        const Solution &solution = task_.solutions[k];
        std::vector<double> log_odds;
        std::vector<double> negative(records::kOddsBins);
        std::vector<double> positive(records::kOddsBins);
        const auto errors = row_errors(solution, reference, Evaluation::in_blocks);
        if (solution.loss.kind == loss::Kind::survival)
            take_pairs(concordance_rows(errors, records::kMostReferences), k);
        for (std::size_t i = 0; i < largest.size(); ++i) {
            const RowError &error = errors[i];
            if (!error.size) continue;
            const double pinball = records::pinball_loss(error, solution.loss.quantile_level);
            largest[i] = std::max(largest[i], *error.size);
            largest_pinball[i] = std::max(largest_pinball[i], pinball);
            log_odds.push_back(error.log_odds);
            (error.positive ? positive : negative)[records::odds_bin(error.log_odds)] += 1.0;
        }
        if (log_odds.empty()) return;
        if (!has_log_odds(solution.loss)) continue;
        task_.edges[k] = arma::vec(equal_parts(std::move(log_odds)));
        references_[k] = Reference(std::move(negative), std::move(positive));
        task_.areas[k] = references_[k].areas();
    }
    double factor = 1.0;
    for (const Solution &solution : task_.solutions)
        factor = std::max(factor, left_out_factor(solution, reference.rows()));
    const double level = settings().evaluation.bound_quantile;
    const double bound = factor * widened(largest, level);
    const double pinball_bound = factor * widened(std::move(largest_pinball), level);
    if (!is_credible(bound, task_.solutions.front(), reference)) return;
    task_.bound = bound;
    signs_ = {tail_excess(powers_of(largest, bound), {}, largest.size()), false, true};
    if (std::isfinite(pinball_bound)) task_.pinball_bound = pinball_bound;
    origin_ = "source sample";
    needs_sizes_ = false;
}

/** The classes' log odds have to be learnt all the same. */
void PrivateEvaluation::take_bound(double bound, const char *origin) {
    task_.bound = bound;
    task_.pinball_bound = bound * largest_pinball(task_);
    signs_ = {};
    origin_ = origin;
    needs_sizes_ = needs_sizes_ && has_log_odds(task_.solutions.front().loss);
}

double PrivateEvaluation::noise_share(double noise) const {
    return kSeen * noise / static_cast<double>(rows_.rows());
}

/** By errors on public rows of the fits, else by the range of predictions, which is public; 0 if
 *  neither is known. */
PrivateEvaluation::Bound PrivateEvaluation::public_bound() const {
    if (std::isfinite(error_bound_)) return {error_bound_, "public rows of the fit"};
    if (loss::has_likelihood(task_.solutions.front().loss))
        return {-std::log(kLeastProbability), "probability of 0.01"};
    return {std::isfinite(range_) ? range_ : 0.0, "range of predictions"};
}

/** Where noise can hide that share of the rows, sets the bound of the sizes, or its least value, by
 *  public facts. */
void PrivateEvaluation::take_bound_of_fits(double share) {
    if (*origin_ != '\0') return;
    if (share > kMostShare) {
        const Bound known = public_bound();
        if (known.value == 0.0)
            throw Error(DPA_E_OPTION,
                        "at this epsilon neither so few private rows, nor public rows, nor the "
                        "range of predictions give a bound of the errors: give public rows as a "
                        "source sample, or set evaluation_bound to a number that is known without "
                        "private rows");
        take_bound(known.value, known.origin);
    } else if (share > kSureShare && std::isfinite(error_bound_)) {
        least_bound_ = error_bound_;
    }
}

void PrivateEvaluation::plan_releases() {
    const PrivacySettings &own = settings().privacy;
    privacy::Plan plan;
    plan.budget = gaussian_budget(own);
    Uint128 mu_square = plan.budget->cap.mu_square;
    ErrorTask first = task_;
    first.asked = records::ErrorsAsked::sizes;
    if (needs_sizes_) {
        first.grid =
            histogram_grid(mu_square * kSizesShare / kAllShares, rows_.rows(), own.neighbours);
        const double noise = first.grid.sigma() / error_terms(first).front().weight;
        const double share = noise_share(noise);
        take_bound_of_fits(share);
        if (share > kMostShare) needs_sizes_ = false;  // log odds would be noise as well
    }
    learns_bound_ = *origin_ == '\0';
    if (learns_bound_)
        origin_ = least_bound_ > 0.0 ? "private rows, public rows of the fit" : "private rows";
    if (std::max(task_.bound, least_bound_) > kMostBound)
        throw Error(DPA_E_OPTION, std::string("errors cannot be clipped to more than 1e75, as ") +
                                      origin_ + " would have it: set evaluation_bound");
    if (needs_sizes_) {
        sizes_ = first.grid;
        plan.releases.push_back(
            release_of(privacy::ReleaseKind::error_sizes, first, own.neighbours));
        mu_square -= plan.releases.back().cost().mu_square;
    }
    task_.grid = privacy::plan_fitting_grid(mu_square, 1.0, 32, rows_.rows(), own.neighbours);
    if (error_dimension(task_) > privacy::kMostCoordinates)
        throw Error(DPA_E_OPTION, "a private sum may have at most 2^20 coordinates");
    plan.releases.push_back(release_of(privacy::ReleaseKind::errors, task_, own.neighbours));
    for (const privacy::Release &release : plan.releases) plan.total += release.cost();
    set_plan(std::move(plan));
}

void PrivateEvaluation::learn_bound(ErrorKind kind, std::span<const double> counts, double noise,
                                    ErrorTask &task, Clipping &clipping) const {
    const double share = noise_share(noise);
    const bool classes = loss::has_likelihood(task.solutions.front().loss);
    if (kind == ErrorKind::sizes) {
        clipping.heavy = !classes && has_heavy_tail(counts, noise, share);
        const Bound known = public_bound();
        double end = bound_of_sizes(counts, noise);
        if (end == 0.0 && known.value > 0.0) {
            end = known.value;
            clipping.origin = known.origin;
            clipping.signs.learnt = false;
        } else if (end == 0.0) {
            const auto most = std::max_element(counts.begin(), counts.end());
            end = records::upper_size(static_cast<std::size_t>(most - counts.begin()));
        }
        task.bound = std::max(least_bound_, room_for(!classes, share) * end);
        task.pinball_bound = task.bound * largest_pinball(task);
    } else if (const double end = bound_of_sizes(counts, noise);
               end > 0.0 && share < kSurePinballShare) {  // else the smaller side may hide
        task.pinball_bound = std::min(task.pinball_bound, room_for(false, share) * end);
    }
}

void PrivateEvaluation::learn_sizes(privacy::ReleaseTrace *trace, ErrorTask &task,
                                    std::vector<Reference> &references, Clipping &clipping) const {
    ErrorTask first = task;
    first.asked = records::ErrorsAsked::sizes;
    first.grid = *sizes_;
    const std::vector<double> released = release_sum(*this, rows_, first, 0, trace);
    for (const ErrorTerm &term : error_terms(first)) {
        const double noise = first.grid.sigma() / term.weight;
        std::vector<double> counts(term.count);
        for (std::size_t b = 0; b < term.count; ++b)
            counts[b] = released[term.first + b] / term.weight;
        if (term.kind == ErrorKind::log_odds && noise_share(noise) > kSureOddsShare)
            continue;  // the even reference is better than one that is noise
        if (term.kind == ErrorKind::log_odds)
            learn_odds(counts, noise, task.edges[term.solution], references[term.solution]);
        else if (learns_bound_)
            learn_bound(term.kind, counts, noise, task, clipping);
    }
    for (std::size_t k = 0; k < references.size(); ++k)
        if (has_log_odds(task.solutions[k].loss)) task.areas[k] = references[k].areas();
}

Measured PrivateEvaluation::release(Control &control, privacy::ReleaseTrace *trace) const {
    (void)key();
    Measured measured;
    measured.rows = rows_.rows();
    measured.persons = rows_.has_persons();
    measured.confidence = settings().evaluation.confidence;
    measured.protection = settings().privacy.unsafe_seed ? "seeded" : "guaranteed";
    ErrorTask task = task_;
    std::vector<Reference> references = references_;
    control.report({"evaluation", 0, 2});
    measured.clipping = Clipping{0.0, origin_};
    measured.clipping->signs = signs_;
    measured.clipping->signs.learnt = learns_bound_;
    if (records::has_pinball(task)) measured.clipping->many = kManyPinballClipped;
    if (sizes_) learn_sizes(trace, task, references, *measured.clipping);
    control.report({"evaluation", 1, 2});
    measured.clipping->bound = task.bound;
    decode(task, release_sum(*this, rows_, task, 1, trace), references, measured);
    return measured;
}

}  // namespace dpadapt::evaluate
