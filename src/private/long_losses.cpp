#include "private/long_losses.hpp"

namespace dpadapt {

ShareOfBound release_loss(const PrivateRun &run, const records::Reader &rows,
                          const arma::vec &theta, double bound, std::uint64_t step) {
    constexpr auto kPurpose = random::Purpose::gaussian_w;
    const std::size_t coordinates = run.plan.find(privacy::ReleaseKind::gradient)->dimension;
    const records::ComparisonTask task{run.problem.choice(), {theta}, bound,
                                       run.plan.gradient,    0.0,     coordinates};
    run.control.report({"private steps", step - 1, run.plan.steps});
    const auto noise = gaussian_noise(run, kPurpose, step, coordinates);
    const arma::vec released = release(run, kPurpose, step, rows.sum(task), noise, rows.rows());
    const double half = 0.5 / static_cast<double>(rows.rows());
    return {0.5 + half * released(0), half * run.plan.gradient.sigma()};
}

void LongClip::ask(const arma::vec &theta, std::uint64_t step) {
    constexpr double kLong = 0.8;    // docs/defaults.md
    constexpr double kLittle = 0.1;  // of the bound; docs/defaults.md
    constexpr double kNarrower = 8.0;
    const LongLosses &first = *run_.long_losses;
    const ShareOfBound found = release_loss(run_, rows_, theta, bound_, step);
    const double share = std::max(0.0, found.mean + found.deviation);
    found_ = std::clamp(std::sqrt(share * bound_ / first.mean), least_, found_);
    times_ = found_ > kLong ? kTimes : times_ + 1;
    if (share < kLittle) bound_ = std::max(bound_ / kNarrower, first.public_bound);
}

}  // namespace dpadapt
