#include "paper/blocks.hpp"

#include <cmath>

#include "base/error.hpp"
#include "records/release.hpp"

namespace dpadapt::paper {

Blocks::Blocks(const PrivateRun &run, double source_cost, double target_cost, double loss_bound)
    : run_(run), loss_bound_(loss_bound) {
    const double alpha = run.problem.hyperparameters().alpha;
    add(privacy::kSource, alpha, source_cost);
    add(privacy::kTarget, 1.0 - alpha, target_cost);
}

void Blocks::add(privacy::Domains domain, double share, double cost) {
    if (share == 0.0) return;
    const std::size_t rows = run_.problem.rows(domain);
    Block block{domain, share / static_cast<double>(rows), cost, {}, {}, {}};
    block.v.ones(rows);
    if (run_.problem.is_private(domain)) {
        block.rows.emplace(run_.problem, domain);
        unit_ = std::max(unit_, block.p);
        private_records_ += rows;
    }
    blocks_.push_back(std::move(block));
}

double Blocks::value_unit() const {
    return run_.plan.weights_most > 0 ? loss_bound_ / static_cast<double>(run_.plan.weights_most)
                                      : 0.0;
}

double Blocks::loss_noise(const Block &block) const {
    return block.rows ? value_unit() * std::ldexp(1.0, run_.plan.gradient.bits) : 0.0;
}

arma::vec Blocks::release(std::uint64_t step, records::PaperTask task) {
    const std::size_t parameters = task.theta().n_elem;
    const auto theta_noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, parameters);
    const auto v_noise = gaussian_noise(run_, random::Purpose::gaussian_u, step, private_records_);
    privacy::VectorSum gradient(parameters, run_.plan.gradient);
    std::vector<std::int64_t> losses;
    task.grid = run_.plan.gradient;
    task.loss_bound = loss_bound_;
    task.loss_unit = value_unit();
    task.loss_most = run_.plan.weights_most;
    for (const Block &block : blocks_) {
        if (!block.rows) continue;
        task.v = block.v;
        task.weight = block.p / unit_;
        const records::PaperSum sum = block.rows->sum(task);
        gradient.merge(sum.gradient());
        const std::vector<std::int64_t> of_block = sum.losses();
        if (of_block.size() != block.v.n_elem)
            throw Error(DPA_E_INTERNAL, "the loss of each private record must be there once");
        losses.insert(losses.end(), of_block.begin(), of_block.end());
    }
    const arma::vec values = dpadapt::release(run_, random::Purpose::gaussian_w, step, gradient,
                                              theta_noise, private_records_);
    release_losses(step, losses, v_noise);
    return unit_ * values;
}

void Blocks::release_losses(std::uint64_t step, const std::vector<std::int64_t> &losses,
                            std::span<const std::int64_t> noise) {
    std::vector<double> released(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        // mutant: weights_without_noise
        released[i] = privacy::release_entry(losses[i], noise[i], value_unit());
    if (run_.trace != nullptr)
        released =
            run_.trace->on_release(random::Purpose::gaussian_u, step, losses, std::move(released));
    const arma::vec noisy(released);
    std::size_t first = 0;
    for (Block &block : blocks_) {
        if (!block.rows) continue;
        block.gradient =
            -block.p * (noisy.subvec(first, arma::size(block.v)) + block.d / arma::square(block.v));
        first += block.v.n_elem;
    }
}

void give_weights(const Block &block, const arma::vec &q, PrivateFit &fit) {
    auto &weights = block.domain == privacy::kSource ? fit.source_weights : fit.target_weights;
    weights.assign(q.begin(), q.end());
}

}  // namespace dpadapt::paper
