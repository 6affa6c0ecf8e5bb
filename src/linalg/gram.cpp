#include "linalg/gram.hpp"

#include <algorithm>
#include <cmath>

#include "base/attention.hpp"
#include "base/multiversion.hpp"
#include "linalg/narrow_gram.hpp"

namespace dpadapt::linalg {
namespace {

std::size_t block_rows(std::size_t dimension) {
    constexpr std::size_t kBlockDoubles = 65536;  // half a megabyte
    return std::clamp<std::size_t>(kBlockDoubles / dimension, 16, 1024);
}

/** What is made of a row costs about so many numbers: a product with a matrix, mostly. */
std::size_t work_of_row(std::size_t size) { return size * (2 + size / 16); }

/** z_ij = factor_i (scale_j (x_ij - center_j)) for rows of adjacent numbers. */
DPA_MULTIVERSION
void move_and_scale(std::size_t n, std::size_t d, const double *x, std::size_t apart,
                    const double *center, const double *scale, const double *factor, double *z,
                    std::size_t stride) {
    for (std::size_t i = 0; i < n; ++i, x += apart, z += stride) {
        const double f = factor == nullptr ? 1.0 : factor[i];
        for (std::size_t j = 0; j < d; ++j) z[j] = f * (scale[j] * (x[j] - center[j]));
    }
}

/** gram += block diag(weight) block', lower triangle; may scale the block. */
void add_product(arma::mat &block, const double *weight, arma::mat &gram) {
    if (gram.n_rows <= kNarrow) {
        add_narrow_gram(block.n_rows, block.n_rows, block.n_cols, block.memptr(), weight,
                        gram.memptr());
        return;
    }
    for (arma::uword i = 0; weight != nullptr && i < block.n_cols; ++i)
        block.col(i) *= std::sqrt(weight[i]);
    const char lower = 'L';
    const char plain = 'N';
    const auto n = static_cast<arma::blas_int>(gram.n_rows);
    const auto k = static_cast<arma::blas_int>(block.n_cols);
    const double one = 1.0;
    arma::blas::syrk(&lower, &plain, &n, &k, &one, block.memptr(), &n, &one, gram.memptr(), &n);
}

}  // namespace

void fill_block(const AffineRows &rows, std::size_t begin, std::size_t end, bool with_label,
                arma::mat &block) {
    const std::size_t d = rows.x.cols;
    block.set_size(rows.dimension() + (with_label ? 1 : 0), end - begin);
    constexpr std::size_t kOften = 256;
    const double *factors = rows.row_scale.empty() ? nullptr : rows.row_scale.data();
    for (std::size_t first = begin; first < end; first += kOften) {
        const std::size_t last = std::min(end, first + kOften);
        worked(last - first, work_of_row(d));
        if (rows.x.row_major)
            move_and_scale(last - first, d, rows.x.row(first), rows.x.stride, rows.center.memptr(),
                           rows.scale.memptr(), factors == nullptr ? nullptr : factors + first,
                           block.colptr(first - begin), block.n_rows);
        for (std::size_t i = first; i < last; ++i) {
            double *z = block.colptr(i - begin);
            const double factor = factors == nullptr ? 1.0 : factors[i];
            for (std::size_t j = 0; !rows.x.row_major && j < d; ++j)
                z[j] = factor * (rows.scale(j) * (rows.x(i, j) - rows.center(j)));
            if (rows.constant) z[d] = 1.0;
            if (with_label) z[rows.dimension()] = rows.label[i] - rows.label_center;
        }
    }
}

arma::mat weighted_gram(const AffineRows &rows, const double *weight, bool with_label) {
    const std::size_t size = rows.dimension() + (with_label ? 1 : 0);
    arma::mat gram(size, size, arma::fill::zeros);
    arma::mat block;
    const std::size_t step = block_rows(size);
    for (std::size_t begin = 0; begin < rows.rows(); begin += step) {
        const std::size_t end = std::min(rows.rows(), begin + step);
        fill_block(rows, begin, end, with_label, block);
        add_product(block, weight == nullptr ? nullptr : weight + begin, gram);
    }
    return arma::symmatl(gram);
}

arma::mat weighted_gram(arma::mat columns, const double *weight) {
    arma::mat gram(columns.n_rows, columns.n_rows, arma::fill::zeros);
    add_product(columns, weight, gram);
    return arma::symmatl(gram);
}

std::vector<double> mapped_norms(const AffineRows &rows, const arma::mat &map) {
    std::vector<double> norms(rows.rows());
    arma::mat block;
    const std::size_t step = block_rows(rows.dimension());
    for (std::size_t begin = 0; begin < rows.rows(); begin += step) {
        const std::size_t end = std::min(rows.rows(), begin + step);
        fill_block(rows, begin, end, false, block);
        const arma::mat mapped = map * block;
        for (std::size_t i = begin; i < end; ++i) norms[i] = arma::norm(mapped.col(i - begin));
    }
    return norms;
}

}  // namespace dpadapt::linalg
