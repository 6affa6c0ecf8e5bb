#include "objective/weighted_objective.hpp"

#include <algorithm>

namespace dpadapt {

WeightedObjective::WeightedObjective(const PreparedProblem &problem, const Hyperparameters &hyper,
                                     double discrepancy)
    : penalty_(hyper), newton_(problem.public_sample().newton()) {
    const LossRows &source = problem.public_sample().loss_rows();
    const LossRows &target = problem.target_loss_rows();
    const auto m = static_cast<double>(source.rows());
    const auto n = static_cast<double>(target.rows());
    parts_ = {Part{&source, hyper.alpha / m, discrepancy, 0},
              Part{&target, (1.0 - hyper.alpha) / n, 0.0, source.rows()}};
    allocate(source.rows() + target.rows());
}

WeightedObjective::WeightedObjective(const PublicSample &sample, const Hyperparameters &hyper,
                                     double p, double d, std::size_t absent)
    : penalty_(hyper),
      newton_(sample.newton()),
      parts_{{&sample.loss_rows(), p, d, 0}},
      absent_(absent, 0.0) {
    allocate(sample.rows().rows());
}

void WeightedObjective::allocate(std::size_t rows) {
    q_.resize(rows);
    for (const Part &part : parts_) {
        const PricedRows priced = part.priced({});
        for (std::size_t i = 0; i < part.rows->rows(); ++i)
            q_[part.begin + i] = priced.reference(i);
    }
    losses_.resize(rows);
    if (newton_) scores_.resize(rows);
    if (penalty_.keeps_reference()) return;
    cost_.resize(rows);
    if (!penalty_.is_convex()) return;
    for (const Part &part : parts_) std::fill_n(&cost_[part.begin], part.rows->rows(), part.d);
    offset_ = penalty_.best_weights(priced_rows(), {}).value;
}

std::vector<PricedRows> WeightedObjective::priced_rows() const {
    std::vector<PricedRows> samples;
    if (!absent_.empty()) samples.push_back({absent_, 0.0});
    for (const Part &part : parts_)
        samples.push_back(part.priced(std::span(cost_).subspan(part.begin, part.rows->rows())));
    return samples;
}

double WeightedObjective::evaluate(const arma::vec &theta, arma::vec &gradient) {
    ++evaluations_;
    at_ = theta;
    const bool once = penalty_.keeps_reference() || (penalty_.is_convex() && !penalty_.couples());
    if (!once) {
        for (const Part &part : parts_)
            part.rows->losses(theta, losses_.data() + part.begin, scores_of(part));
        find_weights();
    }
    double value = 0.0;
    gradient.zeros(theta.n_elem);
    for (const Part &part : parts_) {
        if (part.p == 0.0) continue;
        if (!once && newton_) {
            gradient += part.rows->gradient_at(scores_of(part), q_.data() + part.begin,
                                               losses_.data() + part.begin);
            continue;
        }
        const auto weigh = [&](std::size_t begin, std::size_t end) {
            const std::size_t first = part.begin + begin;
            for (std::size_t i = first; i < part.begin + end; ++i) cost_[i] = losses_[i] + part.d;
            return penalty_.weigh(part.priced(std::span(cost_).subspan(first, end - begin), begin),
                                  q_.data() + first);
        };
        const LossRows::Sums sums = part.rows->weighted_sums(
            theta, q_.data() + part.begin, losses_.data() + part.begin, scores_of(part),
            once && !penalty_.keeps_reference() ? LossRows::Weigh(weigh) : LossRows::Weigh());
        gradient += sums.gradient;
        value += sums.value;
    }
    if (penalty_.keeps_reference()) return value_at_reference();
    return once ? value : value_;
}

void WeightedObjective::find_weights() {
    for (const Part &part : parts_)
        for (std::size_t i = part.begin; i < part.begin + part.rows->rows(); ++i)
            cost_[i] = losses_[i] + part.d;
    const std::vector<PricedRows> samples = priced_rows();
    BestWeights best = penalty_.best_weights(samples, scalars_);
    best.q.erase(best.q.begin(), best.q.begin() + static_cast<std::ptrdiff_t>(absent_.size()));
    q_ = std::move(best.q);
    scalars_ = best.scalars;
    value_ = best.value;
    slack_ = penalty_.slack(samples, scalars_);
}

double WeightedObjective::value_at_reference() const {
    double value = 0.0;
    for (const Part &part : parts_) {
        if (part.p == 0.0) continue;
        double sum = 0.0;
        const PricedRows priced = part.priced({});
        for (std::size_t i = 0; i < part.rows->rows(); ++i)
            sum += priced.factor(i) * losses_[part.begin + i];
        value += part.p * (sum + part.d * static_cast<double>(part.rows->rows()));
    }
    return value;
}

arma::mat WeightedObjective::curvature(const arma::vec &theta) {
    if (!newton_) return {};
    constexpr double kFall = 1e-3;
    constexpr double kRise = 10.0;
    constexpr double kLeast = 1e-6;
    floor_ = std::clamp((evaluations_ == 1 ? kFall : kRise) * floor_, kLeast, 1.0);
    evaluations_ = 0;
    arma::mat h(theta.n_elem, theta.n_elem, arma::fill::zeros);
    for (const Part &part : parts_) {
        if (part.p == 0.0) continue;
        const double *q = q_.data() + part.begin;
        const auto reduce = [&](std::size_t begin, std::size_t end, const double *slope,
                                double *curvatures) {
            const auto cost = std::span(cost_).subspan(part.begin + begin, end - begin);
            penalty_.reduce_curvature(part.priced(cost, begin), scalars_, q + begin, slope, floor_,
                                      curvatures);
        };
        h += part.rows->curvature(scores_of(part), q,
                                  cost_.empty() ? LossRows::Reduce() : LossRows::Reduce(reduce));
    }
    return h;
}

arma::vec WeightedObjective::diagonal(const arma::vec &theta) {
    arma::vec h(theta.n_elem, arma::fill::zeros);
    for (const Part &part : parts_) {
        if (part.p == 0.0) continue;
        const arma::vec of_part = part.rows->diagonal(theta, q_.data() + part.begin);
        if (of_part.is_empty()) return of_part;
        h += of_part;
    }
    return h;
}

}  // namespace dpadapt
