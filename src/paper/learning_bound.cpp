#include "paper/learning_bound.hpp"

#include <cmath>

#include "discrepancy/estimate.hpp"
#include "discrepancy/general_estimate.hpp"

namespace dpadapt::paper {

// With q = p the theorem reads, with probability 1 - eta for all h of the ball,
//
//   L(D_target, h) <= sum p_i l_i + alpha dis + 2 Rad_p + B ||p|| sqrt(log(2/eta)/2).
//
// dis is that of the distributions. The target's is known, of the source there is a sample. By
// symmetrization and McDiarmid's inequality, both ways,
//
//   dis <= d + 2 Rad_m + B sqrt(log(2/eta)/(2 m)),
//
// with d of that sample and the target, and the sample's Rademacher complexity; eta/2 for each.
// (Were d of two samples, equation (2), 2 Rad_n and the like would come to it, and no share of the
// source could ever lower the bound.)
//
// Contraction takes the loss out of Rad_q: for one score with slope at most G/R and ||x|| <= R,
//
//   Rad_q <= G/R E sup_{||w|| <= Lambda} sum sigma_i q_i w.x_i <= Lambda G ||q||,
//
// and for K scores Maurer's inequality (2016) has sqrt(2 K) times that.

namespace {

constexpr int kAlphas = 10;  // besides 0

double complexity_factor(std::size_t outputs) {
    return outputs == 1 ? 1.0 : std::sqrt(2.0 * static_cast<double>(outputs));
}

}  // namespace

LearningBounds::LearningBounds(const PreparedProblem &domains, const PreparedSample &sample,
                               double n, const Settings &settings, Control &control)
    : domains_(domains),
      sample_(sample),
      sample_rows_(sample, domains.public_sample().loss(), domains.public_sample().newton()),
      settings_(settings),
      control_(control),
      m_(static_cast<double>(domains.source().rows())),
      n_(n) {}

double LearningBounds::target_loss(const arma::vec &theta) const {
    return MeanLoss(domains_.target_loss_rows(), domains_.target()).at(theta);
}

double LearningBounds::discrepancy(double radius) const {
    if (!has_exact_discrepancy(settings_.loss.kind))
        return general_discrepancy_bound(domains_, radius);
    Settings settings = settings_;
    settings.discrepancy_kind = DiscrepancyKind::labelled;
    settings.discrepancy_method = DiscrepancyMethod::trust_region;
    settings.center_kind = CenterKind::zero;
    settings.discrepancy_radius = radius;
    return estimate_discrepancy(domains_, settings, control_).upper;
}

const LearningBounds::Ball &LearningBounds::ball_of(double norm) {
    double radius = domains_.hyperparameters().radius;
    if (!(radius > 0.0)) radius = 1.0;
    double failure = kFailure / 2.0;
    for (std::size_t k = 0;; ++k, radius *= 2.0, failure /= 2.0) {
        if (balls_.size() == k) {
            const bool constant = domains_.preprocess().has_intercept();
            const Clipping &clipping = domains_.clipping();
            const double reach = std::hypot(clipping.feature_radius, constant ? 1.0 : 0.0);
            balls_.push_back(
                {radius, failure,
                 domains_.public_sample().loss().bounds({radius, reach, clipping.label_bound}),
                 discrepancy(radius)});
        }
        if (!(norm > radius)) return balls_[k];
    }
}

LearningBound LearningBounds::operator()(const arma::vec &theta) {
    const Ball &ball = ball_of(arma::norm(theta));
    const double target = MeanLoss(sample_rows_, sample_).at(theta);
    const double source =
        MeanLoss(domains_.public_sample().loss_rows(), domains_.source()).at(theta);
    const double tail = std::sqrt(0.5 * std::log(2.0 * 2.0 * (kAlphas + 1) / ball.failure));
    const double b = ball.bounds.value;
    const double class_size = 2.0 *
                              complexity_factor(loss::scores(domains_.public_sample().choice())) *
                              ball.radius * ball.bounds.lipschitz;
    LearningBound best;
    for (int k = 0; k <= kAlphas; ++k) {
        const double alpha = static_cast<double>(k) / kAlphas;
        const double norm = std::hypot(alpha / std::sqrt(m_), (1.0 - alpha) / std::sqrt(n_));
        LearningBound own{.alpha = alpha, .largest_loss = b};
        own.empirical = alpha * source + (1.0 - alpha) * target;
        own.discrepancy = alpha * ball.discrepancy;
        own.complexity = class_size * (norm + alpha / std::sqrt(m_));
        own.confidence = b * tail * (norm + alpha / std::sqrt(m_));
        own.value = own.empirical + own.discrepancy + own.complexity + own.confidence;
        if (k == 0 || own.value < best.value) best = own;
    }
    return best;
}

}  // namespace dpadapt::paper
