#include "discrepancy/general_difference.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();

}  // namespace

MeanLoss::MeanLoss(const LossRows &rows, const PreparedSample &sample)
    : rows_(rows), sample_(sample), weight_(sample.shares()), losses_(rows.rows()) {}

double MeanLoss::at(const arma::vec &theta) {
    rows_.losses(theta, losses_.data());
    return sample_.mean(losses_);
}

double MeanLoss::at(const arma::vec &theta, arma::vec &gradient) {
    gradient = rows_.gradient(theta, weight_.data(), losses_.data());
    return sample_.mean(losses_);
}

loss::Bounds MeanLoss::bounds(double reach) const {
    constexpr std::size_t kBlock = 256;
    const std::vector<double> labels = sample_.labels();
    loss::Bounds means;
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, labels.size());
        sample_.fill(begin, end, columns);
        for (std::size_t i = begin; i < end; ++i) {
            const double norm = arma::norm(columns.col(i - begin));
            const loss::Bounds own = rows_.loss().bounds({reach, norm, std::abs(labels[i])});
            means.value += weight_[i] * own.value;
            means.lipschitz += weight_[i] * own.lipschitz;
            means.smoothness += weight_[i] * own.smoothness;
        }
    }
    return means;
}

GeneralDifference::GeneralDifference(const PreparedProblem &problem)
    : target_(problem.target_loss_rows(), problem.target()),
      source_(problem.public_sample().loss_rows(), problem.source()),
      convex_(loss::is_convex(problem.public_sample().choice())),
      terms_(64.0 +
             static_cast<double>(std::max(problem.source().rows(), problem.target().rows()))) {}

double GeneralDifference::at(const arma::vec &theta, arma::vec &gradient) {
    arma::vec of_source;
    const double target = target_.at(theta, gradient);
    const double source = source_.at(theta, of_source);
    gradient -= of_source;
    return target - source;
}

/** Losses are in [0, B], and Hessians of convex losses between 0 and a bound: so are their means,
 *  and the distance of two of these is at most the larger bound. */
loss::Bounds GeneralDifference::bounds(double reach) const {
    const loss::Bounds target = target_.bounds(reach);
    const loss::Bounds source = source_.bounds(reach);
    const double bend = convex_ ? std::max(target.smoothness, source.smoothness)
                                : target.smoothness + source.smoothness;
    const double widened = 1.0 + 2.0 * kUnit * terms_;
    return {widened * std::max(target.value, source.value),
            widened * (target.lipschitz + source.lipschitz), widened * bend};
}

/** Sums of that many losses, and losses of scores that are sums themselves. */
double GeneralDifference::rounding(const arma::vec &theta, const loss::Bounds &bounds) {
    const double losses = std::abs(target_.at(theta)) + std::abs(source_.at(theta));
    const double scores = arma::norm(theta) * bounds.lipschitz;
    return kUnit * (terms_ * losses +
                    static_cast<double>(theta.n_elem + 8) * (std::isfinite(scores) ? scores : 0.0));
}

}  // namespace dpadapt
