#include "engine/votes.hpp"

#include <dpadapt/votes.h>

#include <cmath>
#include <limits>
#include <optional>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

constexpr std::size_t kMostTeachers = std::size_t{1} << 20;
constexpr std::size_t kMostNumbers = std::size_t{1} << 26;
constexpr std::size_t kMostClasses = 1000;

void check_most(const char *name, std::size_t count, std::size_t most) {
    if (count > most)
        throw Error(DPA_E_OVERFLOW, std::string(name) + " must be at most " + std::to_string(most) +
                                        ", but is " + std::to_string(count));
}

void release(dpa_problem *problem, const dpa_matrix &matrix, const privacy::VoteRange &range,
             const dpa_options *options, double *out, std::size_t out_len, double *deviation) {
    engine::Problem &own = value_of(problem, "problem");
    const linalg::MatrixView answers = checked_matrix(matrix);
    const std::size_t of_query = std::max<std::size_t>(range.classes, 1);
    check_most("the rows of answers", answers.rows, kMostTeachers);
    check_most("the columns of answers", answers.cols, kMostNumbers / of_query);
    check_length(answers.cols * of_query, out, out_len);
    Caller caller(options);
    const double noise = engine::release_answers(own, answers, range, caller.values(), caller,
                                                 std::span(out, out_len));
    if (deviation != nullptr) *deviation = noise;
}

}  // namespace

dpa_status dpa_votes_shard(const int64_t *ids, size_t n, size_t teachers, double *out,
                           size_t out_len) {
    return guard("dpa_votes_shard", [&] {
        if (out_len == 0) throw Error(DPA_E_EMPTY, "out_len must be at least 1, but is 0");
        check_most("out_len", out_len, std::numeric_limits<std::int32_t>::max());
        check_most("teachers", teachers, kMostTeachers);
        if (n != 0 && n != out_len)
            throw Error(DPA_E_DIMENSION, "n must be 0 or " + std::to_string(out_len) + ", but is " +
                                             std::to_string(n));
        std::optional<std::span<const std::int64_t>> of_rows;
        if (n != 0) of_rows.emplace(&required(ids, "ids"), n);
        engine::assign_shards(of_rows, teachers, std::span(&required(out, "out"), out_len));
    });
}

dpa_status dpa_votes_count(dpa_problem *problem, dpa_matrix answers, size_t classes,
                           const dpa_options *options, double *out, size_t out_len,
                           double *deviation) {
    return guard("dpa_votes_count", [&] {
        if (classes < 2 || classes > kMostClasses)
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "classes must be from 2 to 1000, but is " + std::to_string(classes));
        release(problem, answers, {classes}, options, out, out_len, deviation);
    });
}

dpa_status dpa_votes_mean(dpa_problem *problem, dpa_matrix answers, double low, double high,
                          const dpa_options *options, double *out, size_t out_len,
                          double *deviation) {
    return guard("dpa_votes_mean", [&] {
        if (!(low < high) || !std::isfinite(high - low))
            throw Error(DPA_E_INVALID_ARGUMENT,
                        "low must be less than high, and both finite numbers");
        release(problem, answers, {0, low, high}, options, out, out_len, deviation);
    });
}
