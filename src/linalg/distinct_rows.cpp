#include "linalg/distinct_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/control.hpp"

namespace dpadapt::linalg {

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

}  // namespace dpadapt::linalg
