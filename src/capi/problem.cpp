#include <dpadapt/problem.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

void set_sample(dpa_problem *problem, std::int32_t domain_number, const dpa_matrix &rows,
                const double *y, std::size_t y_len, bool copies) {
    engine::Problem &own = value_of(problem, "problem");
    const privacy::Domains domain = domain_of(domain_number);
    const linalg::MatrixView x = checked_matrix(rows);
    const bool labelled = y != nullptr || y_len != 0;
    if (labelled) {
        required(y, "y");
        check_row_numbers("y_len", y_len, x.rows);
    }
    own.replace(domain, copies     ? Sample::copy(x, y)
                        : labelled ? Sample::lend(x, y)
                                   : Sample::lend_unlabelled(x));
}

}  // namespace

dpa_status dpa_problem_create(dpa_problem **out) {
    return guard("dpa_problem_create", [&] { create(out); });
}

void dpa_problem_destroy(dpa_problem *problem) { destroy(problem); }

dpa_status dpa_problem_set_sample(dpa_problem *problem, int32_t domain, dpa_matrix x,
                                  const double *y, size_t y_len) {
    return guard("dpa_problem_set_sample", [&] { set_sample(problem, domain, x, y, y_len, true); });
}

dpa_status dpa_problem_lend_sample(dpa_problem *problem, int32_t domain, dpa_matrix x,
                                   const double *y, size_t y_len) {
    return guard("dpa_problem_lend_sample",
                 [&] { set_sample(problem, domain, x, y, y_len, false); });
}

dpa_status dpa_problem_set_source_map(dpa_problem *problem, dpa_matrix matrix, const double *offset,
                                      size_t offset_len) {
    return guard("dpa_problem_set_source_map", [&] {
        engine::Problem &own = value_of(problem, "problem");
        const linalg::MatrixView view = checked_matrix(matrix);
        check_size("offset_len", offset == nullptr ? 0 : matrix.rows, offset_len);
        own.map_source(SourceMap(view, offset));
    });
}

dpa_status dpa_problem_set_groups(dpa_problem *problem, int32_t domain, const int64_t *ids,
                                  size_t n) {
    return guard("dpa_problem_set_groups", [&] {
        engine::Problem &own = value_of(problem, "problem");
        const std::span<const std::int64_t> rows{&required(ids, "ids"), n};
        if (domain_of(domain) == privacy::kTarget)
            own.group_target(rows);
        else
            own.group_source(rows);
    });
}

dpa_status dpa_problem_set_weights(dpa_problem *problem, int32_t domain, const double *weights,
                                   size_t n) {
    return guard("dpa_problem_set_weights", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_weights(domain_of(domain), {&required(weights, "weights"), n});
    });
}

dpa_status dpa_problem_set_scores(dpa_problem *problem, int32_t domain, const double *scores,
                                  size_t n) {
    return guard("dpa_problem_set_scores", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.set_scores(domain_of(domain), {&required(scores, "scores"), n});
    });
}

dpa_status dpa_problem_shape(const dpa_problem *problem, size_t *source_rows, size_t *target_rows,
                             size_t *features) {
    return guard("dpa_problem_shape", [&] {
        const engine::Problem &of = value_of(problem, "problem");
        const privacy::SampleSizes shape = of.locked() ? of.sizes(privacy::kTarget) : of.rows();
        if (source_rows != nullptr) *source_rows = shape.source_rows;
        if (target_rows != nullptr) *target_rows = shape.target_rows;
        if (features != nullptr) *features = shape.features;
    });
}
