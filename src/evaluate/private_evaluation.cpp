#include "evaluate/private_evaluation.hpp"

#include "base/error.hpp"
#include "evaluate/bins.hpp"
#include "evaluate/decode.hpp"
#include "problem/quantile.hpp"
#include "random/noise.hpp"
#include "random/normal.hpp"

namespace dpadapt::evaluate {
namespace {

using records::ErrorKind;
using records::ErrorTask;
using records::ErrorTerm;

/** Of public residuals, to leave room for those of another domain. */
constexpr double kWidened = 1.6;

/** The share 2/25 of mu^2 is for the first release. */
constexpr Uint128 kSizesShare = 2;
constexpr Uint128 kAllShares = 25;

/** As few bits less than 32 as keep the sum of that many records within 64. */
privacy::VectorGrid grid_for(Uint128 mu_square, std::size_t records) {
    constexpr Uint128 kMostSum = Uint128{1} << 62;
    int bits = 32;
    while (bits > 24 &&
           Uint128{records} * static_cast<Uint128>(privacy::plan_sensitivity(mu_square, bits)) >
               kMostSum)
        --bits;
    return privacy::plan_grid(mu_square, 1.0, bits);
}

/** For sizes beyond the end of a noisy histogram: log losses have longer tails. */
double room_for(const ErrorTask &task) {
    return loss::predicts_classes(task.solutions.front().loss) ? 2.0 : M_SQRT2;
}

privacy::Release release_of(privacy::ReleaseKind kind, const ErrorTask &task) {
    const privacy::VectorGrid &grid = task.grid;
    // mutant: evaluation_at_half_its_sensitivity
    const std::int64_t sensitivity = 2 * grid.most;
    return {privacy::Mechanism::gaussian,
            kind,
            privacy::kTarget,
            1,
            error_dimension(task),
            grid.bits,
            sensitivity,
            grid.gamma,
            0.0};
}

std::vector<double> fixed_edges() {
    std::vector<double> edges;
    for (const double p : {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98})
        edges.push_back(std::log(p / (1.0 - p)));
    return edges;
}

std::vector<double> odds_ends() {
    std::vector<double> upper;
    for (std::size_t b = 0; b < records::kOddsBins; ++b)
        upper.push_back(records::upper_log_odds(b));
    return upper;
}

/** Counts that noise cannot explain. */
std::vector<double> clear_counts(std::span<const double> counts, double noise) {
    std::vector<double> clear(counts.begin(), counts.end());
    for (double &count : clear)
        if (count < 2.0 * noise) count = 0.0;
    return clear;
}

}  // namespace

PrivateEvaluation::PrivateEvaluation(const Sample &rows, const Sample *reference,
                                     const Settings &settings,
                                     std::span<const Solution *const> solutions)
    : PaidCall(settings), rows_(rows, {}, settings.threads) {
    for (const Solution *solution : solutions) {
        task_.solutions.push_back(predictor_of(*solution));
        task_.edges.emplace_back(fixed_edges());
    }
    take_bound(reference);
    plan_releases();
}

void PrivateEvaluation::take_bound(const Sample *reference) {
    const EvaluationSettings &own = settings().evaluation;
    if (own.bound) {
        task_.bound = *own.bound;
        origin_ = "evaluation_bound";
    }
    if (reference == nullptr) return;
    std::vector<double> largest(reference->rows());
    for (std::size_t k = 0; k < task_.solutions.size(); ++k) {
        std::vector<double> log_odds;
        const auto errors = row_errors(task_.solutions[k], *reference, Evaluation::in_blocks);
        for (std::size_t i = 0; i < largest.size(); ++i) {
            if (!errors[i].size) continue;
            largest[i] = std::max(largest[i], *errors[i].size);
            log_odds.push_back(errors[i].log_odds);
        }
        if (!log_odds.empty()) task_.edges[k] = arma::vec(equal_parts(std::move(log_odds)));
    }
    const double bound = kWidened * quantile(std::move(largest), own.bound_quantile);
    if (own.bound || !(bound > 0.0 && std::isfinite(bound))) return;
    task_.bound = bound;
    origin_ = "source sample";
}

void PrivateEvaluation::plan_releases() {
    const PrivacySettings &own = settings().privacy;
    if (!own.epsilon || !own.delta)
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set, there is no default for them (or set "
                    "private_domain to none to evaluate without any privacy protection)");
    privacy::Plan plan;
    plan.budget = privacy::make_budget(*own.epsilon, *own.delta, 0.0, 0.0);
    Uint128 mu_square = plan.budget->cap.mu_square;
    if (*origin_ == '\0') {
        origin_ = "private rows";
        ErrorTask first = task_;
        first.sizes = true;
        first.grid = grid_for(mu_square * kSizesShare / kAllShares, rows_.rows());
        sizes_ = first.grid;
        plan.releases.push_back(release_of(privacy::ReleaseKind::error_sizes, first));
        mu_square -= plan.releases.back().cost().mu_square;
    }
    task_.grid = grid_for(mu_square, rows_.rows());
    if (error_dimension(task_) > privacy::VectorSum::kMostCoordinates)
        throw Error(DPA_E_OPTION, "a private sum may have at most 2^20 coordinates");
    plan.releases.push_back(release_of(privacy::ReleaseKind::errors, task_));
    for (const privacy::Release &release : plan.releases) plan.total += release.cost();
    set_plan(std::move(plan));
}

std::vector<double> PrivateEvaluation::release_sum(const ErrorTask &task, std::uint64_t step,
                                                   privacy::ReleaseTrace *trace) const {
    constexpr random::Purpose kPurpose = random::Purpose::evaluation;
    std::vector<std::int64_t> noise(error_dimension(task));
    random::fill_with_noise(noise, random::normal, static_cast<unsigned>(task.grid.bits), key(),
                            kPurpose, step, settings().threads);
    const privacy::VectorSum sum = rows_.sum(task);
    std::vector<double> released = sum.release(noise, rows_.rows());
    if (trace != nullptr)
        released = trace->on_release(kPurpose, step, sum.sums(), std::move(released));
    return released;
}

void PrivateEvaluation::learn_sizes(privacy::ReleaseTrace *trace, ErrorTask &task) const {
    ErrorTask first = task;
    first.sizes = true;
    first.grid = *sizes_;
    const std::vector<double> released = release_sum(first, 0, trace);
    for (const ErrorTerm &term : error_terms(first)) {
        std::vector<double> counts(term.count);
        for (std::size_t b = 0; b < term.count; ++b)
            counts[b] = released[term.first + b] / term.weight;
        const double noise = first.grid.sigma() / term.weight;
        if (term.kind == ErrorKind::sizes)
            task.bound = room_for(task) * bound_of_sizes(counts, noise);
        else
            task.edges[term.solution] =
                arma::vec(equal_parts(clear_counts(counts, noise), odds_ends()));
    }
}

Measured PrivateEvaluation::release(Control &control, privacy::ReleaseTrace *trace) const {
    (void)key();
    Measured measured;
    measured.rows = rows_.rows();
    measured.confidence = settings().evaluation.confidence;
    measured.protection = settings().privacy.unsafe_seed ? "seeded" : "guaranteed";
    ErrorTask task = task_;
    control.report({"evaluation", 0, 2});
    if (sizes_) learn_sizes(trace, task);
    control.report({"evaluation", 1, 2});
    measured.clipping = Clipping{task.bound, origin_, {}};
    decode(task, release_sum(task, 1, trace), measured);
    return measured;
}

}  // namespace dpadapt::evaluate
