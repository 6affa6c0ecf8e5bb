#include "baseline/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/multiversion.hpp"
#include "base/parallel.hpp"
#include "base/splitmix.hpp"
#include "baseline/weights.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::baseline {

namespace {

constexpr arma::uword kBlock = 256;  // columns and rows of a block of the kernel

Points points_of(const PreparedSample &sample) {
    arma::mat all(sample.dimension(), sample.rows());
    arma::mat column;
    for (std::size_t i = 0; i < sample.rows(); ++i) {
        sample.fill(i, i + 1, column);  // one by one: what is next to a row must not move its bits
        all.col(i) = column;
    }
    return {DistinctRows(all)};
}

/** Products of points with one of this squared norm become exponents. */
DPA_MULTIVERSION
void products_to_exponents(std::size_t n, const double *squares, double square, double gamma,
                           double *products) {
    for (std::size_t r = 0; r < n; ++r) {
        const double distance = squares[r] + square - 2.0 * products[r];
        products[r] = -gamma * (distance > 0.0 ? distance : 0.0);
    }
}

/** The kernel between the points [i, i_end) of x and [j, j_end) of z; a function of the block
 *  alone. */
arma::mat block(const Points &x, arma::uword i, arma::uword i_end, const Points &z, arma::uword j,
                arma::uword j_end, double gamma) {
    arma::mat k = x.columns.cols(i, i_end - 1).t() * z.columns.cols(j, j_end - 1);
    for (arma::uword c = 0; c < k.n_cols; ++c)
        by_processor<products_to_exponents>(k.n_rows, x.squares.memptr() + i, z.squares(j + c),
                                            gamma, k.colptr(c));
    loss::exp(k.n_elem, k.memptr(), k.memptr());
    return k;
}

/** Of a block: exponentials and products. */
std::size_t work_of_column(const Points &x) { return kBlock * (8 + x.columns.n_rows / 8); }

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/** Squared distances of different points, at most 1000 evenly drawn ones of each side. */
std::vector<double> square_distances(const Points &x, const Points &z, bool same) {
    constexpr std::size_t kMost = 1000;
    const Points a = x.subset(evenly_drawn(x.size(), kMost));
    const Points b = z.subset(evenly_drawn(z.size(), kMost));
    std::vector<double> squares;
    for (arma::uword i = 0; i < a.size(); ++i)
        for (arma::uword j = same ? i + 1 : 0; j < b.size(); ++j) {
            const double square = arma::accu(arma::square(a.columns.col(i) - b.columns.col(j)));
            if (square > 0.0) squares.push_back(square);
        }
    return squares;
}

constexpr arma::uword kColumns = 256;

/** What a matrix of that order takes of a block. */
std::size_t work_of_product(const arma::mat &block) {
    return static_cast<std::size_t>(block.n_rows) * (4 + block.n_rows / 16);
}

}  // namespace

Points Points::subset(const arma::uvec &which) const {
    Points points;
    points.columns = columns.cols(which);
    points.count = count.elem(which);
    points.squares = squares.elem(which);
    return points;
}

arma::uvec evenly_drawn(std::size_t points, std::size_t most) {
    arma::uvec which(std::min(points, most));
    for (std::size_t i = 0; i < which.n_elem; ++i) which(i) = i * points / which.n_elem;
    return which;
}

PointPair point_pair(const PreparedSample &source, const PreparedSample &target) {
    PointPair pair{points_of(source), points_of(target)};
    const arma::vec origin = arma::mean(pair.source.columns, 1);
    for (Points *points : {&pair.source, &pair.target}) {
        points->columns.each_col() -= origin;
        points->squares = arma::sum(arma::square(points->columns), 0).t();
        // Of infinity less infinity a distance of 0 would be made.
        constexpr double kLargest = std::numeric_limits<double>::max() / 8.0;
        if (!points->squares.is_finite() || points->squares.max() > kLargest)
            throw Error(DPA_E_NUMERICAL, "the squared distances of the rows overflow");
    }
    return pair;
}

arma::mat kernel_matrix(const Points &x, const Points &z, double gamma, std::size_t threads) {
    arma::mat k(x.size(), z.size());
    parallel_blocks(z.size(), kBlock, threads, [&](std::size_t j, std::size_t j_end) {
        for (arma::uword i = 0; i < x.size(); i += kBlock) {
            count_work(kBlock, work_of_column(x));
            const arma::uword i_end = std::min<arma::uword>(x.size(), i + kBlock);
            k.submat(i, j, i_end - 1, j_end - 1) = block(x, i, i_end, z, j, j_end, gamma);
        }
    });
    return k;
}

arma::vec kernel_sums(const Points &x, const Points &z, const arma::vec &a, double gamma,
                      std::size_t threads) {
    arma::vec sums(x.size(), arma::fill::zeros);
    parallel_blocks(x.size(), kBlock, threads, [&](std::size_t i, std::size_t i_end) {
        for (arma::uword j = 0; j < z.size(); j += kBlock) {
            count_work(kBlock, work_of_column(x));
            const arma::uword j_end = std::min<arma::uword>(z.size(), j + kBlock);
            sums.subvec(i, i_end - 1) +=
                block(x, i, i_end, z, j, j_end, gamma) * a.subvec(j, j_end - 1);
        }
    });
    return sums;
}

double default_gamma(const PointPair &points) {
    std::vector<double> squares = square_distances(points.target, points.target, true);
    if (squares.empty()) squares = square_distances(points.source, points.target, false);
    return squares.empty() ? 1.0 : 1.0 / median(std::move(squares));
}

std::vector<double> gamma_grid(const PointPair &points) {
    std::vector<double> grid;
    for (int power = -3; power <= 3; ++power)
        grid.push_back(std::ldexp(default_gamma(points), power));
    return grid;
}

std::vector<double> record_weights(const Points &source, const arma::vec &total) {
    const double sum = arma::accu(total);
    if (!(sum > 0.0) || !std::isfinite(sum))
        throw Error(DPA_E_NUMERICAL, "no source row has a positive, finite weight");
    std::vector<double> q = source.spread(total);
    for (double &weight : q) weight /= sum;
    return q;
}

Points draw_centers(const Points &target, std::size_t count, std::uint64_t seed) {
    const auto drawn = SplitMix64(seed).draw(target.size(), std::min(count, target.size()));
    return target.subset(arma::sort(arma::conv_to<arma::uvec>::from(drawn)));
}

std::vector<double> source_weights(const Points &source, const DensityRatio &ratio,
                                   std::size_t threads) {
    const arma::vec w =
        kernel_sums(source, ratio.centers, ratio.coefficients, ratio.gamma, threads);
    return record_weights(source, w % source.count);
}

arma::mat second_moment(const arma::mat &z, const arma::vec &q) {
    arma::mat moment(z.n_rows, z.n_rows, arma::fill::zeros);
    for (arma::uword begin = 0; begin < z.n_cols; begin += kColumns) {
        const arma::uword last = std::min(begin + kColumns, z.n_cols) - 1;
        count_work(kColumns, work_of_product(z));
        const arma::mat block = z.cols(begin, last);
        const arma::mat weighted = block.each_row() % q.subvec(begin, last).t();
        moment += weighted * block.t();
    }
    return arma::symmatl(moment);
}

arma::vec quadratic_forms(const arma::mat &z, const arma::mat &s, std::size_t threads) {
    arma::vec forms(z.n_cols);
    parallel_blocks(z.n_cols, kColumns, threads, [&](std::size_t begin, std::size_t end) {
        count_work(kColumns, work_of_product(z));
        const arma::mat images = s * z.cols(begin, end - 1);
        forms.subvec(begin, end - 1) = arma::sum(images % z.cols(begin, end - 1), 0).t();
    });
    return forms;
}

}  // namespace dpadapt::baseline
