#include "linalg/gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/control.hpp"
#include "base/multiversion.hpp"

namespace dpadapt::linalg {

namespace {

constexpr std::size_t kBeside = 8;
using Beside = double __attribute__((vector_size(kBeside * sizeof(double))));

/** Up to this size the products of columns with themselves are faster here than in BLAS, which has
 *  no kernels for so few rows, and takes its oldest on a processor that it does not know. */
constexpr std::size_t kNarrow = 48;
static_assert(kNarrow % kBeside == 0);

std::size_t block_rows(std::size_t dimension) {
    constexpr std::size_t kBlockDoubles = 65536;  // half a megabyte
    return std::clamp<std::size_t>(kBlockDoubles / dimension, 16, 1024);
}

/** What is made of a row costs about so many numbers: a product with a matrix, mostly. */
std::size_t work_of_row(std::size_t size) { return size * (2 + size / 16); }

/** z_ij = root_i (factor_i (scale_j (x_ij - center_j))) for rows of adjacent numbers. The last
 *  lanes of a row end with it and overlap the ones before: no number is left over. */
DPA_MULTIVERSION
void move_and_scale(std::size_t n, std::size_t d, const double *x, std::size_t apart,
                    const double *center, const double *scale, const double *factor,
                    const double *root, double *z, std::size_t stride) {
    for (std::size_t i = 0; i < n; ++i, x += apart, z += stride) {
        const double f = factor == nullptr ? 1.0 : factor[i];
        const double r = root == nullptr ? 1.0 : root[i];
        for (std::size_t j = 0; d < kBeside && j < d; ++j)
            z[j] = r * (f * (scale[j] * (x[j] - center[j])));
        for (std::size_t next = kBeside; d >= kBeside && next < d + kBeside; next += kBeside) {
            const std::size_t j = std::min(next, d) - kBeside;
            Beside lanes;
            Beside centers;
            Beside scales;
            std::memcpy(&lanes, x + j, sizeof lanes);
            std::memcpy(&centers, center + j, sizeof lanes);
            std::memcpy(&scales, scale + j, sizeof lanes);
            lanes = r * (f * (scales * (lanes - centers)));
            std::memcpy(z + j, &lanes, sizeof lanes);
        }
    }
}

/** The rows begin <= i < end, times these roots unless null, as columns `stride` apart. */
void fill_columns(const AffineRows &rows, std::size_t begin, std::size_t end, bool with_label,
                  const double *root, double *z, std::size_t stride) {
    const std::size_t d = rows.x.cols;
    const double *factors = rows.row_scale.empty() ? nullptr : rows.row_scale.data() + begin;
    count_work(end - begin, work_of_row(d));
    if (rows.x.row_major)
        by_processor<move_and_scale>(end - begin, d, rows.x.row(begin), rows.x.stride,
                                     rows.center.memptr(), rows.scale.memptr(), factors, root, z,
                                     stride);
    else
        for (std::size_t j = 0; j < d; ++j)
            for (std::size_t i = 0; i < end - begin; ++i) {
                const double factor = factors == nullptr ? 1.0 : factors[i];
                const double moved = rows.scale(j) * (rows.x(begin + i, j) - rows.center(j));
                z[i * stride + j] = (root == nullptr ? 1.0 : root[i]) * (factor * moved);
            }
    for (std::size_t i = begin; i < end; ++i, z += stride) {
        const double r = root == nullptr ? 1.0 : root[i - begin];
        if (rows.constant) z[d] = r;
        if (with_label) z[rows.dimension()] = r * (rows.label[i] - rows.label_center);
    }
}

double unit_of(const double *weight, std::size_t count) {
    double largest = 0.0;
    for (std::size_t i = 0; weight != nullptr && i < count; ++i)
        largest = std::max(largest, weight[i]);
    return power_of_two(largest);
}

/** gram += sum_i z_i z_i' over count columns of size <= kNarrow numbers, `wide` apart, with any
 *  numbers in between, four rows of eight lanes at once: what is behind `size` reaches sums that
 *  nobody reads. The lower triangle of a matrix of size^2 numbers; the same bits on every
 *  processor. */
DPA_MULTIVERSION
void multiply(std::size_t size, std::size_t count, std::size_t wide, const double *packed,
              double *gram) {
    for (std::size_t k = 0; k < size; k += kBeside) {
        const std::size_t used = std::min(kBeside, size - k);
        for (std::size_t i = k; i < size; i += 4) {
            Beside s0{};
            Beside s1{};
            Beside s2{};
            Beside s3{};
            const double *z = packed;
            for (std::size_t row = 0; row < count; ++row, z += wide) {
                Beside lanes;
                std::memcpy(&lanes, z + k, sizeof lanes);
                s0 += lanes * z[i];
                s1 += lanes * z[i + 1];
                s2 += lanes * z[i + 2];
                s3 += lanes * z[i + 3];
            }
            // Rows i.. of the columns k..: element (row, column) stands at column * size + row.
            for (std::size_t lane = 0; lane < used; ++lane) {
                double *column = gram + (k + lane) * size + i;
                const double sums[4] = {s0[lane], s1[lane], s2[lane], s3[lane]};
                const std::size_t rows = std::min<std::size_t>(4, size - i);
                for (std::size_t r = 0; r < rows; ++r) column[r] += sums[r];
            }
        }
    }
}

/** The lower triangle of sum_i weight_i / unit z_i z_i' for few features. */
void add_narrow(const AffineRows &rows, const double *weight, double unit, bool with_label,
                arma::mat &gram) {
    constexpr std::size_t kTogether = 32;  // columns that stay in the nearest cache
    struct alignas(64) Columns {
        double z[kTogether * kNarrow];
    };
    const auto kept = std::make_unique<Columns>();  // threads of a host may have small stacks
    double *columns = kept->z;
    double root[kTogether];
    const std::size_t wide = (gram.n_rows + kBeside - 1) / kBeside * kBeside;
    for (std::size_t begin = 0; begin < rows.rows(); begin += kTogether) {
        const std::size_t n = std::min(kTogether, rows.rows() - begin);
        for (std::size_t i = 0; i < n; ++i)
            root[i] = weight == nullptr ? 1.0 : std::sqrt(weight[begin + i] / unit);
        fill_columns(rows, begin, begin + n, with_label, root, columns, wide);
        by_processor<multiply>(gram.n_rows, n, wide, columns, gram.memptr());
    }
}

/** The same of columns that are there and may be scaled, by BLAS. */
void add_wide(arma::mat &block, const double *weight, double unit, arma::mat &gram) {
    for (arma::uword i = 0; weight != nullptr && i < block.n_cols; ++i)
        block.col(i) *= std::sqrt(weight[i] / unit);
    const char lower = 'L';
    const char plain = 'N';
    const auto n = static_cast<arma::blas_int>(gram.n_rows);
    const auto k = static_cast<arma::blas_int>(block.n_cols);
    const double one = 1.0;
    arma::blas::syrk(&lower, &plain, &n, &k, &one, block.memptr(), &n, &one, gram.memptr(), &n);
}

}  // namespace

double power_of_two(double number) {
    return number > 0.0 && std::isfinite(number) ? std::ldexp(1.0, std::ilogb(number)) : 1.0;
}

void fill_block(const AffineRows &rows, std::size_t begin, std::size_t end, bool with_label,
                arma::mat &block) {
    constexpr std::size_t kOften = 256;
    block.set_size(rows.dimension() + (with_label ? 1 : 0), end - begin);
    for (std::size_t first = begin; first < end; first += kOften)
        fill_columns(rows, first, std::min(end, first + kOften), with_label, nullptr,
                     block.colptr(first - begin), block.n_rows);
}

arma::mat weighted_gram(const AffineRows &rows, const double *weight, bool with_label) {
    const std::size_t size = rows.dimension() + (with_label ? 1 : 0);
    const double unit = unit_of(weight, rows.rows());
    arma::mat gram(size, size, arma::fill::zeros);
    if (size <= kNarrow) {
        add_narrow(rows, weight, unit, with_label, gram);
        return unit * arma::symmatl(gram);
    }
    arma::mat block;
    const std::size_t step = block_rows(size);
    for (std::size_t begin = 0; begin < rows.rows(); begin += step) {
        const std::size_t end = std::min(rows.rows(), begin + step);
        fill_block(rows, begin, end, with_label, block);
        add_wide(block, weight == nullptr ? nullptr : weight + begin, unit, gram);
    }
    return unit * arma::symmatl(gram);
}

arma::mat weighted_gram(arma::mat columns, const double *weight) {
    const arma::uword size = columns.n_rows;
    if (size <= kNarrow) {
        const MatrixView view{columns.memptr(), columns.n_cols, size, size, true};
        return weighted_gram(AffineRows::plain(view), weight, false);
    }
    arma::mat gram(size, size, arma::fill::zeros);
    const double unit = unit_of(weight, columns.n_cols);
    add_wide(columns, weight, unit, gram);
    return unit * arma::symmatl(gram);
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
