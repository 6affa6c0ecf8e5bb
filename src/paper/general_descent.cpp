#include <cmath>

#include "linalg/trust_region.hpp"
#include "paper/blocks.hpp"
#include "paper/descent.hpp"
#include "random/stream.hpp"

namespace dpadapt::paper {
namespace {

class GeneralDescent {
  public:
    GeneralDescent(const PrivateRun &run, const Settings &settings, double discrepancy,
                   const loss::Bounds &bounds)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          bounds_(bounds),
          steps_(run.plan.steps > 0 ? run.plan.steps : settings.iterations.value_or(kPublicSteps)),
          theta_(run.problem.start(settings.loss.start_seed)),
          blocks_(run, discrepancy - hyper_.lambda_1, -hyper_.lambda_1, bounds) {
        linalg::project_on_ball(theta_, hyper_.radius);
        choose_steps(settings.privacy.step_sizes, discrepancy);
    }

    PrivateFit operator()() {
        random::Stream stream(run_.key, random::Purpose::iterate, 0, 0);
        const std::uint64_t drawn =
            1 + random::uniform_below(static_cast<std::uint32_t>(steps_), stream);
        for (std::uint64_t step = 1; step <= drawn; ++step) {
            run_.control.report({"private steps", step - 1, steps_});
            theta_ -= step_ * gradients(step);
            linalg::project_on_ball(theta_, hyper_.radius);
            for (Block &block : blocks_.all()) block.move();
        }
        PrivateFit fit;
        fit.theta = theta_;
        fit.alpha = hyper_.alpha;
        for (const Block &block : blocks_.all()) give_weights(block, block.p / block.v, fit);
        return fit;
    }

  private:
    static constexpr std::uint64_t kPublicSteps = 1000;

    void choose_steps(StepSizes sizes, double discrepancy) {
        const Smoothness smoothness = smoothness_of(
            hyper_, bounds_, discrepancy, static_cast<double>(run_.problem.rows(privacy::kSource)),
            static_cast<double>(run_.problem.rows(privacy::kTarget)));
        if (sizes == StepSizes::paper) {
            step_ = 1.0 / smoothness.whole;
            for (Block &block : blocks_.all()) block.step = block.p * block.p / smoothness.whole;
            return;
        }
        const auto t = static_cast<double>(steps_);
        const double noise = blocks_.unit() * run_.plan.gradient.sigma();
        const double walk = noise * std::sqrt(t * static_cast<double>(theta_.n_elem));
        step_ = 1.0 / (smoothness.theta + walk / hyper_.radius);
        for (Block &block : blocks_.all())
            block.step =
                1.0 / (block.p * (smoothness.weights + blocks_.loss_noise(block) * std::sqrt(t)));
    }

    /** Fills the gradients by v and returns that by theta. All noise of the step is drawn first. */
    arma::vec gradients(std::uint64_t step) {
        arma::vec total(theta_.n_elem, arma::fill::zeros);
        if (blocks_.private_records() > 0)
            total = blocks_.release(step, records::MappedLoss{run_.problem.choice(), theta_, {}});
        for (Block &block : blocks_.all())
            if (!block.rows) total += public_terms(block);
        add_regularizers();
        return total;
    }

    arma::vec public_terms(Block &block) const {
        const arma::vec q = block.p / block.v;
        arma::vec loss(block.v.n_elem);
        arma::vec gradient =
            run_.problem.public_sample()->loss_rows().gradient(theta_, q.memptr(), loss.memptr());
        block.gradient = -block.p * (loss + block.d) / arma::square(block.v);
        return gradient;
    }

    /** lambda_2 ||p/v|| and the soft maximum of p/v: functions of released values. */
    void add_regularizers() {
        if (hyper_.lambda_2 == 0.0 && hyper_.lambda_inf == 0.0) return;
        double square = 0.0;
        double largest = 0.0;
        // Rows of a sample that has no weight; the soft maximum knows them.
        auto idle = static_cast<double>(run_.problem.rows(privacy::kSource) +
                                        run_.problem.rows(privacy::kTarget));
        for (const Block &block : blocks_.all()) {
            idle -= static_cast<double>(block.v.n_elem);
            square += arma::accu(arma::square(block.p / block.v));
            largest = std::max(largest, block.p / block.v.min());
        }
        const auto pull = [&](const arma::vec &q) {
            return arma::vec(arma::exp(hyper_.mu * (q - largest)));
        };
        double sum = idle * std::exp(-hyper_.mu * largest);
        for (const Block &block : blocks_.all()) sum += arma::accu(pull(block.p / block.v));
        for (Block &block : blocks_.all()) {
            const arma::vec q = block.p / block.v;
            block.gradient -= (q / block.v) % (hyper_.lambda_2 / std::sqrt(square) * q +
                                               hyper_.lambda_inf / sum * pull(q));
        }
    }

    const PrivateRun &run_;
    Hyperparameters hyper_;
    loss::Bounds bounds_;
    std::uint64_t steps_;
    arma::vec theta_;
    Blocks blocks_;
    double step_ = 0.0;
};

}  // namespace

PrivateFit fit_general(const PrivateRun &run, const Settings &settings, double discrepancy,
                       const loss::Bounds &bounds) {
    return GeneralDescent(run, settings, discrepancy, bounds)();
}

}  // namespace dpadapt::paper
