#include "baseline/noisy_descent.hpp"

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "problem/quantile.hpp"
#include "random/uniform.hpp"
#include "paper/paper_blocks.hpp"
#include "records/sum.hpp"

namespace dpadapt::baseline {
namespace {

using Batch = std::span<const std::uint32_t>;

/** The records of each epoch in an order that depends on the key alone. */
class Order {
  public:
    Order(std::size_t records, const random::Key &key) : key_(key), order_(records) {}

    void shuffle(std::size_t epoch) {
        random::Stream stream(key_, random::Purpose::selector, epoch, 0);
        std::iota(order_.begin(), order_.end(), 0U);
        for (auto left = static_cast<std::uint32_t>(order_.size()); left > 1; --left)
            std::swap(order_[left - 1], order_[random::uniform_below(left, stream)]);
    }

    /** Batch k of so many: each record is in exactly one. */
    [[nodiscard]] Batch batch(std::size_t k, std::size_t batches) const {
        // mutant: record_in_two_batches
        const std::size_t begin = order_.size() * k / batches;
        return Batch(order_).subspan(begin, order_.size() * (k + 1) / batches - begin);
    }

  private:
    const random::Key &key_;
    std::vector<std::uint32_t> order_;
};

/** Releases the sum of the clipped gradients of a batch. */
class BatchGradients {
  public:
    BatchGradients(const PrivateRun &run, double clip)
        : run_(run), clip_(clip), rows_(run.problem.private_rows(privacy::kTarget, {})) {}

    [[nodiscard]] arma::vec release(const arma::vec &theta, const Batch &batch,
                                    std::uint64_t step) const {
        // mutant: same_noise_in_every_batch
        const auto noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, theta.n_elem);
        privacy::VectorSum sum(theta.n_elem, run_.plan.gradient);
        const std::size_t threads = run_.problem.loss().concurrent() ? run_.threads : 1;
        add_parts(
            batch.size(), threads, theta.n_elem,
            [&](std::size_t begin, std::size_t end, privacy::VectorSum &part) {
                add_records(theta, batch.subspan(begin, end - begin), part);
            },
            sum);
        return dpadapt::release(run_, random::Purpose::gaussian_w, step, sum, noise, batch.size());
    }

  private:
    void add_records(const arma::vec &theta, Batch batch, privacy::VectorSum &sum) const {
        constexpr std::size_t kMostRecords = 64;
        constexpr std::size_t kMostDoubles = 65536;
        const std::size_t d = rows_.dimension();
        const std::size_t most =
            std::clamp<std::size_t>(kMostDoubles / theta.n_elem, 1, kMostRecords);
        std::vector<double> x(most * d);
        std::vector<double> labels(most);
        std::vector<double> losses(most);
        std::vector<double> gradients(most * theta.n_elem);
        while (!batch.empty()) {
            const std::size_t count = std::min(most, batch.size());
            for (std::size_t i = 0; i < count; ++i) {
                std::copy_n(rows_.row(batch[i]), d, x.data() + i * d);
                labels[i] = rows_.label(batch[i]);
            }
            run_.problem.loss().evaluate(
                {count, d, x.data(), labels.data()}, {theta.memptr(), theta.n_elem},
                std::span(losses).first(count), std::span(gradients).first(count * theta.n_elem));
            for (std::size_t i = 0; i < count; ++i) {
                const auto gradient = std::span(gradients).subspan(i * theta.n_elem, theta.n_elem);
                scale_within(gradient, 1.0, clip_);
                sum.add(gradient);
            }
            batch = batch.subspan(count);
        }
    }

    const PrivateRun &run_;
    double clip_;
    PrivateRows rows_;
};

}  // namespace

NoisyDescent::NoisyDescent(const Sample &source, const Sample &target, const Settings &settings,
                           Control &control)
    : PrivateBaseline(source, target, settings, control) {
    choose_clip();
    privacy::PlanRequest request = this->request();
    request.dimension = facts().parameters;
    request.bits = settings.privacy.grid_bits;
    // mutant: epochs_for_the_price_of_one
    request.steps = epochs();
    request.gradient =
        "gradient of the predictor in an epoch: a sum of each of its disjoint batches";
    request.clip = clip_;
    request.target_weight = 1.0;
    set_plan(privacy::make_plan(request));
    choose_batches();
    choose_step();
}

void NoisyDescent::choose_clip() {
    const PublicSample &source = *problem().public_sample();
    if (settings().privacy.clip_bound) {
        clip_ = *settings().privacy.clip_bound;
    } else {
        std::vector<double> norms(facts().source_rows);
        source.loss_rows().each_gradient(
            source.fit(), [&](std::size_t i, double, std::span<const double> gradient) {
                norms[i] = arma::norm(arma::vec(gradient.data(), gradient.size()));
            });
        clip_ = quantile(std::move(norms), settings().privacy.clip_quantile);
    }
    clip_ = std::min(clip_, facts().bounds.lipschitz);
    if (!(clip_ > 0.0)) clip_ = 1.0;  // the public fit is exact: any scale will do
    constexpr double kLeast = 1e-60;  // beyond these sizes steps could overflow or vanish
    constexpr double kMost = 1e60;
    for (const double size : {clip_, facts().radius})
        if (!(size >= kLeast && size <= kMost))
            throw Error(DPA_E_OPTION,
                        "noisy_sgd needs clip_bound and radius between 1e-60 and 1e60");
}

void NoisyDescent::choose_batches() {
    const auto n = static_cast<double>(facts().target_rows);
    const double price = plan().gradient.certified_mu();  // of an epoch: mu/sqrt(E)
    const double best =
        std::round(2.0 * std::sqrt(static_cast<double>(facts().parameters)) / price);
    const auto size = static_cast<std::size_t>(std::clamp(best, 1.0, n));
    const std::size_t records =
        std::min(settings().baseline.batch_size.value_or(size), facts().target_rows);
    batches_ = (facts().target_rows + records - 1) / records;
}

void NoisyDescent::choose_step() {
    const double radius = facts().radius;
    const double lipschitz = clip_ + 2.0 * settings().baseline.ridge * radius;
    const auto batches = static_cast<double>(batches_);
    const double sigma =
        plan().gradient.sigma() * batches / static_cast<double>(facts().target_rows);
    const double noise = sigma * std::sqrt(static_cast<double>(facts().parameters));
    const double steps = static_cast<double>(epochs()) * batches;
    step_length_ = radius / (std::sqrt(steps) * std::hypot(lipschitz, noise));
}

Solution NoisyDescent::solve(privacy::ReleaseTrace *trace) const {
    const PrivateRun run{problem(), plan(), key(), settings().threads, control(), trace};
    const BatchGradients gradients(run, clip_);
    Order order(facts().target_rows, key());
    const std::vector<double> start =
        problem().loss().start(facts().dimension, settings().loss.start_seed);
    arma::vec theta(start);
    project_on_ball(theta, facts().radius);
    arma::vec sum(theta.n_elem, arma::fill::zeros);
    const std::size_t steps = epochs() * batches_;
    for (std::size_t step = 0; step < steps; ++step) {
        control().report(
            {"private steps", static_cast<std::int64_t>(step), static_cast<std::int64_t>(steps)});
        if (step % batches_ == 0) order.shuffle(step / batches_);
        const Batch batch = order.batch(step % batches_, batches_);
        const arma::vec mean =
            gradients.release(theta, batch, step) / static_cast<double>(batch.size());
        theta -= step_length_ * (mean + 2.0 * settings().baseline.ridge * theta);
        project_on_ball(theta, facts().radius);
        sum += theta;
    }
    return solution(sum / static_cast<double>(steps), 0.0, steps);
}

void NoisyDescent::describe(Document &document) const {
    document.set("units", "sums over a batch of gradients shrunk to clip_bound")
        .set("clip_bound", clip_)
        .set("epochs", epochs())
        .set("batches_of_an_epoch", batches_)
        .set(
            "disjoint_batches",
            "a record is in one batch of an epoch, so that a step of the release pays for the sums "
            "of all its batches")
        .set("step_length", step_length_)
        .set("released", "coefficients and intercept, or parameters: functions of the noisy sums");
}

}  // namespace dpadapt::baseline
