#include "private/gradient_terms.hpp"

namespace dpadapt {

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
