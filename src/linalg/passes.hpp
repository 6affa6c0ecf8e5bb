#pragma once

#include <algorithm>
#include <vector>

#include "base/control.hpp"
#include "base/parallel.hpp"
#include "linalg/kernels.hpp"
#include "linalg/matrix_view.hpp"

namespace dpadapt::linalg {

/** Fixed division of rows into chunks, the same for every number of threads: sums of chunks are
 *  added in order, so results do not depend on it. */
class Chunks {
  public:
    explicit Chunks(const MatrixView &x) : rows_(x.rows), block_(rows_per_block(x)) {
        constexpr std::size_t kMostChunks = 64;
        const std::size_t blocks = (rows_ + block_ - 1) / block_;
        size_ = (blocks + kMostChunks - 1) / kMostChunks * block_;
    }
    [[nodiscard]] std::size_t count() const { return (rows_ + size_ - 1) / size_; }
    [[nodiscard]] std::size_t block() const { return block_; }
    [[nodiscard]] std::size_t begin(std::size_t chunk) const { return chunk * size_; }
    [[nodiscard]] std::size_t end(std::size_t chunk) const {
        return std::min(rows_, (chunk + 1) * size_);
    }

  private:
    std::size_t rows_;
    std::size_t block_;
    std::size_t size_ = 0;
};

/** What a fused pass returns: the sum of what the row function returned, and sum_i a_i z_i. */
struct PassSums {
    double value = 0.0;
    arma::vec gradient;
};

/** residual[i] = w . z_i - (label_i - label_center). */
void residual_pass(const AffineRows &rows, const arma::vec &w, std::size_t threads,
                   double *residual);

/** sum_i a_i z_i. */
[[nodiscard]] arma::vec gradient_pass(const AffineRows &rows, const double *a, std::size_t threads);

/** Column sums of x; NaN or infinite if and only if the column has an entry that is (or overflows).
 */
[[nodiscard]] arma::vec column_sums(const MatrixView &x, std::size_t threads);

/** sum_i (x_ij - center_j)^2 for every column j. */
[[nodiscard]] arma::vec column_squares(const MatrixView &x, const arma::vec &center,
                                       std::size_t threads);

namespace detail {

/** w in the coordinates of the raw rows: w . z_i = f_i * (coefficients . x_i + offset) + constant.
 */
struct RawPredictor {
    RawPredictor(const AffineRows &rows, const arma::vec &w);
    void finish(const AffineRows &rows, std::size_t begin, std::size_t end, double *product) const;

    arma::vec coefficients;
    double offset;
    double constant;
};

/** Sums over raw rows, turned into sums over z: X'a, and the sums of a_i f_i, a_i
 *  and |a_i f_i|. */
class RawSums {
  public:
    RawSums(const AffineRows &rows, std::size_t chunks)
        : weighted_(rows.x.cols, chunks, arma::fill::zeros),
          totals_(3, chunks, arma::fill::zeros) {}
    void add(const AffineRows &rows, std::size_t chunk, std::size_t begin, std::size_t end,
             double *a);
    [[nodiscard]] arma::vec finish(const AffineRows &rows) const;

  private:
    arma::mat weighted_;
    arma::mat totals_;
};

}  // namespace detail

/** sum_i a_i z_i, where fill(chunk, begin, end, a) fills a for each block of rows. */
[[nodiscard]] arma::vec weighted_pass(const AffineRows &rows, std::size_t threads,
                                      const auto &fill) {
    const Chunks chunks(rows.x);
    detail::RawSums sums(rows, chunks.count());
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        std::vector<double> a(chunks.block());
        const std::size_t last = chunks.end(chunk);
        for (std::size_t begin = chunks.begin(chunk); begin < last; begin += chunks.block()) {
            const std::size_t end = std::min(last, begin + chunks.block());
            count_work(end - begin, 2 * rows.x.cols);
            fill(chunk, begin, end, a.data());
            sums.add(rows, chunk, begin, end, a.data());
        }
    });
    return sums.finish(rows);
}

/** Objective and gradient in one reading of the data: for each block of rows the residuals are
 *  written, then value += row_function(begin, end, residual of the block, a), which fills a, then
 *  a_i z_i is added. */
[[nodiscard]] PassSums fused_pass(const AffineRows &rows, const arma::vec &w, std::size_t threads,
                                  double *residual, const auto &row_function) {
    const detail::RawPredictor predictor(rows, w);
    std::vector<double> values(Chunks(rows.x).count(), 0.0);
    PassSums result;
    result.gradient = weighted_pass(
        rows, threads, [&](std::size_t chunk, std::size_t begin, std::size_t end, double *a) {
            row_products(rows.x, predictor.coefficients.memptr(), begin, end, residual + begin);
            predictor.finish(rows, begin, end, residual + begin);
            values[chunk] += row_function(begin, end, residual + begin, a);
        });
    for (const double value : values) result.value += value;
    return result;
}

}  // namespace dpadapt::linalg
