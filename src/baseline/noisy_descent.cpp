#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "baseline/private_moments.hpp"
#include "linalg/trust_region.hpp"
#include "random/stream.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt::baseline {
using privacy::norms_moved;

namespace {

using Batch = std::span<const std::uint32_t>;

/** Poisson samples: every record is drawn independently with the same probability. The draws are
 *  as secret as the noise. */
class PoissonBatches {
  public:
    PoissonBatches(std::size_t records, std::uint64_t rate, const random::Key &key)
        : key_(key), records_(records), rate_(rate) {}

    Batch draw(std::uint64_t step) {
        random::Stream stream(key_, random::Purpose::selector, step, 0);
        batch_.clear();
        for (std::uint32_t record = 0; record < records_; ++record)
            // mutant: more_records_than_the_rate
            if (stream.bits(32) < rate_) batch_.push_back(record);
        return batch_;
    }

  private:
    const random::Key &key_;
    std::size_t records_;
    std::uint64_t rate_;
    std::vector<std::uint32_t> batch_;
};

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
        : run_(run), clip_(clip), rows_(run.problem, privacy::kTarget) {}

    [[nodiscard]] arma::vec release(const arma::vec &theta, const Batch &batch,
                                    std::uint64_t step) const {
        // mutant: same_noise_in_every_batch
        const auto noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, theta.n_elem);
        records::GradientTask task;
        task.loss = records::MappedLoss{run_.problem.choice(), theta, {}};
        task.most = clip_;
        task.batch.assign(batch.begin(), batch.end());
        task.grid = run_.plan.gradient;
        // A task without numbers of records asks for all of them.
        const sums::VectorSum sum =
            batch.empty() ? sums::VectorSum(theta.n_elem, run_.plan.gradient) : rows_.sum(task);
        return dpadapt::release(run_, random::Purpose::gaussian_w, step, sum, noise, batch.size());
    }

  private:
    const PrivateRun &run_;
    double clip_;
    records::Reader rows_;
};

/** Noisy minibatch gradient descent on the target alone, for any loss (after Bassily, Feldman,
 *  Talwar, Thakurta 2019):
 *
 *      theta <- Proj(theta - eta ((1/b_k) (S_k + N) + 2 ridge theta)),
 *
 *  S_k the sum over batch k of gradients shrunk to norm C, Proj on ||theta|| <= Lambda; the result
 *  is the average of all iterates. C is clip_bound, or a quantile of the public gradients at the
 *  public fit, but not above the bound G of the loss.
 *
 *  With `sampling` = poisson every record is drawn into every batch by itself, by a secret coin
 *  with probability q = b/n; b_k is b, and there are T = E/q steps. Their price is sampled_mu of
 *  sampled_gaussian.hpp. b is the least for which more and smaller batches would hardly lower the
 *  bound of the error, L^2/T + p (sigma/b)^2/T, but not so small that one step costs more than its
 *  share, nor that there are more than 2000 of them, and no larger than disjoint batches would be.
 *
 *  With `sampling` = shuffled each of E epochs divides the records, in an order drawn from the key,
 *  into K batches whose sizes differ by at most 1. A record is in one batch of an epoch; given all
 *  earlier values, the other sums of the epoch do not depend on it. So an epoch is mu_e-GDP for
 *  mu_e = 2 C/sigma, with N of deviation sigma in every batch, and E epochs cost sqrt(E) mu_e:
 *  sigma = 2 C sqrt(E)/mu. Nothing is claimed for the random order, and nothing stops early.
 *
 *  eta = Lambda/sqrt(T (L^2 + p (K sigma/n)^2)) for T = E K steps, p parameters and L = C + 2 ridge
 *  Lambda. */
class NoisyDescent final : public PrivateBaseline {
  public:
    /** Throws Error(DPA_E_OPTION) besides when the budget does not allow the releases. */
    NoisyDescent(const Sample &source, const Sample &target, const Settings &settings,
                 Control &control);

    [[nodiscard]] Solution solve(privacy::ReleaseTrace *trace) const override;
    void describe(Document &document) const override;

  private:
    [[nodiscard]] std::size_t epochs() const { return settings().baseline.epochs; }
    void choose_clip();
    [[nodiscard]] double best_batch(double mu) const;
    [[nodiscard]] std::uint64_t rate() const;
    void choose_batches();
    void choose_step();

    double clip_ = 0.0;
    std::uint64_t rate_ = 0;  ///< of sampling, in units of 2^-32; 0: batches are of an order
    std::size_t steps_ = 0;
    std::size_t batches_ = 1;  ///< of an epoch, where records are not sampled
    double step_length_ = 0.0;
};

NoisyDescent::NoisyDescent(const Sample &source, const Sample &target, const Settings &settings,
                           Control &control)
    : PrivateBaseline(source, target, settings, control) {
    if (target.persons() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's rows belong to persons, but noisy_sgd draws batches of records");
    if (target.unlabelled()) refuse_unlabelled("baseline noisy_sgd");
    problem().check_numbered("baseline noisy_sgd");
    // mutant: row_read_past_the_accumulator
    choose_clip();
    privacy::PlanRequest request = this->request();
    request.clip = clip_;
    request.target_weight = 1.0;
    const bool given = settings.privacy.noise_multiplier.has_value();
    if (settings.baseline.samples.value_or(!given)) {
        if (given)
            throw Error(DPA_E_OPTION,
                        "sampling = poisson needs noise that follows from the budget: set epsilon "
                        "and delta, not noise_multiplier, or sampling = shuffled");
        rate_ = rate();
    }
    if (rate_ > 0) {
        const double rate = std::ldexp(static_cast<double>(rate_), -32);
        steps_ = static_cast<std::size_t>(
            std::max(1.0, std::round(static_cast<double>(epochs()) / rate)));
        request.steps = steps_;
        request.gradient = privacy::ReleaseKind::sampled_gradient;
        request.rate = rate_;
        set_plan(privacy::make_plan(request));
    } else {
        // mutant: epochs_for_the_price_of_one
        request.steps = epochs();
        request.gradient = privacy::ReleaseKind::epoch_gradient;
        set_plan(privacy::make_plan(request));
        choose_batches();
        steps_ = epochs() * batches_;
    }
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
        clip_ = source.rows().quantile(std::move(norms), settings().privacy.clip_quantile);
    }
    clip_ = std::min(clip_, facts().bounds.lipschitz);
    if (!(clip_ > 0.0)) clip_ = 1.0;  // the public fit is exact: any scale will do
    for (const double size : {clip_, facts().radius})
        if (!is_moderate(size))  // steps could overflow or vanish
            throw Error(DPA_E_OPTION,
                        "noisy_sgd needs clip_bound and radius between 1e-60 and 1e60");
}

/** For disjoint batches at the price mu: of the least bound of the error. */
double NoisyDescent::best_batch(double mu) const {
    return 2.0 * std::sqrt(static_cast<double>(facts().parameters * epochs())) / mu;
}

std::uint64_t NoisyDescent::rate() const {
    constexpr double kMostSteps = 2000.0;
    constexpr double kLeastNoise = 2.0;  // sigma over the norm of a record's part
    const PrivacySettings &own = settings().privacy;
    if (!own.epsilon || !own.delta) return 0;
    const auto n = static_cast<double>(facts().target_rows);
    const auto passes = static_cast<double>(epochs());
    const double mu = privacy::make_budget(*own.epsilon, *own.delta, 0.0, 0.0).cap.totals().mu /
                      static_cast<double>(norms_moved(own.neighbours));
    const double useful = 0.25 * static_cast<double>(facts().parameters) * passes / (n * mu * mu);
    const double safe = kLeastNoise * kLeastNoise * n * mu * mu / passes;
    const double unsampled = best_batch(mu * static_cast<double>(norms_moved(own.neighbours)));
    const double size = std::ceil(
        std::max({std::min(std::max(useful, safe), unsampled), passes * n / kMostSteps, 1.0}));
    const double records = settings().baseline.batch_size
                               ? static_cast<double>(*settings().baseline.batch_size)
                               : size;
    return records >= n ? 0 : static_cast<std::uint64_t>(std::ldexp(records / n, 32));
}

void NoisyDescent::choose_batches() {
    const auto n = static_cast<double>(facts().target_rows);
    const double price = plan().releases.front().step_price();  // of an epoch: mu/sqrt(E)
    const double best = std::round(best_batch(price * std::sqrt(static_cast<double>(epochs()))));
    const auto size = static_cast<std::size_t>(std::clamp(best, 1.0, n));
    const std::size_t records =
        std::min(settings().baseline.batch_size.value_or(size), facts().target_rows);
    batches_ = (facts().target_rows + records - 1) / records;
}

void NoisyDescent::choose_step() {
    const double radius = facts().radius;
    const double lipschitz = clip_ + 2.0 * settings().baseline.ridge * radius;
    const double share = rate_ > 0 ? std::ldexp(static_cast<double>(rate_), -32)
                                   : 1.0 / static_cast<double>(batches_);
    const double sigma =
        plan().gradient.sigma() / (share * static_cast<double>(facts().target_rows));
    const double noise = sigma * std::sqrt(static_cast<double>(facts().parameters));
    step_length_ = radius / (std::sqrt(static_cast<double>(steps_)) * std::hypot(lipschitz, noise));
}

Solution NoisyDescent::solve(privacy::ReleaseTrace *trace) const {
    const PrivateRun run{problem(), plan(), key(), settings().threads, control(), trace};
    const BatchGradients gradients(run, clip_);
    Order order(facts().target_rows, key());
    PoissonBatches batches(facts().target_rows, rate_, key());
    const double expected =
        std::ldexp(static_cast<double>(rate_), -32) * static_cast<double>(facts().target_rows);
    const std::vector<double> start =
        problem().loss().start(facts().dimension, settings().loss.start_seed);
    arma::vec theta(start);
    linalg::project_on_ball(theta, facts().radius);
    arma::vec sum(theta.n_elem, arma::fill::zeros);
    for (std::size_t step = 0; step < steps_; ++step) {
        control().report({"private steps", step, steps_});
        if (rate_ == 0 && step % batches_ == 0) order.shuffle(step / batches_);
        const Batch batch = rate_ > 0 ? batches.draw(step) : order.batch(step % batches_, batches_);
        // How many records were drawn is as private as which.
        const double records = rate_ > 0 ? expected : static_cast<double>(batch.size());
        const arma::vec mean = gradients.release(theta, batch, step) / records;
        theta -= step_length_ * (mean + 2.0 * settings().baseline.ridge * theta);
        linalg::project_on_ball(theta, facts().radius);
        sum += theta;
    }
    return solution(sum / static_cast<double>(steps_), 0.0, steps_);
}

void NoisyDescent::describe(Document &document) const {
    document.set("units", "sums over a batch of gradients shrunk to clip_bound")
        .set("clip_bound", clip_)
        .set("epochs", epochs())
        .set("steps", steps_)
        .set("step_length", step_length_);
    if (rate_ > 0)
        document.set(
            "sampling",
            "every record is drawn into every batch by a secret coin of its own; the price "
            "is that of all steps together");
    else
        document.set("batches_of_an_epoch", batches_)
            .set("disjoint_batches",
                 "a record is in one batch of an epoch, so that a step of the release pays for the "
                 "sums of all its batches");
    document.set("released",
                 "coefficients and intercept, or parameters: functions of the noisy sums");
}

}  // namespace

std::unique_ptr<PrivateBaseline> noisy_sgd(const Sample &source, const Sample &target,
                                           const Settings &settings, Control &control) {
    return std::make_unique<NoisyDescent>(source, target, settings, control);
}

}  // namespace dpadapt::baseline
