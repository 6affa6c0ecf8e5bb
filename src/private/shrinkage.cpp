#include "private/shrinkage.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "private/anchor.hpp"
#include "private/choose_metric.hpp"
#include "private/clip_scale.hpp"
#include "private/descent.hpp"
#include "private/evidence.hpp"
#include "private/inference.hpp"
#include "private/left_out_rows.hpp"
#include "private/metric.hpp"
#include "private/shift.hpp"
#include "problem/plan_request.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

namespace {

/** Whether the estimates of the last two quarters differ by no more than noise explains: where they
 *  do, steps are still on their way. */
class Arrival {
  public:
    Arrival(std::uint64_t steps, arma::uword parameters)
        : steps_(steps), quarters_(parameters, 2, arma::fill::zeros) {}

    void see(std::uint64_t step, const arma::vec &estimate, double noise) {
        if (2 * step <= steps_) return;
        const arma::uword quarter = 4 * step <= 3 * steps_ ? 0 : 1;
        ++count_(quarter);
        quarters_.col(quarter) += (estimate - quarters_.col(quarter)) / count_(quarter);
        noise_ = std::max(noise_, noise);
    }

    [[nodiscard]] bool operator()() const {
        constexpr double kDeviations = 4.0;
        if (arma::any(count_ == 0.0)) return true;  // too few to tell
        const arma::vec difference = quarters_.col(1) - quarters_.col(0);
        const double variance = noise_ * (1.0 / count_(0) + 1.0 / count_(1));
        return arma::dot(difference, difference) <=
               variance * chi_squared(static_cast<double>(difference.n_elem), kDeviations);
    }

  private:
    std::uint64_t steps_;
    arma::mat quarters_;
    arma::vec count_ = arma::vec(2, arma::fill::zeros);
    double noise_ = 0.0;  ///< variance of a coordinate of an estimate
};

/** The steps of one private sample. */
class Steps {
  public:
    Steps(const PrivateRun &run, const Settings &settings, const Metric &metric,
          privacy::Domains domain)
        : run_(run),
          settings_(settings),
          metric_(metric),
          rows_(step_reader(run, metric, domain)),
          records_(run.labelled_rows(domain)),
          most_(std::sqrt(1.0 - run.plan.counted_lengths * run.plan.counted_lengths)),
          noise_(metric.clip * run.plan.gradient.sigma() / records_ / most_),
          flat_(flattens(run.problem.loss())),
          estimate_(metric, saturation(), lateness(), noise_ * noise_),
          arrival_(run.plan.steps, metric.start.n_elem),
          evidence_(metric.start, noise_ * noise_) {
        if (run.plan.counted_lengths > 0.0)
            scale_.emplace(run.plan.gradient.sigma() / records_ / run.plan.counted_lengths / 2.0);
    }

    /** From the start of the metric.
     *  @param anchor_variance  Of the start.
     *  @param before           Steps that the run has taken already, for the noise of each. */
    void take(const ShiftRule &rule, double anchor_variance, std::uint64_t before = 0) {
        constexpr double kMoved = 0.75;
        const std::uint64_t steps = run_.plan.steps;
        // Gradients of such a loss do not tell whether estimates are on their way.
        StepLength length(static_cast<double>(metric_.start.n_elem) * noise_ * noise_, flat_);
        double followed = 0.0;  // share of the last step
        v_ = metric_.start;
        kept_.shift.zeros(v_.n_elem);
        for (std::uint64_t step = 1; step <= steps; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps)});
            const double scale = scale_ ? (*scale_)() : 1.0;
            const arma::vec gradient = release_mean(before + step, scale);
            evidence_.see(v_, gradient / scale);
            if (4 * step > steps) late_.add(v_, gradient);
            const double factor = length(gradient, (flat_ ? kept_.share : followed) > kMoved);
            arrival_.see(step, v_ - factor * gradient,
                         std::max(1.0, factor * factor) * scale * scale * noise_ * noise_);
            estimate_.add(v_, gradient, factor, scale);
            believe(rule, anchor_variance);
            // Intervals are about the target's own optimum: near it the fewest gradients are
            // clipped.
            const arma::vec next =
                run_.plan.inference ? estimate_.mean() : arma::vec(metric_.start + kept_.shift);
            followed = -arma::dot(next - v_, gradient) / (factor * arma::dot(gradient, gradient));
            v_ = in_ball(next);
        }
    }

    [[nodiscard]] const records::Reader &rows() const { return rows_; }
    /** Where the last step has led to. */
    [[nodiscard]] const arma::vec &v() const { return v_; }
    /** The start and what is believed of the shift from it. */
    [[nodiscard]] arma::vec result() const { return in_ball(metric_.start + kept_.shift); }
    /** Of the way from the start to the estimate, the intercept's part included. */
    [[nodiscard]] double kept() const {
        const double way = arma::norm(estimate_.mean() - metric_.start);
        return way > 0.0 ? std::min(1.0, arma::norm(kept_.shift) / way) : 0.0;
    }
    /** Begins with the lengths of another sample's gradients. */
    void begin(const Steps &other) {
        if (scale_) scale_->begin(*other.scale_);
    }
    [[nodiscard]] const StepMean &late() const { return late_; }
    [[nodiscard]] bool arrived() const { return arrival_(); }
    [[nodiscard]] double evidence() const { return evidence_(); }

    /** The optimum as it was estimated, whatever was believed of it. */
    [[nodiscard]] const arma::vec &estimate() const { return estimate_.mean(); }

    /** Of a coordinate of the estimate: noise, sampling, and what clips do. */
    [[nodiscard]] double variance() const {
        return estimate_.variance() +
               std::max(1.0, estimate_.lengthened()) * record_variance() / records_ +
               metric_.clip_moves / static_cast<double>(metric_.start.n_elem);
    }

    /** The sampling variance of a coordinate, were there one record. */
    [[nodiscard]] double record_variance() const {
        const double clip = scale_ ? (*scale_)() * metric_.clip : 0.0;
        const double square = scale_ ? clip * clip : metric_.term_square;
        return square / static_cast<double>(metric_.start.n_elem);
    }

  private:
    /** Whether public records show what is left of gradients: not fewer than two for each feature.
     *  Those of a loss that stays flat tell no distance. */
    [[nodiscard]] bool saturates() const {
        constexpr double kRowsOfFeature = 2.0;
        const PublicSample *sample = run_.problem.public_sample();
        if (sample == nullptr || !metric_.maps_rows || flat_) return false;
        const auto d = static_cast<double>(metric_.map.n_cols);
        return sample->effective_rows() >= kRowsOfFeature * d;
    }

    [[nodiscard]] std::optional<Saturation> saturation() const {
        if (!saturates()) return std::nullopt;
        return Saturation(*run_.problem.public_sample(), metric_);
    }

    /** Without public rows clips, which nothing corrects, hold steps back as well. */
    [[nodiscard]] EstimatedOptimum::Lateness lateness() const {
        if (saturates()) return {0.002, 4.0};
        if (run_.problem.public_sample() == nullptr) return {0.01, 6.0};
        return {0.0, 0.0};
    }

    /** What is believed of the shift depends on the estimate, and the estimate on how far away the
     *  optimum is believed to be. */
    void believe(const ShiftRule &rule, double anchor_variance) {
        constexpr int kRounds = 3;
        estimate_.aim(kept_.shift);
        for (int round = 0; round < kRounds; ++round) {
            estimate_.believe(kept_.shift);
            kept_ = rule(estimate_.mean() - metric_.start,
                         {variance(), anchor_variance, record_variance()});
        }
    }

    [[nodiscard]] arma::vec in_ball(const arma::vec &v) const {
        return settings_.radius ? metric_.project(v, *settings_.radius) : v;
    }

    /** Mean of the gradients at v, clipped to that scale; if short ones are counted, the scale
     *  follows. */
    [[nodiscard]] arma::vec release_mean(std::uint64_t step, double scale) {
        const double counted = run_.plan.counted_lengths;
        records::Weighting weighting = records::WholeWeights{};
        if (scale_) weighting = records::CountedLengths{counted, most_ * scale_->below()};
        const records::GradientTask task =
            gradient_task(run_, metric_, v_, scale, most_, weighting);
        const auto noise =
            gaussian_noise(run_, random::Purpose::gaussian_w, step, task.empty(0).sums().size());
        const arma::vec sum =
            release(run_, random::Purpose::gaussian_w, step, rows_.sum(task), noise, rows_.rows());
        if (scale_) scale_->see(0.5 + sum(v_.n_elem) / records_ / counted / 2.0);
        return scale * metric_.clip / records_ / most_ * sum.head(v_.n_elem);
    }

    const PrivateRun &run_;
    const Settings &settings_;
    const Metric &metric_;
    records::Reader rows_;
    double records_;
    double most_;   ///< of a term, which leaves room for the count of short ones
    double noise_;  ///< deviation of a coordinate of a gradient
    std::optional<ClipScale> scale_;
    bool flat_;
    arma::vec v_;
    EstimatedOptimum estimate_;
    ShiftRule::Kept kept_;
    Arrival arrival_;
    Evidence evidence_;
    StepMean late_;  ///< the first quarter may be far away, where gradients are clipped more
};

ShiftRule rule_of(const PrivateRun &run, const Settings &settings, const Metric &metric,
                  privacy::Domains estimated) {
    return {metric, run.problem.preprocess().has_intercept(), estimated,
            settings.privacy.shrinkage};
}

PrivateFit result_at(const Metric &metric, const arma::vec &v, double alpha, bool converged) {
    PrivateFit fit;
    fit.theta = metric.to_theta(v);
    fit.spread = metric.spread(v);
    fit.alpha = alpha;
    fit.converged = converged;
    return fit;
}

/** Both private: the source's own optimum becomes the anchor of the target. A record takes part in
 *  the sums of its own domain only. */
PrivateFit fit_both(const PrivateRun &run, const Settings &settings) {
    const arma::vec nothing;
    Metric metric = choose_metric(run, settings, privacy::kSource, 1.0, nothing);
    const ShiftRule rule = rule_of(run, settings, metric, privacy::kTarget);
    const auto kept_source = std::make_unique<Steps>(run, settings, metric, privacy::kSource);
    Steps &source = *kept_source;
    source.take(rule, 0.0);
    metric.start = source.result();
    // mutant: source_read_for_the_target
    const auto kept_target = std::make_unique<Steps>(run, settings, metric, privacy::kTarget);
    Steps &target = *kept_target;
    target.begin(source);
    target.take(rule, source.variance(), run.plan.steps);
    return result_at(metric, target.result(), 1.0 - target.kept(),
                     source.arrived() && target.arrived());
}

/** Private source: the public rows of the target tell what its optimum is worth. */
PrivateFit fit_with_target_rows(const PrivateRun &run, const Settings &settings) {
    const LeftOutRows target(*run.problem.public_sample(), settings.loss.start_seed);
    const Metric metric =
        choose_metric(run, settings, privacy::kSource, 1.0, target.own_fit(0.0).theta);
    const auto kept_source = std::make_unique<Steps>(run, settings, metric, privacy::kSource);
    Steps &source = *kept_source;
    source.take(rule_of(run, settings, metric, privacy::kTarget), 0.0);
    const LeftOutRows::Trust trust = target.trust(metric.unit * metric.inverse.t() * metric.inverse,
                                                  metric.to_theta(source.estimate()),
                                                  source.record_variance() / source.variance());
    arma::vec v = metric.to_v(trust.theta);
    if (settings.radius) v = metric.project(v, *settings.radius);
    PrivateFit fit = result_at(metric, v, trust.alpha, source.arrived());
    fit.evidence = source.evidence();
    return fit;
}

}  // namespace

PrivateFit fit_with_shrinkage(const PrivateRun &whole_run, const Settings &settings) {
    const privacy::Domains domain = whole_run.problem.domains();
    if (whole_run.problem.public_sample() == nullptr) return fit_both(whole_run, settings);
    const PublicSample &sample = *whole_run.problem.public_sample();
    if (domain == privacy::kSource && uses_hessian(settings) && has_left_out_rows(sample))
        return fit_with_target_rows(whole_run, settings);
    const Anchor anchor = choose_anchor(whole_run, settings);
    privacy::Plan left = whole_run.plan;
    // mutant: comparisons_beyond_the_plan
    left.steps -= anchor.steps;
    const PrivateRun run{
        whole_run.problem, left,           whole_run.key, whole_run.threads, whole_run.control,
        whole_run.trace,   anchor.labelled};
    const Metric metric = choose_metric(run, settings, domain, 1.0, anchor.theta);
    const auto kept_steps = std::make_unique<Steps>(run, settings, metric, domain);
    Steps &steps = *kept_steps;
    const auto d = static_cast<double>(metric.start.n_elem);
    // Of an anchor of fewer rows than parameters no error is known.
    const double m = sample.effective_rows();
    // mutant: noise_of_a_comparison_again
    steps.take(rule_of(run, settings, metric, domain), m > d ? steps.record_variance() / m : 0.0,
               anchor.steps);
    PrivateFit fit =
        result_at(metric, steps.result(),
                  domain == privacy::kTarget ? 1.0 - steps.kept() : steps.kept(), steps.arrived());
    fit.evidence = steps.evidence();
    if (run.plan.inference)
        fit.inference = infer_privately(run, steps.rows(), metric, steps.late(), steps.v());
    return fit;
}

void EstimatedOptimum::Seen::merge(const Seen &other) {
    const double share = other.count / (count + other.count);
    v += share * (other.v - v);
    move += share * (other.move - move);
    scale += share * (other.scale - scale);
    square += share * (other.square - square);
    place += share * (other.place - place);
    count += other.count;
}

void EstimatedOptimum::add(const arma::vec &v, const arma::vec &gradient, double factor,
                           double scale) {
    constexpr std::size_t kMost = 64;  // so that many steps cost no more than few
    seen_.push_back({v, factor * gradient, scale, factor * factor, ++steps_, 1.0});
    precision_ += 1.0 / (scale * scale);
    if (seen_.size() < kMost) return;
    for (std::size_t k = 0; k < kMost / 2; ++k) {
        Seen pair = std::move(seen_[2 * k]);
        pair.merge(seen_[2 * k + 1]);
        seen_[k] = std::move(pair);
    }
    seen_.resize(kMost / 2);
}

/** c - 1. */
double EstimatedOptimum::late(const arma::vec &shift) const {
    const double variance = static_cast<double>(shift.n_elem) * noise_ / precision_;
    const double square = lateness_.share * arma::dot(shift, shift);
    if (!(square < lateness_.most * variance)) return lateness_.most;
    const double r = square / variance;  // (c - 1)^2/(2c - 1)
    return std::min(lateness_.most, r + std::sqrt(r * (r + 1.0)));
}

void EstimatedOptimum::believe(const arma::vec &shift) {
    const double power = late(shift);
    double total = 0.0;
    double squares = 0.0;
    double lengths = 0.0;
    mean_.zeros(start_.n_elem);
    for (const Seen &seen : seen_) {
        const double distance = arma::norm(seen.v - start_ - shift) / seen.scale;
        const double left = saturation_.has_value() ? (*saturation_)(distance) : 1.0;
        const double square = seen.scale * seen.scale * seen.square / (left * left);
        const double weight = seen.count * std::pow(seen.place / steps_, power) /
                              (saturation_.has_value() ? square : seen.scale * seen.scale);
        total += weight;
        mean_ += weight * (seen.v - seen.move / left);
        squares += weight * weight * square / seen.count;
        lengths += weight * square;
    }
    mean_ /= total;
    variance_ = noise_ * squares / (total * total);
    lengthened_ = lengths / total;
}

}  // namespace dpadapt
