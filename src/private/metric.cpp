#include "private/metric.hpp"

#include <cmath>

#include "problem/plan_request.hpp"

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

}  // namespace

arma::vec Metric::to_v(const arma::vec &theta) const {
    if (inverse.is_empty()) return scale % theta;
    return arma::vectorise(inverse * in_blocks(theta, blocks));
}

arma::vec Metric::to_theta(const arma::vec &v) const {
    if (map.is_empty()) return v / scale;
    return arma::vectorise(map.t() * in_blocks(v, blocks));
}

arma::vec Metric::slope(const arma::vec &gradient) const {
    if (map.is_empty()) return gradient / scale / unit;
    return arma::vectorise(map * in_blocks(gradient, blocks)) / unit;
}

arma::vec Metric::project(const arma::vec &v, double radius) const {
    const arma::vec theta = to_theta(v);
    if (arma::norm(theta) <= radius) return v;
    arma::vec values = arma::square(scale);  // of P, for each coordinate of theta in its eigenbasis
    arma::mat basis;
    arma::vec coordinates = theta;
    if (!inverse.is_empty()) {
        const linalg::Spectrum p = linalg::decompose(arma::symmatu(inverse.t() * inverse));
        basis = p.vectors;
        values = arma::repmat(p.values, blocks, 1);
        coordinates = arma::vectorise(basis.t() * in_blocks(theta, blocks));
    }
    const arma::uvec order = arma::stable_sort_index(values);
    const arma::vec slope = -values % coordinates;
    coordinates(order) = linalg::minimize_secular(values(order), slope(order), radius).coordinates;
    return to_v(basis.is_empty() ? coordinates
                                 : arma::vectorise(basis * in_blocks(coordinates, blocks)));
}

void Metric::set_clip(const PreparedSample &rows, std::vector<double> kept,
                      const std::vector<double> &norms, const PrivacySettings &settings) {
    clip = settings.clip_bound ? *settings.clip_bound
                               : rows.quantile(std::move(kept), settings.clip_quantile);
    constexpr double kRounding = 1e-12;
    const double label = rows.label_size();
    if (!(clip > kRounding * label)) clip = label > 0.0 ? label : 1.0;  // the public fit is exact
    std::vector<double> squares(norms);
    for (double &norm : squares) norm = std::min(norm, clip) * std::min(norm, clip);
    term_square = rows.mean(squares);
}

Metric make_metric_without_data(const PrivateProblem &problem, const Settings &settings) {
    Metric metric;
    const loss::ScoreLoss *output = problem.loss().output();
    metric.maps_rows = uses_hessian(settings);
    if (metric.maps_rows) metric.unit = output->largest_curvature();
    const double root = std::sqrt(record_curvature(problem) / metric.unit);
    const arma::uword d = problem.dimension();
    if (metric.maps_rows) {
        metric.blocks = output->outputs();
        metric.map = arma::mat(d, d, arma::fill::eye) / root;
        metric.inverse = arma::mat(d, d, arma::fill::eye) * root;
    } else {
        metric.scale.set_size(problem.loss().parameters(d));
        metric.scale.fill(root);
    }
    metric.start = metric.to_v(problem.start(settings.loss.start_seed));
    metric.clip = *settings.privacy.clip_bound;
    metric.term_square = metric.clip * metric.clip;
    return metric;
}

records::Reader step_reader(const PrivateRun &run, const Metric &metric, privacy::Domains domain) {
    return {run.problem, domain, metric.maps_rows ? metric.map : arma::mat()};
}

records::GradientTask gradient_task(const PrivateRun &run, const Metric &metric, const arma::vec &v,
                                    double scale, double most,
                                    const records::Weighting &weighting) {
    const loss::Choice &choice = run.problem.choice();
    records::GradientTask task;
    task.most = most;
    task.weighting = weighting;
    task.grid = run.plan.gradient;
    if (metric.maps_rows && metric.blocks == 1) {
        task.loss = records::ScoredLoss{choice, v, metric.unit};
        task.clip = scale * metric.clip;
        return task;
    }
    records::MappedLoss loss{choice, v, {}};
    if (!metric.maps_rows) loss.theta = metric.to_theta(v);
    if (!metric.maps_rows && metric.map.is_empty()) loss.map.scale = metric.scale;
    if (!metric.maps_rows) loss.map.matrix = metric.map;
    task.loss = std::move(loss);
    task.clip = scale * metric.clip * metric.unit;
    return task;
}

}  // namespace dpadapt
