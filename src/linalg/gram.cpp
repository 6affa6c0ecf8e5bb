#include "linalg/gram.hpp"

#include <algorithm>
#include <cmath>

#include "base/attention.hpp"

namespace dpadapt::linalg {
namespace {

std::size_t block_rows(std::size_t dimension) {
    constexpr std::size_t kBlockDoubles = 65536;  // half a megabyte
    return std::clamp<std::size_t>(kBlockDoubles / dimension, 16, 1024);
}

/** What is made of a row costs about so many numbers: a product with a matrix, mostly. */
std::size_t work_of_row(std::size_t size) { return size * (2 + size / 16); }

/** gram += block * block', lower triangle. */
void add_product(const arma::mat &block, arma::mat &gram) {
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
    for (std::size_t i = begin; i < end; ++i) {
        if (i % kOften == 0) worked(kOften, work_of_row(d));
        double *z = block.colptr(i - begin);
        const double factor = rows.row_scale.empty() ? 1.0 : rows.row_scale[i];
        for (std::size_t j = 0; j < d; ++j)
            z[j] = factor * (rows.scale(j) * (rows.x(i, j) - rows.center(j)));
        if (rows.constant) z[d] = 1.0;
        if (with_label) z[rows.dimension()] = rows.label[i] - rows.label_center;
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
        if (weight != nullptr)
            for (std::size_t i = begin; i < end; ++i) block.col(i - begin) *= std::sqrt(weight[i]);
        add_product(block, gram);
    }
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
