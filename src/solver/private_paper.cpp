#include "solver/private_paper.hpp"

#include <cmath>

#include "random/noise.hpp"
#include "solver/private_sum.hpp"

namespace dpadapt {
namespace {

/** A sample with its variables. */
struct Block {
    privacy::Domains domain;
    double p;                         ///< reference weight of its records
    double d;                         ///< what its records cost besides their loss
    std::optional<PrivateRows> rows;  ///< absent for the public sample
    arma::vec v;
    arma::vec average;
    arma::vec gradient;
    double step = 0.0;
};

class PaperDescent {
  public:
    PaperDescent(const PrivateRun &run, const Settings &settings, double discrepancy,
                 double loss_bound, double gradient_bound)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          loss_bound_(loss_bound),
          gradient_bound_(gradient_bound),
          steps_(run.plan.steps > 0 ? run.plan.steps : settings.iterations.value_or(kPublicSteps)) {
        add_block(privacy::kSource, hyper_.alpha, discrepancy);
        add_block(privacy::kTarget, 1.0 - hyper_.alpha, 0.0);
        choose_steps(settings.privacy.step_sizes);
    }

    PrivateFit operator()() {
        const PublicSample *sample = run_.problem.public_sample();
        const arma::uword dimension = run_.problem.dimension();
        arma::vec w = sample != nullptr ? sample->fit() : arma::vec(dimension, arma::fill::zeros);
        project(w);
        arma::vec average(dimension, arma::fill::zeros);
        for (std::uint64_t step = 1; step <= steps_; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps_)});
            const arma::vec gradient = gradients(w, step);
            w -= step_ * gradient;
            project(w);
            average += w;
            for (Block &block : blocks_) {
                block.v = arma::clamp(block.v - block.step * block.gradient, 1.0, arma::datum::inf);
                block.average += block.v;
            }
        }
        const auto count = static_cast<double>(steps_);
        PrivateFit fit;
        fit.w = average / count;
        fit.alpha = hyper_.alpha;
        for (const Block &block : blocks_) {
            const arma::vec q = block.p * count / block.average;
            auto &weights =
                block.domain == privacy::kSource ? fit.source_weights : fit.target_weights;
            weights.assign(q.begin(), q.end());
        }
        return fit;
    }

  private:
    static constexpr std::uint64_t kPublicSteps = 1000;

    void add_block(privacy::Domains domain, double share, double d) {
        if (share == 0.0) return;
        const std::size_t rows = run_.problem.rows(domain);
        Block block{domain, share / static_cast<double>(rows), d, {}, {}, {}, {}};
        block.v.ones(rows);
        block.average.zeros(rows);
        if (run_.problem.is_private(domain)) {
            block.rows.emplace(run_.problem.private_rows(domain, {}));
            unit_ = std::max(unit_, block.p);
            private_records_ += rows;
        }
        blocks_.push_back(std::move(block));
    }

    /** The printed step sizes. In v the gradient is 1/p of that in u, and a step p^2 times as long. */
    void choose_steps(StepSizes sizes) {
        const auto t = static_cast<double>(steps_);
        const double bar = loss_bound_ + hyper_.kappa_1 + hyper_.kappa_2 + hyper_.kappa_inf;
        const double noise = unit_ * run_.plan.gradient.sigma();
        const auto d = static_cast<double>(run_.problem.dimension());
        step_ =
            hyper_.radius / std::sqrt(t * (gradient_bound_ * gradient_bound_ + d * noise * noise));
        for (Block &block : blocks_) {
            const auto n = static_cast<double>(block.v.n_elem);
            const double bound = block.rows ? bar : loss_bound_ + bar;
            const double sigma =
                block.rows ? value_unit() * std::ldexp(1.0, run_.plan.gradient.bits) : 0.0;
            const double spread = std::sqrt(t * (bound * bound + sigma * sigma));
            // Printed: n^(3/2)/(sqrt(T) share^2 spread) on u, so 1/(sqrt(n T) spread) on v.
            block.step = sizes == StepSizes::paper ? 1.0 / (std::sqrt(n) * spread)
                                                   : 1.0 / (block.p * spread);
        }
    }

    /** Grid unit of a record's loss. */
    [[nodiscard]] double value_unit() const {
        return run_.plan.weights_most > 0
                   ? loss_bound_ / static_cast<double>(run_.plan.weights_most)
                   : 0.0;
    }

    void project(arma::vec &w) const {
        const double norm = arma::norm(w);
        if (norm > hyper_.radius) w *= hyper_.radius / norm;
    }

    /** Fills the gradients by v and returns that by w. All noise of the step is drawn first. */
    arma::vec gradients(const arma::vec &w, std::uint64_t step) {
        arma::vec total(w.n_elem, arma::fill::zeros);
        if (private_records_ > 0) total = release_private(w, step);
        double norm_square = 0.0;
        double largest = 0.0;
        for (Block &block : blocks_) {
            if (!block.rows) total += public_terms(block, w);
            norm_square += arma::accu(arma::square(block.p / block.v));
            largest = std::max(largest, block.p / block.v.min());
        }
        for (Block &block : blocks_) add_regularizers(block, std::sqrt(norm_square), largest);
        return total;
    }

    arma::vec public_terms(Block &block, const arma::vec &w) const {
        const PreparedSample &rows = run_.problem.public_sample()->rows();
        arma::vec residual(block.v.n_elem);
        rows.residuals(w, residual.memptr());
        const arma::vec a = 2.0 * block.p * residual / block.v;
        block.gradient = -block.p * (arma::square(residual) + block.d) / arma::square(block.v);
        return rows.gradient(a.memptr());
    }

    /** Noisy sum of the gradients by w, and the noisy loss over v^2 of each private record. */
    arma::vec release_private(const arma::vec &w, std::uint64_t step) {
        const std::size_t dimension = w.n_elem;
        const auto w_noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, dimension);
        const auto v_noise =
            gaussian_noise(run_, random::Purpose::gaussian_u, step, private_records_);
        privacy::VectorSum sum(dimension, run_.plan.gradient);
        std::vector<std::int64_t> losses(private_records_);
        std::size_t first = 0;
        for (const Block &block : blocks_) {
            if (!block.rows) continue;
            const double weight = block.p / unit_;
            add_terms(
                *block.rows, run_.threads, dimension,
                [&](std::size_t i, std::vector<double> &out) {
                    const double r = block.rows->residual(i, w.memptr());
                    clip_term(*block.rows, i, 2.0 * weight * r / block.v(i),
                              weight * gradient_bound_, out.data());
                    losses[first + i] = privacy::round_entry(r * r / (block.v(i) * block.v(i)),
                                                             value_unit(), run_.plan.weights_most);
                },
                sum);
            first += block.v.n_elem;
        }
        const arma::vec values =
            release(run_, random::Purpose::gaussian_w, step, sum, w_noise, private_records_);
        const arma::vec noisy = release_losses(step, losses, v_noise);
        first = 0;
        for (Block &block : blocks_) {
            if (!block.rows) continue;
            block.gradient = -block.p * (noisy.subvec(first, arma::size(block.v)) +
                                         block.d / arma::square(block.v));
            first += block.v.n_elem;
        }
        return unit_ * values;
    }

    [[nodiscard]] arma::vec release_losses(std::uint64_t step,
                                           const std::vector<std::int64_t> &losses,
                                           const std::vector<std::int64_t> &noise) const {
        std::vector<double> released(losses.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            released[i] = privacy::release_entry(losses[i], noise[i], value_unit());
        if (run_.trace != nullptr)
            released = run_.trace->on_release(random::Purpose::gaussian_u, step, losses,
                                              std::move(released));
        return {released};
    }

    /** kappa_1 sum p v, kappa_2 ||p/v||, kappa_inf max p/v: functions of released values. */
    void add_regularizers(Block &block, double norm, double largest) const {
        block.gradient += hyper_.kappa_1 * block.p;
        const arma::vec q = block.p / block.v;
        if (hyper_.kappa_2 > 0.0)
            block.gradient -= hyper_.kappa_2 / norm * arma::square(q) / block.v;
        if (hyper_.kappa_inf == 0.0 || q.max() < largest) return;
        const arma::uword at = q.index_max();
        block.gradient(at) -= hyper_.kappa_inf * q(at) / block.v(at);
    }

    const PrivateRun &run_;
    Hyperparameters hyper_;
    double loss_bound_;
    double gradient_bound_;
    std::uint64_t steps_;
    double step_ = 0.0;
    std::vector<Block> blocks_;
    double unit_ = 0.0;  ///< largest reference weight of a private record
    std::size_t private_records_ = 0;
};

}  // namespace

PrivateFit fit_private_paper(const PrivateRun &run, const Settings &settings, double discrepancy,
                             double loss_bound, double gradient_bound) {
    return PaperDescent(run, settings, discrepancy, loss_bound, gradient_bound)();
}

}  // namespace dpadapt
