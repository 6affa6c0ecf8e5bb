#include "records/paid_call.hpp"

#include <algorithm>

#include "base/growing.hpp"
#include "random/noise.hpp"
#include "records/reader.hpp"

namespace dpadapt::records {

void PaidCall::charge(privacy::Ledger &ledger) {
    check_memory(further_numbers());
    payment_.charge(plan_, settings_.privacy.domains, settings_.privacy.unsafe_seed, ledger);
}

ProblemCall::ProblemCall(const Sample &source, const Sample &target, const Settings &settings,
                         Control &control, Part part)
    : PaidCall(settings),
      control_(control),
      problem_(source, target, this->settings(), control, part),
      facts_(plan_facts(problem_)) {}

}  // namespace dpadapt::records

namespace dpadapt {

SecretVector<std::int64_t> gaussian_noise(const PrivateRun &run, random::Purpose purpose,
                                          std::uint64_t step, std::size_t dimension) {
    // mutant: moments_at_half_their_noise, comparison_at_half_its_noise
    // mutant: inference_at_half_its_noise, weight_sum_at_half_its_noise
    // mutant: own_columns_at_half_their_noise, gradient_at_half_its_noise
    const int bits = purpose == random::Purpose::gaussian_moments ? run.plan.moments->bits
                     : purpose == random::Purpose::comparison     ? run.plan.comparison->bits
                     : purpose == random::Purpose::inference      ? run.plan.inference->bits
                     : purpose == random::Purpose::weight_sum     ? run.plan.weight_sum->bits
                     : purpose == random::Purpose::own_columns    ? run.plan.own_columns->bits
                                                                  : run.plan.gradient.bits;
    SecretVector<std::int64_t> noise(dimension);
    // mutant: same_noise_in_every_step
    random::fill_with_noise(noise, random::normal, static_cast<unsigned>(bits), run.key, purpose,
                            step, run.threads);
    return noise;
}

arma::vec release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                  const sums::VectorSum &sum, std::span<const std::int64_t> noise,
                  std::uint64_t public_records) {
    std::vector<double> released = sum.release(noise, public_records);
    if (run.trace != nullptr)
        released = run.trace->on_release(purpose, step, sum.sums(), std::move(released));
    return {released};
}

arma::mat release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                  const sums::OuterSum &sum, std::span<const std::int64_t> noise,
                  std::uint64_t public_records) {
    std::vector<double> released = sum.release(noise, public_records);
    if (run.trace != nullptr)
        released = run.trace->on_release(purpose, step, sum.packed(), std::move(released));
    arma::mat matrix(sum.dimension(), sum.dimension());
    auto entry = released.begin();
    for (arma::uword j = 0; j < matrix.n_cols; ++j)
        for (arma::uword i = 0; i <= j; ++i) matrix(i, j) = *entry++;
    return arma::symmatu(matrix);
}

double release_weight_sum(const PrivateRun &run) {
    constexpr auto kPurpose = random::Purpose::weight_sum;
    const privacy::VectorGrid &grid = *run.plan.weight_sum;
    const records::ComparisonTask task{run.problem.choice(), {}, 1.0, grid, 1.0};
    const auto noise = gaussian_noise(run, kPurpose, 0, 1);
    const records::Reader rows(run.problem, run.problem.domains());
    const double twice_less = release(run, kPurpose, 0, rows.sum(task), noise, rows.rows())(0);
    const auto most = static_cast<double>(rows.rows());
    const double least = std::clamp(0.5 * grid.sigma(), 1.0, most);
    return std::clamp(0.5 * (twice_less + most), least, most);
}

}  // namespace dpadapt
