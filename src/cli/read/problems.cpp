#include "cli/read/problems.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/splitmix.hpp"
#include "cli/read/failure.hpp"

namespace dpadapt::cli {

void lend(const ProblemHandle &problem, std::int32_t domain, const Sample &sample,
          std::size_t cols) {
    const dpa_matrix x{sample.x.data(), sample.y.size(), cols, cols, DPA_ROW_MAJOR};
    const bool labelled = !sample.unlabelled;
    check(dpa_problem_lend_sample(problem.get(), domain, x, labelled ? sample.y.data() : nullptr,
                                  labelled ? sample.y.size() : 0));
}

namespace {

/** Of rows, where they have them. */
void set_if_any(auto set, const ProblemHandle &problem, std::int32_t domain, const auto &values) {
    if (!values.empty()) check(set(problem.get(), domain, values.data(), values.size()));
}

Sample without_rows(const Sample &sample) {
    Sample none;
    none.is_private = sample.is_private;
    none.unlabelled = sample.unlabelled;
    return none;
}

void append_row(const Sample &from, std::size_t row, Sample &to) {
    const std::size_t cols = from.x.size() / from.y.size();
    const auto begin = from.x.begin() + static_cast<std::ptrdiff_t>(row * cols);
    to.x.insert(to.x.end(), begin, begin + static_cast<std::ptrdiff_t>(cols));
    to.y.push_back(from.y[row]);
    if (!from.weights.empty()) to.weights.push_back(from.weights[row]);
}

void refuse_persons(const Sample &sample) {
    if (!sample.groups.empty())
        throw Failure(kUsage,
                      "with --group rows are not divided, because a person would be in both parts: "
                      "give a file of its own");
}

}  // namespace

ProblemHandle make_problem(const Samples &samples) {
    ProblemHandle problem = make_source_problem(samples);
    lend(problem, DPA_TARGET, samples.target, samples.features.size());
    set_if_any(dpa_problem_set_weights, problem, DPA_TARGET, samples.target.weights);
    set_if_any(dpa_problem_set_groups, problem, DPA_SOURCE, samples.sources);
    set_if_any(dpa_problem_set_groups, problem, DPA_TARGET, samples.target.groups);
    return problem;
}

ProblemHandle make_source_problem(const Samples &samples) {
    ProblemHandle problem = made<ProblemHandle>(dpa_problem_create);
    if (samples.source_elsewhere > 0) return problem;
    lend(problem, DPA_SOURCE, samples.source, samples.features.size());
    set_if_any(dpa_problem_set_weights, problem, DPA_SOURCE, samples.source.weights);
    return problem;
}

ProblemHandle make_validation(const EvaluationRows &data) {
    ProblemHandle problem = made<ProblemHandle>(dpa_problem_create);
    lend(problem, DPA_TARGET, *data.rows, data.features);
    set_if_any(dpa_problem_set_groups, problem, DPA_TARGET, data.rows->groups);
    if (data.reference != nullptr) lend(problem, DPA_SOURCE, *data.reference, data.features);
    return problem;
}

void weigh(const ProblemHandle &problem, std::int32_t domain, const Sample &rows) {
    if (!rows.is_private) set_if_any(dpa_problem_set_weights, problem, domain, rows.weights);
}

Sample move_rows(Sample &sample, const std::vector<bool> &taken) {
    refuse_persons(sample);
    Sample kept = without_rows(sample);
    Sample rest = kept;
    for (std::size_t i = 0; i < taken.size(); ++i) append_row(sample, i, taken[i] ? rest : kept);
    sample = std::move(kept);
    return rest;
}

Sample shuffled(const Sample &sample) {
    Sample result = without_rows(sample);
    const std::size_t rows = sample.y.size();
    for (const std::size_t row : draw_numbers(std::mt19937_64(), rows, rows))
        append_row(sample, row, result);
    return result;
}

Sample divide(Sample &sample, double share, std::uint64_t seed, const std::string &flag) {
    refuse_persons(sample);  // before their rows are counted
    const std::size_t rows = sample.y.size();
    const auto count = static_cast<std::size_t>(std::round(share * static_cast<double>(rows)));
    if (count == 0 || count >= rows) {
        throw Failure(kUsage, flag + " leaves no row for " +
                                  (flag == "--validation-share" ? "validation" : "the target") +
                                  " or none to fit: there are " + std::to_string(rows));
    }
    std::vector<bool> taken(rows);
    for (const std::size_t row : draw_numbers(std::mt19937_64(seed), rows, count))
        taken[row] = true;
    return move_rows(sample, taken);
}

Sample hold_out(Sample &sample, double share) {
    refuse_persons(sample);
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
