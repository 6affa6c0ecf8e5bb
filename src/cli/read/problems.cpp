#include "cli/read/problems.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cli/read/failure.hpp"
#include "cli/read/samples.hpp"

namespace dpadapt::cli {

namespace {

ProblemHandle empty_problem() {
    dpa_problem *problem = nullptr;
    check(dpa_problem_create(&problem));
    return ProblemHandle(problem);
}

template <typename Lend>
void lend(Lend lend_sample, dpa_problem *problem, const Sample &sample, std::size_t cols) {
    const bool unlabelled = sample.unlabelled;
    check(lend_sample(problem, sample.x.data(), sample.y.size(), cols, cols, DPA_ROW_MAJOR,
                      unlabelled ? nullptr : sample.y.data(), unlabelled ? 0 : sample.y.size()));
}

void group_target(const ProblemHandle &problem, const Sample &rows) {
    const std::vector<std::int64_t> &groups = rows.groups;
    if (groups.empty()) return;
    check(dpa_problem_set_target_groups(problem.get(), groups.data(), groups.size()));
}

template <typename Set>
void set_weights(Set set, dpa_problem *problem, const Sample &sample) {
    const std::vector<double> &weights = sample.weights;
    if (!weights.empty()) check(set(problem, weights.data(), weights.size()));
}

}  // namespace

ProblemHandle make_problem(const Samples &samples) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_source, problem.get(), samples.source, samples.features.size());
    lend(dpa_problem_lend_target, problem.get(), samples.target, samples.features.size());
    set_weights(dpa_problem_set_source_weights, problem.get(), samples.source);
    set_weights(dpa_problem_set_target_weights, problem.get(), samples.target);
    const std::vector<std::int64_t> &sources = samples.sources;
    if (!sources.empty())
        check(dpa_problem_set_source_groups(problem.get(), sources.data(), sources.size()));
    group_target(problem, samples.target);
    return problem;
}

ProblemHandle make_source_problem(const Samples &samples) {
    ProblemHandle problem = empty_problem();
    if (samples.source_elsewhere > 0) return problem;
    lend(dpa_problem_lend_source, problem.get(), samples.source, samples.features.size());
    set_weights(dpa_problem_set_source_weights, problem.get(), samples.source);
    return problem;
}

ProblemHandle make_validation(const Sample &rows, std::size_t features) {
    ProblemHandle problem = empty_problem();
    lend(dpa_problem_lend_target, problem.get(), rows, features);
    group_target(problem, rows);
    return problem;
}

void lend_source(const ProblemHandle &problem, const Sample &rows, std::size_t features) {
    lend(dpa_problem_lend_source, problem.get(), rows, features);
}

void lend_target(const ProblemHandle &problem, const Sample &rows, std::size_t features) {
    lend(dpa_problem_lend_target, problem.get(), rows, features);
}

namespace {

/** Whether each row is taken: `count` of `rows`, the same on every platform. */
std::vector<bool> draw(std::size_t rows, std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<bool> taken(rows);
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(order[i], order[i + random() % (rows - i)]);
        taken[order[i]] = true;
    }
    return taken;
}

}  // namespace

Sample move_rows(Sample &sample, const std::vector<bool> &taken) {
    if (!sample.groups.empty())
        throw Failure(kUsage,
                      "with --group rows are not divided, because a person would be in both parts: "
                      "give a file of its own");
    const std::size_t rows = sample.y.size();
    const std::size_t cols = sample.x.size() / rows;
    Sample kept{sample.is_private, {}, {}, {}};
    Sample rest = kept;
    for (std::size_t i = 0; i < rows; ++i) {
        Sample &to = taken[i] ? rest : kept;
        const auto row = sample.x.begin() + static_cast<std::ptrdiff_t>(i * cols);
        to.x.insert(to.x.end(), row, row + static_cast<std::ptrdiff_t>(cols));
        to.y.push_back(sample.y[i]);
        if (!sample.weights.empty()) to.weights.push_back(sample.weights[i]);
    }
    sample = std::move(kept);
    return rest;
}

Sample shuffled(const Sample &sample) {
    const std::size_t rows = sample.y.size();
    const auto cols = static_cast<std::ptrdiff_t>(rows == 0 ? 0 : sample.x.size() / rows);
    std::mt19937_64 random;
    std::vector<std::ptrdiff_t> order(rows);
    std::iota(order.begin(), order.end(), std::ptrdiff_t{0});
    for (std::size_t i = 0; i < rows; ++i) std::swap(order[i], order[i + random() % (rows - i)]);
    Sample result{sample.is_private, {}, {}, {}};
    for (const std::ptrdiff_t row : order) {
        const auto x = sample.x.begin() + row * cols;
        result.x.insert(result.x.end(), x, x + cols);
        result.y.push_back(sample.y[static_cast<std::size_t>(row)]);
        if (!sample.weights.empty())
            result.weights.push_back(sample.weights[static_cast<std::size_t>(row)]);
    }
    return result;
}

Sample divide(Sample &sample, double share, std::uint64_t seed, const std::string &flag) {
    const std::size_t rows = sample.y.size();
    const auto count = static_cast<std::size_t>(std::round(share * static_cast<double>(rows)));
    if (count == 0 || count >= rows) {
        throw Failure(kUsage, flag + " leaves no row for " +
                                  (flag == "--validation-share" ? "validation" : "the target") +
                                  " or none to fit: there are " + std::to_string(rows));
    }
    return move_rows(sample, draw(rows, count, seed));
}

Sample hold_out(Sample &sample, double share) {
    std::mt19937_64 random;  // one number a row, the same on every platform
    std::vector<bool> taken;
    for (std::size_t i = 0; i < sample.y.size(); ++i)
        taken.push_back(static_cast<double>(random() >> 11) * 0x1p-53 < share);
    const auto count = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), true));
    if (count == 0 || count == taken.size())
        throw Failure(kUsage,
                      "--holdout leaves no row to evaluate or none to fit: the target has " +
                          std::to_string(taken.size()));
    return move_rows(sample, taken);
}

}  // namespace dpadapt::cli
