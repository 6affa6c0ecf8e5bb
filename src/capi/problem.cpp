#include <dpadapt/problem.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

/** The caller's arrays as they come. */
struct Arrays {
    const double *x;
    std::size_t rows, cols, leading_dimension;
    std::int32_t layout;
    const double *y;
    std::size_t y_len;
};

using Domain = std::optional<Sample> dpa_problem_s::*;
using Keep = Sample (*)(const linalg::MatrixView &, const double *);

void set_sample(dpa_problem *problem, Domain domain, Domain other, const Arrays &arrays,
                Keep keep) {
    dpa_problem &handle = checked(problem, "problem");
    const Usage::Hold hold(handle.usage, true);
    const linalg::MatrixView x =
        checked_matrix(arrays.x, arrays.rows, arrays.cols, arrays.leading_dimension, arrays.layout);
    required(arrays.y, "y");
    if (arrays.y_len != arrays.rows)
        throw Error(DPA_E_DIMENSION, "y_len must equal rows = " + std::to_string(arrays.rows) +
                                         ", but is " + std::to_string(arrays.y_len));
    if ((handle.*other) && (handle.*other)->features() != arrays.cols)
        throw Error(DPA_E_DIMENSION, "cols must equal the other sample's " +
                                         std::to_string((handle.*other)->features()) + ", but is " +
                                         std::to_string(arrays.cols));
    Sample sample = keep(x, arrays.y);
    const std::lock_guard lock(handle.replacing);
    handle.*domain = std::move(sample);
}

}  // namespace

dpa_problem_s::Shape dpa_problem_s::shape() const {
    const std::lock_guard lock(replacing);
    const auto &any = source ? source : target;
    return {source ? source->rows() : 0, target ? target->rows() : 0, any ? any->features() : 0};
}

dpa_status dpa_problem_create(dpa_problem **out) {
    return guard("dpa_problem_create", [&] { create(out); });
}

void dpa_problem_destroy(dpa_problem *problem) { destroy(problem); }

dpa_status dpa_problem_set_source(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                  size_t leading_dimension, int32_t layout, const double *y,
                                  size_t y_len) {
    return guard("dpa_problem_set_source", [&] {
        set_sample(problem, &dpa_problem_s::source, &dpa_problem_s::target,
                   {x, rows, cols, leading_dimension, layout, y, y_len}, &Sample::copy);
    });
}

dpa_status dpa_problem_set_target(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                  size_t leading_dimension, int32_t layout, const double *y,
                                  size_t y_len) {
    return guard("dpa_problem_set_target", [&] {
        set_sample(problem, &dpa_problem_s::target, &dpa_problem_s::source,
                   {x, rows, cols, leading_dimension, layout, y, y_len}, &Sample::copy);
    });
}

dpa_status dpa_problem_lend_source(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                   size_t leading_dimension, int32_t layout, const double *y,
                                   size_t y_len) {
    return guard("dpa_problem_lend_source", [&] {
        set_sample(problem, &dpa_problem_s::source, &dpa_problem_s::target,
                   {x, rows, cols, leading_dimension, layout, y, y_len}, &Sample::lend);
    });
}

dpa_status dpa_problem_lend_target(dpa_problem *problem, const double *x, size_t rows, size_t cols,
                                   size_t leading_dimension, int32_t layout, const double *y,
                                   size_t y_len) {
    return guard("dpa_problem_lend_target", [&] {
        set_sample(problem, &dpa_problem_s::target, &dpa_problem_s::source,
                   {x, rows, cols, leading_dimension, layout, y, y_len}, &Sample::lend);
    });
}

dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows, size_t *target_rows,
                             size_t *features) {
    return guard("dpa_problem_shape", [&] {
        const dpa_problem_s::Shape shape = checked(problem, "problem").shape();
        if (source_rows != nullptr) *source_rows = shape.source_rows;
        if (target_rows != nullptr) *target_rows = shape.target_rows;
        if (features != nullptr) *features = shape.features;
    });
}
