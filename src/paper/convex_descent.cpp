#include <cmath>

#include "linalg/trust_region.hpp"
#include "paper/blocks.hpp"
#include "paper/descent.hpp"

namespace dpadapt::paper {
namespace {

class ConvexDescent {
  public:
    ConvexDescent(const PrivateRun &run, const Settings &settings, double discrepancy,
                  const loss::Bounds &bounds)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          bounds_(bounds),
          steps_(run.plan.steps > 0 ? run.plan.steps : settings.iterations.value_or(kPublicSteps)),
          blocks_(run, discrepancy, 0.0, bounds) {
        for (const Block &block : blocks_.all())
            averages_.emplace_back(block.v.n_elem, arma::fill::zeros);
        choose_steps(settings.privacy.step_sizes);
    }

    PrivateFit operator()() {
        const PublicSample *sample = run_.problem.public_sample();
        const arma::uword dimension = run_.problem.dimension();
        arma::vec w = sample != nullptr ? sample->fit() : arma::vec(dimension, arma::fill::zeros);
        linalg::project_on_ball(w, hyper_.radius);
        arma::vec average(dimension, arma::fill::zeros);
        for (std::uint64_t step = 1; step <= steps_; ++step) {
            run_.control.report({"private steps", step - 1, steps_});
            const arma::vec gradient = gradients(w, step);
            w -= step_ * gradient;
            linalg::project_on_ball(w, hyper_.radius);
            average += w;
            for (std::size_t b = 0; b < averages_.size(); ++b) {
                blocks_.all()[b].move();
                averages_[b] += blocks_.all()[b].v;
            }
        }
        const auto count = static_cast<double>(steps_);
        PrivateFit fit;
        fit.theta = average / count;
        fit.alpha = hyper_.alpha;
        for (std::size_t b = 0; b < averages_.size(); ++b) {
            const Block &block = blocks_.all()[b];
            give_weights(block, block.p * count / averages_[b], fit);
        }
        return fit;
    }

  private:
    static constexpr std::uint64_t kPublicSteps = 1000;

    /** The printed step sizes. In v the gradient is 1/p of that in u, and a step p^2 times as
     *  long. */
    void choose_steps(StepSizes sizes) {
        const auto t = static_cast<double>(steps_);
        const double bar = bounds_.value + hyper_.kappa_1 + hyper_.kappa_2 + hyper_.kappa_inf;
        const double noise = blocks_.unit() * run_.plan.gradient.sigma();
        const auto d = static_cast<double>(run_.problem.dimension());
        const double slope = bounds_.lipschitz;
        step_ = hyper_.radius / std::sqrt(t * (slope * slope + d * noise * noise));
        for (Block &block : blocks_.all()) {
            const auto n = static_cast<double>(block.v.n_elem);
            const double bound = block.rows ? bar : bounds_.value + bar;
            const double sigma = blocks_.loss_noise(block);
            const double spread = std::sqrt(t * (bound * bound + sigma * sigma));
            // Printed: n^(3/2)/(sqrt(T) share^2 spread) on u, so 1/(sqrt(n T) spread) on v.
            block.step = sizes == StepSizes::paper ? 1.0 / (std::sqrt(n) * spread)
                                                   : 1.0 / (block.p * spread);
        }
    }

    /** Fills the gradients by v and returns that by w. All noise of the step is drawn first. */
    arma::vec gradients(const arma::vec &w, std::uint64_t step) {
        arma::vec total(w.n_elem, arma::fill::zeros);
        if (blocks_.private_records() > 0)
            total = blocks_.release(step, records::ScoredLoss{{.kind = loss::Kind::squared}, w});
        double norm_square = 0.0;
        double largest = 0.0;
        for (Block &block : blocks_.all()) {
            if (!block.rows) total += public_terms(block, w);
            norm_square += arma::accu(arma::square(block.p / block.v));
            largest = std::max(largest, block.p / block.v.min());
        }
        for (Block &block : blocks_.all()) add_regularizers(block, std::sqrt(norm_square), largest);
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
    loss::Bounds bounds_;
    std::uint64_t steps_;
    double step_ = 0.0;
    Blocks blocks_;
    std::vector<arma::vec> averages_;
};

}  // namespace

PrivateFit fit_convex(const PrivateRun &run, const Settings &settings, double discrepancy,
                      const loss::Bounds &bounds) {
    return ConvexDescent(run, settings, discrepancy, bounds)();
}

}  // namespace dpadapt::paper
