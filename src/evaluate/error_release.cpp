#include "evaluate/error_release.hpp"

#include "base/error.hpp"
#include "random/noise.hpp"
#include "records/error_terms.hpp"

namespace dpadapt::evaluate {

using records::ErrorTask;

namespace {

/** Of histograms Q may be larger by the root of 2. No integer of a row is negative there, so two
 *  rows have ||X - Y||^2 = ||X||^2 + ||Y||^2 - 2 X.Y <= 2 Q^2, not 4 Q^2. */
constexpr Uint128 kRootOfTwo = 6074001001;  // ceil(2^32 sqrt(2))

}  // namespace

privacy::Budget gaussian_budget(const PrivacySettings &settings) {
    if (!settings.epsilon || !settings.delta)
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set, there is no default for them (or set "
                    "private_domain to none to evaluate without any privacy protection)");
    return privacy::make_budget(*settings.epsilon, *settings.delta, 0.0, 0.0, settings.neighbours);
}

privacy::VectorGrid histogram_grid(Uint128 mu_square, std::size_t records,
                                   privacy::Neighbours neighbours) {
    privacy::VectorGrid grid = privacy::plan_fitting_grid(mu_square, 1.0, 32, records, neighbours);
    if (neighbours == privacy::Neighbours::zero_out) return grid;
    const auto allowed = static_cast<Uint128>(privacy::plan_sensitivity(mu_square, grid.bits));
    grid.most = static_cast<std::int64_t>(((allowed - 1) << 32) / kRootOfTwo);
    grid.gamma = privacy::up(1.0 / static_cast<double>(grid.most));
    return grid;
}

privacy::Release release_of(privacy::ReleaseKind kind, const ErrorTask &task,
                            privacy::Neighbours neighbours) {
    const privacy::VectorGrid &grid = task.grid;
    const bool histogram =
        task.asked != records::ErrorsAsked::means && neighbours == privacy::Neighbours::replace;
    // mutant: evaluation_at_half_its_sensitivity
    const std::int64_t sensitivity =
        histogram
            ? static_cast<std::int64_t>((static_cast<Uint128>(grid.most) * kRootOfTwo >> 32) + 1)
            : grid.integer_sensitivity(neighbours);
    return {privacy::Mechanism::gaussian,
            kind,
            privacy::kTarget,
            1,
            error_dimension(task),
            grid.bits,
            sensitivity,
            grid.gamma,
            0.0,
            neighbours};
}

std::vector<double> release_sum(const records::PaidCall &call, const records::Reader &rows,
                                const ErrorTask &task, std::uint64_t step,
                                privacy::ReleaseTrace *trace) {
    constexpr random::Purpose kPurpose = random::Purpose::evaluation;
    std::vector<std::int64_t> noise(error_dimension(task));
    // mutant: errors_at_half_their_noise
    random::fill_with_noise(noise, random::normal, static_cast<unsigned>(task.grid.bits),
                            call.key(), kPurpose, step, call.settings().threads);
    const sums::VectorSum sum = rows.sum(task);
    std::vector<double> released = sum.release(noise, rows.rows());
    if (trace != nullptr)
        released = trace->on_release(kPurpose, step, sum.sums(), std::move(released));
    return released;
}

}  // namespace dpadapt::evaluate
