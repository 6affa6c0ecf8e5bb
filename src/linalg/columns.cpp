#include "linalg/columns.hpp"

#include <algorithm>
#include <numeric>

#include "base/control.hpp"
#include "base/parallel.hpp"

namespace dpadapt::linalg {

namespace {

constexpr arma::uword kColumns = 256;

/** What a matrix of that order takes of a block. */
std::size_t work_of_product(const arma::mat &block) {
    return static_cast<std::size_t>(block.n_rows) * (4 + block.n_rows / 16);
}

}  // namespace

DistinctRows::DistinctRows(const arma::mat &all) : point(all.n_cols) {
    std::size_t compared = 0;
    const auto less = [&](std::size_t i, std::size_t j) {
        constexpr std::size_t kOften = 1U << 16U;
        constexpr std::size_t kOfComparison = 16;  // of rows anywhere in memory
        if (++compared % kOften == 0) count_work(kOften, kOfComparison);
        return std::lexicographical_compare(all.begin_col(i), all.end_col(i), all.begin_col(j),
                                            all.end_col(j));
    };
    std::vector<std::size_t> order(all.n_cols);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), less);
    std::vector<arma::uword> first;
    std::vector<double> counts;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || less(order[k - 1], order[k])) {
            first.push_back(order[k]);
            counts.push_back(0.0);
        }
        point[order[k]] = first.size() - 1;
        ++counts.back();
    }
    columns = all.cols(arma::uvec(first));
    count = arma::vec(counts);
}

std::vector<double> DistinctRows::spread(const arma::vec &weights) const {
    std::vector<double> q(point.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = weights(point[i]) / count(point[i]);
    return q;
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
    parallel_for((z.n_cols + kColumns - 1) / kColumns, threads, [&](std::size_t block) {
        const arma::uword begin = block * kColumns;
        const arma::uword last = std::min<arma::uword>(begin + kColumns, z.n_cols) - 1;
        count_work(kColumns, work_of_product(z));
        const arma::mat images = s * z.cols(begin, last);
        forms.subvec(begin, last) = arma::sum(images % z.cols(begin, last), 0).t();
    });
    return forms;
}

}  // namespace dpadapt::linalg
