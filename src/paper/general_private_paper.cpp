#include "paper/general_private_paper.hpp"

#include <cmath>

#include "random/uniform.hpp"
#include "paper/general_smoothness.hpp"
#include "paper/paper_blocks.hpp"
#include "records/sum.hpp"

namespace dpadapt {
namespace {

class GeneralPaperDescent {
  public:
    GeneralPaperDescent(const PrivateRun &run, const Settings &settings, double discrepancy,
                        const loss::Bounds &bounds)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          bounds_(bounds),
          steps_(run.plan.steps > 0 ? run.plan.steps : settings.iterations.value_or(kPublicSteps)),
          theta_(run.problem.start(settings.loss.start_seed)),
          blocks_(run, discrepancy - hyper_.lambda_1, -hyper_.lambda_1, bounds.value) {
        project_on_ball(theta_, hyper_.radius);
        choose_steps(settings.privacy.step_sizes, discrepancy);
    }

    PrivateFit operator()() {
        random::Stream stream(run_.key, random::Purpose::iterate, 0, 0);
        const std::uint64_t drawn =
            1 + random::uniform_below(static_cast<std::uint32_t>(steps_), stream);
        for (std::uint64_t step = 1; step <= drawn; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps_)});
            theta_ -= step_ * gradients(step);
            project_on_ball(theta_, hyper_.radius);
            for (PaperBlock &block : blocks_.all()) block.move();
        }
        PrivateFit fit;
        fit.theta = theta_;
        fit.alpha = hyper_.alpha;
        for (const PaperBlock &block : blocks_.all()) give_weights(block, block.p / block.v, fit);
        return fit;
    }

  private:
    static constexpr std::uint64_t kPublicSteps = 1000;

    void choose_steps(StepSizes sizes, double discrepancy) {
        const GeneralSmoothness smoothness = general_smoothness(
            hyper_, bounds_, discrepancy, static_cast<double>(run_.problem.rows(privacy::kSource)),
            static_cast<double>(run_.problem.rows(privacy::kTarget)));
        if (sizes == StepSizes::paper) {
            step_ = 1.0 / smoothness.whole;
            for (PaperBlock &block : blocks_.all())
                block.step = block.p * block.p / smoothness.whole;
            return;
        }
        const auto t = static_cast<double>(steps_);
        const double noise = blocks_.unit() * run_.plan.gradient.sigma();
        const double walk = noise * std::sqrt(t * static_cast<double>(theta_.n_elem));
        step_ = 1.0 / (smoothness.theta + walk / hyper_.radius);
        for (PaperBlock &block : blocks_.all())
            block.step =
                1.0 / (block.p * (smoothness.weights + blocks_.loss_noise(block) * std::sqrt(t)));
    }

    /** Fills the gradients by v and returns that by theta. All noise of the step is drawn first. */
    arma::vec gradients(std::uint64_t step) {
        arma::vec total(theta_.n_elem, arma::fill::zeros);
        if (blocks_.private_records() > 0) total = release_private(step);
        for (PaperBlock &block : blocks_.all())
            if (!block.rows) total += public_terms(block);
        add_regularizers();
        return total;
    }

    arma::vec public_terms(PaperBlock &block) const {
        const arma::vec q = block.p / block.v;
        arma::vec loss(block.v.n_elem);
        arma::vec gradient =
            run_.problem.public_sample()->loss_rows().gradient(theta_, q.memptr(), loss.memptr());
        block.gradient = -block.p * (loss + block.d) / arma::square(block.v);
        return gradient;
    }

    /** Noisy sum of the gradients by theta, and the noisy loss over v^2 of each private record. */
    arma::vec release_private(std::uint64_t step) {
        const std::size_t records = blocks_.private_records();
        const auto theta_noise =
            gaussian_noise(run_, random::Purpose::gaussian_w, step, theta_.n_elem);
        const auto v_noise = gaussian_noise(run_, random::Purpose::gaussian_u, step, records);
        privacy::VectorSum sum(theta_.n_elem, run_.plan.gradient);
        std::vector<std::int64_t> losses(records);
        const std::size_t threads = run_.problem.loss().concurrent() ? run_.threads : 1;
        std::size_t first = 0;
        for (const PaperBlock &block : blocks_.all()) {
            if (!block.rows) continue;
            add_parts(
                block.rows->rows(), threads, theta_.n_elem,
                [&](std::size_t begin, std::size_t end, privacy::VectorSum &part) {
                    add_records(block, begin, end, losses.data() + first, part);
                },
                sum);
            first += block.v.n_elem;
        }
        const arma::vec values =
            release(run_, random::Purpose::gaussian_w, step, sum, theta_noise, records);
        blocks_.release_losses(step, losses, v_noise);
        return blocks_.unit() * values;
    }

    void add_records(const PaperBlock &block, std::size_t begin, std::size_t end,
                     std::int64_t *losses, privacy::VectorSum &sum) const {
        constexpr std::size_t kMostRecords = 64;
        constexpr std::size_t kMostDoubles = 65536;
        const std::size_t parameters = theta_.n_elem;
        const std::size_t step =
            std::clamp<std::size_t>(kMostDoubles / parameters, 1, kMostRecords);
        std::vector<double> loss(step);
        std::vector<double> gradients(step * parameters);
        for (; begin < end; begin += step) {
            const std::size_t count = std::min(step, end - begin);
            run_.problem.loss().evaluate(
                block.rows->block(begin, begin + count), {theta_.memptr(), parameters},
                std::span(loss).first(count), std::span(gradients).first(count * parameters));
            for (std::size_t i = 0; i < count; ++i) {
                const std::span<double> gradient(gradients.data() + i * parameters, parameters);
                const double v = block.v(begin + i);
                losses[begin + i] = clip_record(loss[i], gradient, block.p / blocks_.unit(), v);
                sum.add(gradient);
            }
        }
    }

    /** Turns a record's gradient into its term, of norm at most weight G, and its loss into the
     *  integer of loss/v^2. */
    [[nodiscard]] std::int64_t clip_record(double loss, std::span<double> gradient, double weight,
                                           double v) const {
        double square = 0.0;
        for (const double value : gradient) square += value * value;
        const double norm = std::sqrt(square);
        if (!std::isfinite(loss) || !std::isfinite(norm)) {
            std::fill(gradient.begin(), gradient.end(), 0.0);
            return 0;
        }
        double factor = weight / v;
        if (factor * norm > weight * bounds_.lipschitz) factor = weight * bounds_.lipschitz / norm;
        for (double &value : gradient) value *= factor;
        return privacy::round_entry(std::min(loss, bounds_.value) / (v * v), blocks_.value_unit(),
                                    run_.plan.weights_most);
    }

    /** lambda_2 ||p/v|| and the soft maximum of p/v: functions of released values. */
    void add_regularizers() {
        if (hyper_.lambda_2 == 0.0 && hyper_.lambda_inf == 0.0) return;
        double square = 0.0;
        double largest = 0.0;
        for (const PaperBlock &block : blocks_.all()) {
            square += arma::accu(arma::square(block.p / block.v));
            largest = std::max(largest, block.p / block.v.min());
        }
        const auto pull = [&](const arma::vec &q) {
            return arma::vec(arma::exp(hyper_.mu * (q - largest)));
        };
        double sum = idle_rows() * std::exp(-hyper_.mu * largest);
        for (const PaperBlock &block : blocks_.all()) sum += arma::accu(pull(block.p / block.v));
        for (PaperBlock &block : blocks_.all()) {
            const arma::vec q = block.p / block.v;
            block.gradient -= (q / block.v) % (hyper_.lambda_2 / std::sqrt(square) * q +
                                               hyper_.lambda_inf / sum * pull(q));
        }
    }

    /** Rows of a sample that has no weight; the soft maximum knows them. */
    [[nodiscard]] double idle_rows() const {
        auto rows = static_cast<double>(run_.problem.rows(privacy::kSource) +
                                        run_.problem.rows(privacy::kTarget));
        for (const PaperBlock &block : blocks_.all()) rows -= static_cast<double>(block.v.n_elem);
        return rows;
    }

    const PrivateRun &run_;
    Hyperparameters hyper_;
    loss::Bounds bounds_;
    std::uint64_t steps_;
    arma::vec theta_;
    PaperBlocks blocks_;
    double step_ = 0.0;
};

}  // namespace

PrivateFit fit_general_paper(const PrivateRun &run, const Settings &settings, double discrepancy,
                             const loss::Bounds &bounds) {
    return GeneralPaperDescent(run, settings, discrepancy, bounds)();
}

}  // namespace dpadapt
