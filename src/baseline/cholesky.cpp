#include <algorithm>

#include "base/control.hpp"
#include "base/parallel.hpp"
#include "baseline/box_program.hpp"

namespace dpadapt::baseline {

namespace {

using Index = arma::blas_int;
constexpr std::size_t kTile = 192;

/** Rows [begin, begin + size) of a tile, as of a column of them. */
struct Range {
    std::size_t begin;
    Index size;
};

/** Overwrites b with the solution X of L X = b, or of L' X = b for transpose = 'T'. */
void solve_triangle(char transpose, const double *l, Index n, Index stride, Index columns,
                    arma::mat &b) {
    char lower = 'L';
    char plain = 'N';
    Index info = 0;
    arma::lapack::trtrs(&lower, &transpose, &plain, &n, &columns, l, &stride, b.memptr(), &n,
                        &info);
}

class Tiles {
  public:
    explicit Tiles(arma::mat &a) : a_(a), stride_(static_cast<Index>(a.n_rows)) {}

    [[nodiscard]] std::size_t count() const { return (a_.n_rows + kTile - 1) / kTile; }

    bool factor_diagonal(std::size_t k) {
        char lower = 'L';
        Range range = at(k);
        Index info = 0;
        arma::lapack::potrf(&lower, &range.size, tile(k, k), &stride_, &info);
        return info == 0;
    }

    /** Tile (i, k) times the inverse transpose of the factored tile (k, k). */
    void divide(std::size_t i, std::size_t k) {
        const Range rows = at(i);
        arma::mat transposed(kTile, static_cast<std::size_t>(rows.size));
        for (std::size_t c = 0; c < kTile; ++c)
            for (std::size_t r = 0; r < transposed.n_cols; ++r)
                transposed(c, r) = tile(i, k)[r + c * a_.n_rows];
        solve_triangle('N', tile(k, k), static_cast<Index>(kTile), stride_, rows.size, transposed);
        for (std::size_t c = 0; c < kTile; ++c)
            for (std::size_t r = 0; r < transposed.n_cols; ++r)
                tile(i, k)[r + c * a_.n_rows] = transposed(c, r);
    }

    /** Tile (i, j) less tile (i, k) times the transpose of tile (j, k). */
    void subtract(std::size_t i, std::size_t j, std::size_t k) {
        const Range rows = at(i);
        const Range cols = at(j);
        const Range inner = at(k);
        const char plain = 'N';
        const char transposed = 'T';
        const double minus = -1.0;
        const double one = 1.0;
        arma::blas::gemm(&plain, &transposed, &rows.size, &cols.size, &inner.size, &minus,
                         tile(i, k), &stride_, tile(j, k), &stride_, &one, tile(i, j), &stride_);
    }

  private:
    [[nodiscard]] Range at(std::size_t i) const {
        return {i * kTile, static_cast<Index>(std::min<std::size_t>(kTile, a_.n_rows - i * kTile))};
    }
    [[nodiscard]] double *tile(std::size_t i, std::size_t j) {
        return a_.colptr(j * kTile) + i * kTile;
    }

    arma::mat &a_;
    Index stride_;
};

}  // namespace

bool factor_cholesky(arma::mat &a, std::size_t threads) {
    Tiles tiles(a);
    const std::size_t count = tiles.count();
    for (std::size_t k = 0; k < count; ++k) {
        if (!tiles.factor_diagonal(k)) return false;
        const std::size_t below = count - k - 1;
        parallel_for(below, threads, [&](std::size_t i) { tiles.divide(k + 1 + i, k); });
        // The last rows of tiles are the longest: first come, first served.
        parallel_for(below, threads, [&](std::size_t r) {
            const std::size_t i = count - 1 - r;
            for (std::size_t j = k + 1; j <= i; ++j) {
                count_work(kTile * kTile, kTile / 8);
                tiles.subtract(i, j, k);
            }
        });
    }
    return true;
}

arma::vec solve_cholesky(const arma::mat &factor, arma::vec b) {
    const auto n = static_cast<Index>(factor.n_rows);
    solve_triangle('N', factor.memptr(), n, n, 1, b);
    solve_triangle('T', factor.memptr(), n, n, 1, b);
    return b;
}

}  // namespace dpadapt::baseline
