#include "objective/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gram.hpp"

namespace dpadapt {

double mean_charge(const Hyperparameters &hyper, std::span<const double> losses,
                   std::span<const double> relative) {
    const PricedRows rows{losses, 1.0 / static_cast<double>(losses.size()),
                          relative.empty() ? nullptr : relative.data()};
    if (hyper.penalty == PenaltyKind::convex && hyper.kappa_1 == 0.0) {
        double sum = 0.0;
        for (std::size_t i = 0; i < losses.size(); ++i) sum += rows.factor(i) * losses[i];
        return rows.p * sum;
    }
    Hyperparameters apart = hyper;
    apart.kappa_2 = apart.kappa_inf = apart.lambda_2 = apart.lambda_inf = 0.0;
    std::vector<double> q(losses.size());
    return Penalty(apart).weigh(rows, q.data());
}

Penalty::Penalty(const Hyperparameters &hyper)
    : prices_(hyper.penalty == PenaltyKind::convex
                  ? Prices(ConvexPrices{hyper.kappa_1, hyper.kappa_2, hyper.kappa_inf})
                  : LinearPrices{hyper.lambda_1, hyper.lambda_2, hyper.lambda_inf, hyper.mu}) {}

bool Penalty::keeps_reference() const {
    const auto *linear = std::get_if<LinearPrices>(&prices_);
    return linear != nullptr && std::isinf(linear->lambda_1);
}

double Penalty::weigh(const PricedRows &rows, double *q) const {
    if (const auto *convex = std::get_if<ConvexPrices>(&prices_))
        return weigh_apart(convex->kappa_1, rows, q);
    const auto &linear = std::get<LinearPrices>(prices_);
    const LinearRule rule = linear.rule({});
    double value = 0.0;
    for (std::size_t i = 0; i < rows.cost.size(); ++i) {
        const double p = rows.reference(i);
        q[i] = rule.weight(rows.cost[i], p);
        value += q[i] == p ? p * rows.cost[i] : q[i] * rows.cost[i] + linear.lambda_1 * (p - q[i]);
    }
    return value;
}

BestWeights Penalty::best_weights(std::span<const PricedRows> samples,
                                  const WeightScalars &start) const {
    if (const auto *convex = std::get_if<ConvexPrices>(&prices_))
        return best_convex_weights(*convex, samples, start);
    return best_linear_weights(std::get<LinearPrices>(prices_), samples);
}

double Penalty::slack(std::span<const PricedRows> samples, const WeightScalars &scalars) const {
    const auto *convex = std::get_if<ConvexPrices>(&prices_);
    if (convex == nullptr || !convex->coupled()) return 0.0;
    const ScalarSlopes slopes = scalar_slopes(*convex, samples, scalars);
    return std::abs(slopes.s) * reference_norm(samples) +
           std::abs(slopes.t) * largest_reference(samples);
}

namespace {

/** Some rows: zeta in columns, and the derivatives of their losses by the score. */
struct Part {
    std::size_t begin;
    arma::mat zeta;
    arma::rowvec loss;
    arma::rowvec slope;      ///< clipped
    arma::rowvec curvature;  ///< 0 where the slope is clipped
    arma::rowvec weight;     ///< the user's, of mean 1
};

void each_part(const PreparedSample &rows, const loss::ScoreLoss &loss, const arma::vec &v,
               const GradientRule &rule, const auto &see) {
    constexpr std::size_t kBlock = 512;
    const std::vector<double> labels = rows.labels();
    const arma::vec ones(std::min(kBlock, labels.size()), arma::fill::ones);
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        rows.fill(begin, begin + n, columns);
        Part part{begin,           rule.map.is_empty() ? columns : arma::mat(rule.map * columns),
                  arma::rowvec(n), arma::rowvec(n),
                  arma::rowvec(n), arma::rowvec(n, arma::fill::ones)};
        if (!rows.relative().empty()) part.weight = arma::rowvec(&rows.relative()[begin], n);
        const arma::rowvec score = v.t() * part.zeta;
        loss.slopes(n, score.memptr(), &labels[begin], part.loss.memptr(), part.slope.memptr());
        loss.curvatures(n, score.memptr(), &labels[begin], ones.memptr(), part.curvature.memptr());
        part.slope /= rule.unit;
        part.curvature /= rule.unit;
        for (std::size_t i = 0; i < n; ++i) {
            const double term = std::abs(part.slope(i)) * arma::norm(part.zeta.col(i));
            if (!(term > rule.clip)) continue;
            part.slope(i) *= rule.clip / term;
            part.curvature(i) = 0.0;
        }
        see(part);
    }
}

/** zeta diag(weight) zeta', for weights that are not negative. */
arma::mat weighted_gram(const arma::mat &zeta, const arma::rowvec &weight) {
    const arma::rowvec positive = arma::clamp(weight, 0.0, arma::datum::inf);
    return linalg::weighted_gram(zeta, positive.memptr());
}

}  // namespace

RowSums row_sums(const PreparedSample &rows, const loss::ScoreLoss &loss, const arma::vec &v,
                 const GradientRule &rule) {
    RowSums sums{arma::vec(v.n_elem, arma::fill::zeros),
                 arma::mat(v.n_elem, v.n_elem, arma::fill::zeros)};
    each_part(rows, loss, v, rule, [&](const Part &part) {
        sums.gradient += part.zeta * (part.slope % part.weight).t();
        sums.curvature += weighted_gram(part.zeta, part.curvature % part.weight);
        sums.loss += arma::dot(part.loss, part.weight);
    });
    const auto n = static_cast<double>(rows.rows());
    sums.gradient /= n;
    sums.curvature /= n;
    sums.loss /= n;
    return sums;
}

arma::mat mean_square(const PreparedSample &rows, const loss::ScoreLoss &loss, const arma::vec &v,
                      const GradientRule &rule, const arma::mat &inverse, SquareOf of) {
    constexpr double kMostShare = 0.99;
    const auto n = static_cast<double>(rows.rows());
    arma::mat square(v.n_elem, v.n_elem, arma::fill::zeros);
    each_part(rows, loss, v, rule, [&](Part &part) {
        if (!inverse.is_empty()) {
            const arma::rowvec share =
                part.weight % part.curvature % arma::sum(part.zeta % (inverse * part.zeta), 0) / n;
            part.slope /= 1.0 - arma::clamp(share, 0.0, kMostShare);
        }
        const arma::rowvec weight = of == SquareOf::mean ? arma::square(part.weight) : part.weight;
        square += weighted_gram(part.zeta, weight % arma::square(part.slope));
    });
    return square / n;
}

std::vector<double> curvature_sizes(const PreparedSample &rows, const loss::ScoreLoss &loss,
                                    const arma::vec &v, const GradientRule &rule) {
    std::vector<double> sizes(rows.rows());
    GradientRule free = rule;
    free.clip = std::numeric_limits<double>::infinity();
    each_part(rows, loss, v, free, [&](const Part &part) {
        for (arma::uword i = 0; i < part.zeta.n_cols; ++i)
            sizes[part.begin + i] =
                part.curvature(i) * arma::dot(part.zeta.col(i), part.zeta.col(i));
    });
    return sizes;
}

arma::mat shrunk_curvature(const PreparedSample &rows, const loss::ScoreLoss &loss,
                           const arma::vec &v, const GradientRule &rule, double most) {
    arma::mat curvature(v.n_elem, v.n_elem, arma::fill::zeros);
    each_part(rows, loss, v, rule, [&](Part &part) {
        for (arma::uword i = 0; i < part.zeta.n_cols; ++i) {
            const double square = arma::dot(part.zeta.col(i), part.zeta.col(i));
            if (square * part.curvature(i) > most) part.curvature(i) = most / square;
        }
        curvature += weighted_gram(part.zeta, part.curvature % part.weight);
    });
    return curvature / static_cast<double>(rows.rows());
}

}  // namespace dpadapt
