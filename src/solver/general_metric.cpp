#include "solver/general_metric.hpp"

#include <cmath>

#include "base/error.hpp"
#include "linalg/trust_region.hpp"
#include "solver/general_public_metric.hpp"

namespace dpadapt {
namespace {

/** The blocks of theta side by side. */
arma::mat in_blocks(const arma::vec &theta, arma::uword blocks) {
    return arma::reshape(theta, theta.n_elem / blocks, blocks);
}

/** Bound of the Hessian of a record, as far as one is known; for a perceptron as if its scores were
 *  linear. */
double record_curvature(const PrivateProblem &problem) {
    const double radius = problem.record_radius();
    const loss::Range domain{problem.hyperparameters().radius, radius,
                             problem.clipping().label_bound};
    const loss::ScoreLoss *output = problem.loss().output();
    const double bound = output != nullptr ? output->bounds(domain).smoothness
                                           : problem.loss().bounds(domain).smoothness;
    return bound > 0.0 && std::isfinite(bound) ? bound : radius * radius;
}

GeneralMetric metric_without_data(const PrivateProblem &problem, const PrivacySettings &settings) {
    GeneralMetric metric;
    metric.scale.set_size(problem.loss().parameters(problem.dimension()));
    metric.scale.fill(std::sqrt(record_curvature(problem)));
    metric.clip = *settings.clip_bound;
    metric.term_square = metric.clip * metric.clip;
    return metric;
}

}  // namespace

arma::mat GeneralMetric::map() const {
    if (vectors.is_empty()) return {};
    return arma::diagmat(1.0 / scale) * vectors.t();
}

arma::vec GeneralMetric::to_v(const arma::vec &theta) const {
    arma::mat columns = in_blocks(theta, blocks);
    if (!vectors.is_empty()) columns = vectors.t() * columns;
    columns.each_col() %= scale;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::to_theta(const arma::vec &v) const {
    arma::mat columns = in_blocks(v, blocks);
    columns.each_col() /= scale;
    if (!vectors.is_empty()) columns = vectors * columns;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::slope(const arma::vec &gradient) const {
    arma::mat columns = in_blocks(gradient, blocks);
    if (!vectors.is_empty()) columns = vectors.t() * columns;
    columns.each_col() /= scale;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::project(const arma::vec &v, double radius) const {
    const arma::vec root = arma::repmat(scale, blocks, 1);
    const arma::vec theta = v / root;  // in the basis V
    if (arma::norm(theta) <= radius) return v;
    const arma::vec values = arma::square(root);
    const arma::uvec order = arma::stable_sort_index(values);
    const arma::vec gamma = -values % theta;
    arma::vec nearest(v.n_elem);
    nearest(order) = linalg::minimize_secular(values(order), gamma(order), radius).coordinates;
    return root % nearest;
}

bool uses_hessian(const PrivateProblem &problem, const Settings &settings) {
    const bool linear = problem.loss().output() == &problem.loss();
    return settings.privacy.metric.value_or(linear ? MetricKind::hessian : MetricKind::gradients) ==
           MetricKind::hessian;
}

GeneralMetric make_general_metric(const PrivateProblem &problem, const Settings &settings) {
    const PublicSample *sample = problem.public_sample();
    GeneralMetric metric = sample == nullptr ? metric_without_data(problem, settings.privacy)
                           : uses_hessian(problem, settings)
                               ? hessian_metric(*sample, settings.privacy)
                               : gradient_metric(*sample, settings.privacy);
    if (!metric.scale.is_finite() || !(metric.scale.min() > 0.0))
        throw Error(DPA_E_NUMERICAL, "the metric of the private steps overflows; scale the data");
    metric.start = metric.to_v(problem.start(settings.loss.start_seed));
    return metric;
}

}  // namespace dpadapt
