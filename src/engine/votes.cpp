#include "engine/votes.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/growing.hpp"
#include "base/secret.hpp"
#include "base/splitmix.hpp"
#include "engine/settings.hpp"
#include "evaluate/error_release.hpp"
#include "privacy/payment.hpp"

namespace dpadapt::engine {
namespace {

constexpr std::uint64_t kShards = 17;  // a public seed

/** The sums over all teachers: here the answers are read. */
SecretVector<std::int64_t> sums_of(const linalg::MatrixView &answers,
                                   const privacy::VoteGrid &grid) {
    SecretVector<std::int64_t> sums(grid.coordinates());
    SecretVector<double> row(grid.queries);
    for (std::size_t k = 0; k < grid.teachers; ++k) {
        for (std::size_t j = 0; j < grid.queries; ++j) row[j] = answers(k, j);
        privacy::add_votes(grid, row, sums);
    }
    return sums;
}

}  // namespace

void assign_shards(std::optional<std::span<const std::int64_t>> ids, std::size_t teachers,
                   std::span<double> shards) {
    if (teachers == 0 || teachers > shards.size())
        throw Error(DPA_E_INVALID_ARGUMENT, "teachers must be from 1 to the number of rows, " +
                                                std::to_string(shards.size()) + ", but is " +
                                                std::to_string(teachers));
    if (ids) {
        for (std::size_t i = 0; i < shards.size(); ++i)
            // mutant: person_in_several_shards
            shards[i] = static_cast<double>(
                SplitMix64(kShards ^ static_cast<std::uint64_t>((*ids)[i]))() % teachers);
        return;
    }
    const std::vector<std::size_t> order = SplitMix64(kShards).draw(shards.size(), shards.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        shards[order[k]] = static_cast<double>(k % teachers);
}

double release_answers(Problem &problem, const linalg::MatrixView &answers,
                       const privacy::VoteRange &range, const OptionValues &values,
                       Control &control, std::span<double> out) {
    const Settings settings = make_settings(values, Wanted::fit);
    const PrivacySettings &own = settings.privacy;
    const Usage::Hold hold(problem.usage, true);
    // Without samples and a budget it is the option alone that tells whom the teachers know.
    if (own.unit == privacy::Unit::person && !problem.has_target() && !problem.ledger.budget())
        problem.fix_unit(privacy::Unit::person);
    problem.admit(own, values, "votes", [&](const auto &bytes) {
        const double numbers[] = {static_cast<double>(range.classes), range.low, range.high};
        bytes(numbers, sizeof numbers);
        for (std::size_t k = 0; k < answers.rows; ++k)
            for (std::size_t j = 0; j < answers.cols; ++j) {
                const double answer = answers(k, j);
                bytes(&answer, sizeof answer);
            }
    });
    control.report({"votes", 0, 1});
    check_memory(4.0 * static_cast<double>(out.size() + answers.cols));
    if (own.domains == 0) {
        problem.use_public_target(own);
        const auto grid = privacy::public_votes(range, answers.rows, answers.cols);
        std::ranges::copy(privacy::release_votes(grid, sums_of(answers, grid), {}), out.begin());
        return 0.0;
    }
    privacy::Plan plan;
    plan.budget = evaluate::gaussian_budget(own);
    const auto grid =
        privacy::plan_votes(plan.budget->cap.mu_square, range, answers.rows, answers.cols);
    plan.releases.push_back(grid.release(own.domains, own.neighbours));
    plan.total += plan.releases.back().cost();
    privacy::Payment payment;
    payment.charge(plan, own.domains, own.unsafe_seed, problem.ledger);
    SecretVector<std::int64_t> noise(grid.coordinates());
    privacy::draw_noise(grid, payment.key(), settings.threads, noise);
    std::ranges::copy(privacy::release_votes(grid, sums_of(answers, grid), noise), out.begin());
    return plan.releases.back().deviation();
}

}  // namespace dpadapt::engine
