#include "solution/predict.hpp"

#include <dpadapt/solution.h>

#include "capi/arrays.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** A caller's rows, as the functions below get them. */
struct Rows {
    const double *x;
    std::size_t rows;
    std::size_t cols;
    std::size_t leading_dimension;
    std::int32_t layout;
};

/** Checks rows and output array, and fills it with what is computed: `width` numbers a row. */
template <typename Compute>
void fill_rows(const Solution &fit, const Rows &rows, std::size_t width, double *out,
               std::size_t out_len, const Compute &compute) {
    if (rows.cols != fit.features())
        throw Error(DPA_E_DIMENSION, "cols must be " + std::to_string(fit.features()) +
                                         ", but is " + std::to_string(rows.cols));
    if (rows.rows == 0) return check_length(0, out, out_len);
    const linalg::MatrixView x =
        checked_matrix(rows.x, rows.rows, rows.cols, rows.leading_dimension, rows.layout);
    check_length(rows.rows * width, out, out_len);
    copy_out(compute(fit, x), out, out_len);
}

}  // namespace

dpa_status dpa_solution_predict(const dpa_solution *solution, const double *x, size_t rows,
                                size_t cols, size_t leading_dimension, int32_t layout, double *out,
                                size_t out_len) {
    return guard("dpa_solution_predict", [&] {
        const Solution &fit = checked(solution, "solution").value;
        check_scores(fit);
        fill_rows(
            fit, {x, rows, cols, leading_dimension, layout}, 1, out, out_len,
            [](const Solution &of, const linalg::MatrixView &view) { return predict(of, view); });
    });
}

dpa_status dpa_solution_scores(const dpa_solution *solution, const double *x, size_t rows,
                               size_t cols, size_t leading_dimension, int32_t layout, double *out,
                               size_t out_len) {
    return guard("dpa_solution_scores", [&] {
        const Solution &fit = checked(solution, "solution").value;
        check_scores(fit);
        fill_rows(
            fit, {x, rows, cols, leading_dimension, layout}, fit.outputs(), out, out_len,
            [](const Solution &of, const linalg::MatrixView &view) { return scores(of, view); });
    });
}

dpa_status dpa_solution_probabilities(const dpa_solution *solution, const double *x, size_t rows,
                                      size_t cols, size_t leading_dimension, int32_t layout,
                                      double *out, size_t out_len) {
    return guard("dpa_solution_probabilities", [&] {
        const Solution &fit = checked(solution, "solution").value;
        check_probabilities(fit);
        fill_rows(fit, {x, rows, cols, leading_dimension, layout}, fit.outputs(), out, out_len,
                  probabilities);
    });
}

dpa_status dpa_solution_dimension(const dpa_solution *solution, size_t *value) {
    return guard("dpa_solution_dimension", [&] {
        const Solution &fit = checked(solution, "solution").value;
        required(value, "value") = fit.dimension();
    });
}

dpa_status dpa_solution_transform(const dpa_solution *solution, const double *x, size_t rows,
                                  size_t cols, size_t leading_dimension, int32_t layout,
                                  double *out, size_t out_len) {
    return guard("dpa_solution_transform", [&] {
        const Solution &fit = checked(solution, "solution").value;
        fill_rows(fit, {x, rows, cols, leading_dimension, layout}, fit.dimension(), out, out_len,
                  transform);
    });
}
