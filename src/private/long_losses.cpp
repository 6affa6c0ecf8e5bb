#include "private/long_losses.hpp"

#include <cmath>

namespace dpadapt {

namespace {

constexpr double kWider = 8.0;       // docs/defaults.md
constexpr double kMuch = 0.6;        // of the bound; docs/defaults.md
constexpr double kKnown = 0.35;      // of the bound; docs/defaults.md
constexpr double kMostSteps = 0.3;   // of those that are left
constexpr std::uint64_t kTimes = 2;  // docs/defaults.md

/** One of the plan's releases of a gradient asks for it: a vector of norm at most 1, too. */
ShareOfBound release_loss(const PrivateRun &run, const loss::Choice &choice,
                          const records::Reader &rows, const arma::vec &theta, double bound,
                          std::uint64_t step) {
    constexpr auto kPurpose = random::Purpose::gaussian_w;
    const std::size_t coordinates = run.plan.find(privacy::ReleaseKind::gradient)->dimension;
    const records::ComparisonTask task{choice, {theta}, bound, run.plan.gradient, 0.0, coordinates};
    run.control.report({"private steps", std::min(step - 1, run.plan.steps), run.plan.steps});
    const auto noise = gaussian_noise(run, kPurpose, step, coordinates);
    const arma::vec released = release(run, kPurpose, step, rows.sum(task), noise, rows.rows());
    const double half = 0.5 / static_cast<double>(rows.rows());
    return {0.5 + half * released(0), half * run.plan.gradient.sigma()};
}

}  // namespace

std::optional<LongLosses> find_long_losses(const PrivateRun &run, const records::Reader &rows,
                                           const arma::vec &theta, ShareOfBound share, double bound,
                                           std::uint64_t &steps) {
    constexpr double kDeviations = 2.0;  // docs/defaults.md
    constexpr double kSignal = 10.0;     // n over noise in a parameter; docs/defaults.md
    const auto all = static_cast<double>(run.plan.steps);
    const auto coordinates =
        static_cast<double>(run.plan.find(privacy::ReleaseKind::gradient)->dimension);
    const double noise =
        run.plan.gradient.sigma() / std::sqrt(all) / static_cast<double>(rows.rows());
    if (noise * kSignal * coordinates > 1.0) return {};
    LongLosses losses{0.0, bound, bound};
    for (double much = kMuch; share.mean - kDeviations * share.deviation > much; much = kKnown) {
        if (static_cast<double>(steps + 1) > kMostSteps * all) break;
        losses.bound *= kWider;
        // mutant: a_question_with_the_noise_of_another
        share = release_loss(run, run.problem.choice(), rows, theta, losses.bound, ++steps);
    }
    if (losses.bound == bound) return {};
    losses.mean = std::max(0.0, share.mean) * losses.bound;
    return losses;
}

std::vector<double> find_squares(const PrivateRun &run, privacy::Domains domain,
                                 const arma::mat &directions, double bound, std::uint64_t &steps) {
    constexpr double kLabels = 1048576.0;  // scores are so many times as long as public labels
    constexpr double kMostNoise = 0.25;    // of the bound; docs/defaults.md
    constexpr double kFarWider = 64.0;     // docs/defaults.md
    constexpr int kQuestions = 5;          // of an axis
    const records::Reader rows(run.problem, domain);
    if (0.5 * run.plan.gradient.sigma() > kMostNoise * static_cast<double>(rows.rows())) return {};
    const PreparedSample &sample = run.problem.public_sample()->rows();
    std::vector<double> labels = sample.labels();
    for (double &label : labels) label *= label;
    const double label = std::sqrt(sample.mean(labels));
    const double times = kLabels * (label > 0.0 ? label : 1.0);
    loss::Choice squared;
    squared.kind = loss::Kind::squared;
    const auto most = static_cast<std::uint64_t>(kMostSteps * static_cast<double>(run.plan.steps));
    const std::uint64_t last = steps + most;
    std::vector<double> squares;
    while (squares.size() < directions.n_cols) {
        const arma::vec direction = times * directions.col(squares.size());
        double share = 1.0;
        double wide = kWider * bound;
        for (int asked = 0; share >= kKnown; ++asked) {
            if (steps == last || asked == kQuestions) return squares;
            if (asked > 0) wide *= share > kMuch ? kFarWider : kWider;
            // mutant: far_rows_with_the_noise_of_another
            const ShareOfBound found =
                release_loss(run, squared, rows, direction, times * times * wide, ++steps);
            share = std::max(found.mean, found.deviation);
        }
        squares.push_back(share * wide);
    }
    return squares;
}

bool LongClip::is_due(std::uint64_t taken) const {
    return times_ < kTimes && scale() > least_ && 4 * taken >= (times_ + 1) * run_.plan.steps;
}

void LongClip::ask(const arma::vec &theta, std::uint64_t step) {
    constexpr double kLong = 0.8;    // docs/defaults.md
    constexpr double kLittle = 0.1;  // of the bound; docs/defaults.md
    const LongLosses &first = *run_.long_losses;
    const ShareOfBound found =
        release_loss(run_, run_.problem.choice(), rows_, theta, bound_, step);
    const double share = std::max(0.0, found.mean + found.deviation);
    found_ = std::clamp(std::sqrt(share * bound_ / first.mean), least_, found_);
    times_ = found_ > kLong ? kTimes : times_ + 1;
    if (share < kLittle) bound_ = std::max(bound_ / kWider, first.public_bound);
}

void LongClip::see(double explained, double to_come) {
    constexpr double kExplained = 1.25;  // docs/defaults.md
    const double mean = run_.long_losses->mean;
    const double left = std::max(mean - kExplained * explained, to_come);
    left_ = std::sqrt(std::clamp(left / mean, 0.0, 1.0));
}

}  // namespace dpadapt
