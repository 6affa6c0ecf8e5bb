#include <dpadapt/problem.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** Of a sample with labels, and of one without. */
struct Keep {
    Sample (*labelled)(const linalg::MatrixView &, const double *);
    Sample (*unlabelled)(const linalg::MatrixView &);
};
constexpr Keep kCopy{&Sample::copy, &Sample::copy_unlabelled};
constexpr Keep kLend{&Sample::lend, &Sample::lend_unlabelled};

void set_sample(dpa_problem *problem, privacy::Domains domain, const CallerMatrix &rows,
                const double *y, std::size_t y_len, const Keep &keep) {
    engine::Problem &own = value_of(problem, "problem");
    const linalg::MatrixView x = checked_matrix(rows);
    if (y == nullptr && y_len == 0) return own.replace(domain, keep.unlabelled(x));
    required(y, "y");
    if (y_len != x.rows)
        throw Error(DPA_E_DIMENSION, "y_len must equal rows = " + std::to_string(x.rows) +
                                         ", but is " + std::to_string(y_len));
    own.replace(domain, keep.labelled(x, y));
}

}  // namespace

dpa_status dpa_problem_create(dpa_problem **out) {
    return guard("dpa_problem_create", [&] { create(out); });
}

void dpa_problem_destroy(dpa_problem *problem) { destroy(problem); }

dpa_status dpa_problem_set_source(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                  size_t leading_dimension, int32_t layout, const double *y,
                                  size_t y_len) {
    return guard("dpa_problem_set_source", [&] {
        set_sample(problem, privacy::kSource, {x, rows, cols, leading_dimension, layout}, y, y_len,
                   kCopy);
    });
}

dpa_status dpa_problem_set_target(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                  size_t leading_dimension, int32_t layout, const double *y,
                                  size_t y_len) {
    return guard("dpa_problem_set_target", [&] {
        set_sample(problem, privacy::kTarget, {x, rows, cols, leading_dimension, layout}, y, y_len,
                   kCopy);
    });
}

dpa_status dpa_problem_lend_source(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                   size_t leading_dimension, int32_t layout, const double *y,
                                   size_t y_len) {
    return guard("dpa_problem_lend_source", [&] {
        set_sample(problem, privacy::kSource, {x, rows, cols, leading_dimension, layout}, y, y_len,
                   kLend);
    });
}

dpa_status dpa_problem_lend_target(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                   size_t leading_dimension, int32_t layout, const double *y,
                                   size_t y_len) {
    return guard("dpa_problem_lend_target", [&] {
        set_sample(problem, privacy::kTarget, {x, rows, cols, leading_dimension, layout}, y, y_len,
                   kLend);
    });
}

dpa_status dpa_problem_set_source_map(dpa_problem *problem, const double *matrix, size_t rows,
                                      size_t cols, size_t leading_dimension, int32_t layout,
                                      const double *offset, size_t offset_len) {
    return guard("dpa_problem_set_source_map", [&] {
        engine::Problem &own = value_of(problem, "problem");
        required(matrix, "matrix");
        const linalg::MatrixView view =
            checked_matrix({matrix, rows, cols, leading_dimension, layout});
        const std::size_t offsets = offset == nullptr ? 0 : rows;
        if (offset_len != offsets)
            throw Error(DPA_E_DIMENSION, "offset_len must be " + std::to_string(offsets) +
                                             ", but is " + std::to_string(offset_len));
        own.map_source(SourceMap(view, offset));
    });
}

dpa_status dpa_problem_set_target_groups(dpa_problem *problem, const int64_t *ids, size_t n) {
    return guard("dpa_problem_set_target_groups", [&] {
        engine::Problem &own = value_of(problem, "problem");
        required(ids, "ids");
        own.group_target({ids, n});
    });
}

dpa_status dpa_problem_set_source_groups(dpa_problem *problem, const int64_t *ids, size_t n) {
    return guard("dpa_problem_set_source_groups", [&] {
        engine::Problem &own = value_of(problem, "problem");
        required(ids, "ids");
        own.group_source({ids, n});
    });
}

dpa_status dpa_problem_set_source_weights(dpa_problem *problem, const double *weights, size_t n) {
    return guard("dpa_problem_set_source_weights", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_weights(privacy::kSource, {&required(weights, "weights"), n});
    });
}

dpa_status dpa_problem_set_target_weights(dpa_problem *problem, const double *weights, size_t n) {
    return guard("dpa_problem_set_target_weights", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_weights(privacy::kTarget, {&required(weights, "weights"), n});
    });
}

dpa_status dpa_problem_set_source_scores(dpa_problem *problem, const double *scores, size_t n) {
    return guard("dpa_problem_set_source_scores", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_scores(privacy::kSource, {&required(scores, "scores"), n});
    });
}

dpa_status dpa_problem_set_target_scores(dpa_problem *problem, const double *scores, size_t n) {
    return guard("dpa_problem_set_target_scores", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_scores(privacy::kTarget, {&required(scores, "scores"), n});
    });
}

dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows, size_t *target_rows,
                             size_t *features) {
    return guard("dpa_problem_shape", [&] {
        const privacy::SampleSizes shape = value_of(problem, "problem").rows();
        if (source_rows != nullptr) *source_rows = shape.source_rows;
        if (target_rows != nullptr) *target_rows = shape.target_rows;
        if (features != nullptr) *features = shape.features;
    });
}
