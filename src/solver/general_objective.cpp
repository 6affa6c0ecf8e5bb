#include "solver/general_objective.hpp"

#include <cmath>

namespace dpadapt {

GeneralObjective::GeneralObjective(const PreparedProblem &problem, double discrepancy)
    : hyper_(problem.hyperparameters()), newton_(problem.public_sample().newton()) {
    const LossRows &source = problem.public_sample().loss_rows();
    const LossRows &target = problem.target_loss_rows();
    const auto m = static_cast<double>(source.rows());
    const auto n = static_cast<double>(target.rows());
    parts_ = {Part{&source, hyper_.alpha / m, discrepancy, 0},
              Part{&target, (1.0 - hyper_.alpha) / n, 0.0, source.rows()}};
    q_.assign(source.rows(), parts_[0].p);
    q_.resize(source.rows() + target.rows(), parts_[1].p);
    losses_.resize(q_.size());
}

GeneralObjective::GeneralObjective(const PublicSample &sample, const Hyperparameters &hyper,
                                   double p, double d, std::size_t absent)
    : hyper_(hyper),
      newton_(sample.newton()),
      parts_{{&sample.loss_rows(), p, d, 0}},
      absent_(absent, 0.0),
      q_(sample.rows().rows(), p),
      losses_(q_.size()) {}

bool GeneralObjective::keeps_reference() const { return std::isinf(hyper_.lambda_1); }

double GeneralObjective::evaluate(const arma::vec &theta, arma::vec &gradient) {
    if (!keeps_reference()) {
        for (const Part &part : parts_) part.rows->losses(theta, losses_.data() + part.begin);
        find_weights();
    }
    gradient.zeros(theta.n_elem);
    for (const Part &part : parts_)
        if (part.p > 0.0)
            gradient +=
                part.rows->gradient(theta, q_.data() + part.begin, losses_.data() + part.begin);
    return keeps_reference() ? value_at_reference() : value_;
}

void GeneralObjective::find_weights() {
    std::vector<double> cost(losses_);
    std::vector<PricedRows> samples{{absent_, 0.0}};
    for (const Part &part : parts_) {
        const std::span<double> of_part = std::span(cost).subspan(part.begin, part.rows->rows());
        for (double &c : of_part) c += part.d;
        samples.push_back({of_part, part.p});
    }
    auto [q, value] = best_general_weights(
        {hyper_.lambda_1, hyper_.lambda_2, hyper_.lambda_inf, hyper_.mu}, samples);
    q_.assign(q.begin() + static_cast<std::ptrdiff_t>(absent_.size()), q.end());
    value_ = value;
}

double GeneralObjective::value_at_reference() const {
    double value = 0.0;
    for (const Part &part : parts_) {
        if (part.p == 0.0) continue;
        double sum = 0.0;
        for (std::size_t i = 0; i < part.rows->rows(); ++i) sum += losses_[part.begin + i];
        value += part.p * (sum + part.d * static_cast<double>(part.rows->rows()));
    }
    return value;
}

arma::mat GeneralObjective::curvature(const arma::vec &theta) {
    if (!newton_) return {};
    arma::mat h(theta.n_elem, theta.n_elem, arma::fill::zeros);
    for (const Part &part : parts_)
        if (part.p > 0.0) h += part.rows->curvature(theta, q_.data() + part.begin);
    return h;
}

}  // namespace dpadapt
