#include "paper/paper_blocks.hpp"

#include <cmath>

namespace dpadapt {

PaperBlocks::PaperBlocks(const PrivateRun &run, double source_cost, double target_cost,
                         double loss_bound)
    : run_(run), loss_bound_(loss_bound) {
    const double alpha = run.problem.hyperparameters().alpha;
    add(privacy::kSource, alpha, source_cost);
    add(privacy::kTarget, 1.0 - alpha, target_cost);
}

void PaperBlocks::add(privacy::Domains domain, double share, double cost) {
    if (share == 0.0) return;
    const std::size_t rows = run_.problem.rows(domain);
    PaperBlock block{domain, share / static_cast<double>(rows), cost, {}, {}, {}};
    block.v.ones(rows);
    if (run_.problem.is_private(domain)) {
        block.rows.emplace(run_.problem.private_rows(domain, {}));
        unit_ = std::max(unit_, block.p);
        private_records_ += rows;
    }
    blocks_.push_back(std::move(block));
}

double PaperBlocks::value_unit() const {
    return run_.plan.weights_most > 0 ? loss_bound_ / static_cast<double>(run_.plan.weights_most)
                                      : 0.0;
}

double PaperBlocks::loss_noise(const PaperBlock &block) const {
    return block.rows ? value_unit() * std::ldexp(1.0, run_.plan.gradient.bits) : 0.0;
}

void PaperBlocks::release_losses(std::uint64_t step, const std::vector<std::int64_t> &losses,
                                 const std::vector<std::int64_t> &noise) {
    std::vector<double> released(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        // mutant: weights_without_noise
        released[i] = privacy::release_entry(losses[i], noise[i], value_unit());
    if (run_.trace != nullptr)
        released =
            run_.trace->on_release(random::Purpose::gaussian_u, step, losses, std::move(released));
    const arma::vec noisy(released);
    std::size_t first = 0;
    for (PaperBlock &block : blocks_) {
        if (!block.rows) continue;
        block.gradient =
            -block.p * (noisy.subvec(first, arma::size(block.v)) + block.d / arma::square(block.v));
        first += block.v.n_elem;
    }
}

void project_on_ball(arma::vec &w, double radius) {
    const double norm = arma::norm(w);
    if (norm > radius) w *= radius / norm;
}

void give_weights(const PaperBlock &block, const arma::vec &q, PrivateFit &fit) {
    auto &weights = block.domain == privacy::kSource ? fit.source_weights : fit.target_weights;
    weights.assign(q.begin(), q.end());
}

}  // namespace dpadapt
