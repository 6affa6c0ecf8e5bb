#include "private/public_terms.hpp"

#include <algorithm>

#include "private/typical_squares.hpp"

namespace dpadapt {
namespace {

/** Of each record of a block: the norm of a symmetric matrix is at most the largest sum of the
 *  sizes in a column. */
arma::vec curvature_bounds(const loss::ScoreLoss &output, const loss::Block &block,
                           const arma::mat &score) {
    arma::vec bounds(score.n_rows, arma::fill::zeros);
    arma::mat column(arma::size(score));
    for (arma::uword k = 0; k < score.n_cols; ++k) {
        arma::mat direction(arma::size(score), arma::fill::zeros);
        direction.col(k).ones();
        output.curvatures(score.n_rows, score.memptr(), block.label, direction.memptr(),
                          column.memptr());
        bounds = arma::max(bounds, arma::vec(arma::sum(arma::abs(column), 1)));
    }
    return bounds;
}

}  // namespace

PublicTerms::PublicTerms(const PublicSample &sample, const arma::vec &at)
    : slope(sample.rows().rows()), curvature(sample.rows().rows()), theta(at) {
    constexpr std::size_t kBlock = 256;
    const loss::ScoreLoss &output = *sample.loss().output();
    const double unit = output.largest_curvature();
    const std::size_t d = sample.rows().dimension();
    const std::vector<double> labels = sample.rows().labels();
    const std::vector<double> relative = sample.rows().shares(static_cast<double>(labels.size()));
    kept_slope = output.kept_slope() / unit;
    TypicalSquares squares(d);
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        sample.rows().fill(begin, begin + n, columns);
        squares.add(columns, arma::rowvec(&relative[begin], n));
        const loss::Block block{n, d, columns.memptr(), &labels[begin]};
        arma::mat score(n, output.outputs());
        arma::mat gradient(arma::size(score));
        std::vector<double> losses(n);
        output.scores(block, {theta.memptr(), theta.n_elem}, {score.memptr(), score.n_elem});
        output.slopes(n, score.memptr(), block.label, losses.data(), gradient.memptr());
        const arma::vec bounds = curvature_bounds(output, block, score);
        for (std::size_t i = 0; i < n; ++i) {
            slope[begin + i] = arma::norm(gradient.row(i)) / unit;
            curvature[begin + i] = std::min(1.0, bounds(i) / unit);
            loss += relative[begin + i] * losses[i] / static_cast<double>(labels.size());
        }
    }
    sizes = squares();
}

}  // namespace dpadapt
