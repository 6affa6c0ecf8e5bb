#include "solution/predict.hpp"

#include "linalg/kernels.hpp"

namespace dpadapt {

void predict(const Solution &solution, const linalg::MatrixView &x, double *out) {
    for (std::size_t k = 0; k < solution.outputs(); ++k) {
        const double *w = solution.coefficients.data() + k * x.cols;
        linalg::row_products(x, w, 0, x.rows, out + k * x.rows);
        for (std::size_t i = 0; i < x.rows; ++i) out[k * x.rows + i] += solution.intercept[k];
    }
}

}  // namespace dpadapt
