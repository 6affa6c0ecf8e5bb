#include "linalg/passes.hpp"

#include <cmath>
#include <limits>

#include "base/control.hpp"

namespace dpadapt::linalg {
namespace detail {

RawPredictor::RawPredictor(const AffineRows &rows, const arma::vec &w)
    : coefficients(rows.scale % w.head(rows.x.cols)),
      offset(-arma::dot(coefficients, rows.center)),
      constant((rows.constant ? w(rows.x.cols) : 0.0) + rows.label_center) {}

void RawPredictor::finish(const AffineRows &rows, std::size_t begin, std::size_t end,
                          double *product) const {
    const double *label = rows.label + begin;
    if (rows.row_scale.empty()) {
        const double shift = offset + constant;
        for (std::size_t i = 0; i < end - begin; ++i) product[i] = (product[i] + shift) - label[i];
    } else {
        const double *factor = rows.row_scale.data() + begin;
        for (std::size_t i = 0; i < end - begin; ++i)
            product[i] = (factor[i] * (product[i] + offset) + constant) - label[i];
    }
}

void RawSums::add(const AffineRows &rows, std::size_t chunk, std::size_t begin, std::size_t end,
                  double *a) {
    const std::size_t n = end - begin;
    double *totals = totals_.colptr(chunk);
    Totals of_block = totals_of(a, n);
    totals[1] += of_block.sum;
    if (!rows.row_scale.empty()) {
        for (std::size_t i = 0; i < n; ++i) a[i] *= rows.row_scale[begin + i];
        of_block = totals_of(a, n);
    }
    totals[0] += of_block.sum;
    totals[2] += of_block.size;
    add_weighted_rows(rows.x, a, begin, end, weighted_.colptr(chunk));
}

arma::vec RawSums::finish(const AffineRows &rows) const {
    const arma::vec weighted = arma::sum(weighted_, 1);
    const arma::vec totals = arma::sum(totals_, 1);
    arma::vec centered = weighted - totals(0) * rows.center;
    // What cancellation leaves of a constant column is rounding, and its scale says nothing about
    // that.
    const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                            std::sqrt(static_cast<double>(rows.rows())) * totals(2);
    for (arma::uword j = 0; j < centered.n_elem; ++j)
        if (std::abs(centered(j)) <= rounding * std::abs(rows.center(j))) centered(j) = 0.0;
    arma::vec result(rows.dimension());
    result.head(rows.x.cols) = rows.scale % centered;
    if (rows.constant) result(rows.x.cols) = totals(1);
    return result;
}

}  // namespace detail

void residual_pass(const AffineRows &rows, const arma::vec &w, std::size_t threads,
                   double *residual) {
    const Chunks chunks(rows.x);
    const detail::RawPredictor predictor(rows, w);
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        const std::size_t begin = chunks.begin(chunk);
        const std::size_t end = chunks.end(chunk);
        count_work(end - begin, rows.x.cols);
        row_products(rows.x, predictor.coefficients.memptr(), begin, end, residual + begin);
        predictor.finish(rows, begin, end, residual + begin);
    });
}

arma::vec gradient_pass(const AffineRows &rows, const double *a, std::size_t threads) {
    const Chunks chunks(rows.x);
    detail::RawSums sums(rows, chunks.count());
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        count_work(chunks.end(chunk) - chunks.begin(chunk), rows.x.cols);
        std::vector<double> copy(a + chunks.begin(chunk), a + chunks.end(chunk));
        sums.add(rows, chunk, chunks.begin(chunk), chunks.end(chunk), copy.data());
    });
    return sums.finish(rows);
}

arma::vec column_sums(const MatrixView &x, std::size_t threads) {
    const Chunks chunks(x);
    arma::mat sums(x.cols, chunks.count(), arma::fill::zeros);
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        const std::size_t begin = chunks.begin(chunk);
        count_work(chunks.end(chunk) - begin, x.cols);
        const std::vector<double> ones(chunks.end(chunk) - begin, 1.0);
        add_weighted_rows(x, ones.data(), begin, chunks.end(chunk), sums.colptr(chunk));
    });
    return arma::sum(sums, 1);
}

arma::vec column_squares(const MatrixView &x, const arma::vec &center, std::size_t threads) {
    const Chunks chunks(x);
    arma::mat sums(x.cols, chunks.count(), arma::fill::zeros);
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        double *sum = sums.colptr(chunk);
        const auto add = [&](std::size_t i, std::size_t j) {
            const double deviation = x(i, j) - center(j);
            sum[j] += deviation * deviation;
        };
        const std::size_t begin = chunks.begin(chunk);
        const std::size_t end = chunks.end(chunk);
        count_work(end - begin, x.cols);
        if (x.row_major) {
            for (std::size_t i = begin; i < end; ++i)
                for (std::size_t j = 0; j < x.cols; ++j) add(i, j);
        } else {
            for (std::size_t j = 0; j < x.cols; ++j)
                for (std::size_t i = begin; i < end; ++i) add(i, j);
        }
    });
    return arma::sum(sums, 1);
}

}  // namespace dpadapt::linalg
