#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "private/anchor.hpp"
#include "private/estimated_optimum.hpp"
#include "private/fits.hpp"
#include "private/inference.hpp"
#include "private/long_losses.hpp"
#include "private/metric.hpp"
#include "private/shrink.hpp"
#include "private/steps.hpp"
#include "problem/plan_request.hpp"
#include "solution/findings.hpp"

namespace dpadapt {

namespace {

/** A policy of PrivateSteps: each step estimates the optimum of one private sample. */
class Steps {
  public:
    Steps(const PrivateRun &run, const Settings &settings, const Metric &metric,
          privacy::Domains domain)
        : run_(run),
          metric_(metric),
          rows_(step_reader(run, metric, domain)),
          records_(run.labelled_rows(domain)),
          counted_(run.plan.counts == privacy::Counted::nothing ? 0.0 : privacy::kCounted),
          most_(std::sqrt(1.0 - counted_ * counted_)),
          noise_(metric.clip * run.plan.gradient.sigma() / records_ / most_),
          flat_(flattens(run.problem.loss())),
          shares_points_(shares_points()),
          steps_(run, settings, metric, static_cast<double>(metric.start.n_elem) * noise_ * noise_),
          estimate_(metric, saturation(), recency(), noise_ * noise_),
          quarters_{run.plan.steps},
          evidence_(metric.start, noise_ * noise_) {
        if (run.plan.counts == privacy::Counted::short_terms)
            scale_.emplace(run.plan.gradient.sigma() / records_ / counted_ / 2.0);
        if (metric.longer > 1.0) long_clip_.emplace(run, metric.longer);
    }

    /** From the start of the metric.
     *  @param anchor_variance  Of the start.
     *  @param before           Steps that the run has taken already, for the noise of each. */
    void take(ShiftRule rule, double anchor_variance, std::uint64_t before = 0) {
        rule_ = std::move(rule);
        anchor_variance_ = anchor_variance;
        shrunk_.shift.zeros(metric_.start.n_elem);
        v_ = steps_.take(*this, metric_.start, before);
    }

    [[nodiscard]] std::uint64_t count() const { return is_due() ? 1 : count_; }

    /** Mean of the gradients at v, clipped to the scale; if short ones are counted, the scale
     *  follows. */
    [[nodiscard]] arma::vec gradient(const arma::vec &v, std::uint64_t step, std::uint64_t count) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        constexpr double kShifted = 0.25;  // docs/defaults.md
        records::Weighting weighting = records::WholeWeights{};
        const std::uint64_t taken = std::exchange(taken_, taken_ + count);
        if (long_clip_ && long_clip_->is_due(taken)) {
            long_clip_->ask(metric_.to_theta(v), step);
            return {};
        }
        used_ = scale();
        if (counted_ > 0.0)
            weighting =
                records::CountedLengths{counted_, scale_ ? most_ * scale_->below() : kInfinity};
        const arma::mat sums = release_steps(
            run_, step, count, {{rows_, gradient_task(run_, metric_, v, used_, most_, weighting)}});
        if (scale_) scale_->see(0.5 + sums(v.n_elem, 0) / records_ / counted_ / 2.0);
        if (run_.plan.counts == privacy::Counted::records)
            counts_.add(
                arma::vec{arma::mean(sums.row(v.n_elem)) / counted_},
                run_.plan.gradient.sigma() / counted_ / std::sqrt(static_cast<double>(count)));
        const arma::mat means = metric_.clip / records_ / most_ * sums.head_rows(v.n_elem);
        means.each_col([&](const arma::vec &mean) { evidence_.see(v, mean); });
        const arma::vec mean = used_ * arma::mean(means, 1);
        if (long_clip_) {
            const double noise = used_ * used_ * noise_ * noise_ *
                                 static_cast<double>(mean.n_elem) / static_cast<double>(count);
            const double to_come = in_losses(std::max(0.0, arma::dot(mean, mean) - noise));
            // With a log link gradients grow with the rate, and such a step would lead too far.
            if (loss::has_log_link(run_.problem.choice().kind) && used_ > 1.0 / metric_.longer &&
                to_come > kShifted * run_.long_losses->mean) {
                long_clip_->end();
                return {};
            }
            to_come_ = to_come;
        }
        return mean;
    }

    /** Gradients of a flat loss do not tell whether estimates are on their way. Those that sampling
     *  explains lead nowhere. */
    [[nodiscard]] bool moved(const arma::vec &gradient) const {
        constexpr double kMoved = 0.75;      // docs/defaults.md
        constexpr double kDeviations = 4.0;  // docs/defaults.md
        if (flat_ && explains(record_variance() / records_, gradient, kDeviations)) return false;
        return (flat_ ? shrunk_.share : followed_) > kMoved;
    }

    [[nodiscard]] double scale_of_clip() const { return long_clip_ ? used_ : 1.0; }

    [[nodiscard]] arma::vec next(const PrivateSteps::Step &step) {
        const auto &[number, count, v, gradient, factor] = step;
        if (4 * number > run_.plan.steps) late_.add(v, gradient);
        const arma::vec own = v - factor * gradient;
        for (std::uint64_t k = 0; k < count; ++k) quarters_.add(number + k, own);
        count_ = next_count(own, factor, count);
        if (2 * number > run_.plan.steps)
            late_noise_ = std::max(
                late_noise_, std::max(1.0, factor * factor) * used_ * used_ * noise_ * noise_);
        estimate_.add(v, gradient, factor, used_, static_cast<double>(count));
        shrink();
        if (long_clip_)
            long_clip_->see(in_losses(arma::dot(shrunk_.shift, shrunk_.shift)), to_come_);
        // Releases of another clip do not show whether points agree.
        if (long_clip_ && scale() != used_) {
            last_.reset();
            count_ = 1;
        }
        // Intervals are about the target's own optimum: near it the fewest gradients are clipped.
        // Where noise leads the estimate, nothing leads it back.
        constexpr double kSomeKept = 0.1;  // docs/defaults.md
        const arma::vec next = run_.plan.inference && shrunk_.share > kSomeKept
                                   ? estimate_.mean()
                                   : arma::vec(metric_.start + shrunk_.shift);
        followed_ = -arma::dot(next - v, gradient) / (factor * arma::dot(gradient, gradient));
        return steps_.in_ball(next);
    }

    [[nodiscard]] const records::Reader &rows() const { return rows_; }
    /** Where the last step has led to. */
    [[nodiscard]] const arma::vec &v() const { return v_; }
    [[nodiscard]] arma::vec in_ball(const arma::vec &v) const { return steps_.in_ball(v); }
    /** The start and what is kept of the shift from it. */
    [[nodiscard]] arma::vec result() const { return steps_.in_ball(metric_.start + shrunk_.shift); }
    /** Of the way from the start to the estimate, the intercept's part included. */
    [[nodiscard]] double factor() const {
        const double way = arma::norm(estimate_.mean() - metric_.start);
        return way > 0.0 ? std::min(1.0, arma::norm(shrunk_.shift) / way) : 0.0;
    }
    /** Begins with the lengths of another sample's gradients. */
    void begin(const Steps &other) {
        if (scale_) scale_->begin(*other.scale_);
    }
    [[nodiscard]] const StepMean &late() const { return late_; }
    /** Whether noise explains how the estimates of the last two quarters differ; if not, steps are
     *  still moving. True where there are too few. */
    [[nodiscard]] bool arrived() const {
        constexpr double kDeviations = 4.0;  // docs/defaults.md
        const auto &[first, second, third, fourth] = quarters_.means;
        if (third.count == 0 || fourth.count == 0) return true;
        const double variance = late_noise_ * (1.0 / static_cast<double>(third.count) +
                                               1.0 / static_cast<double>(fourth.count));
        return explains(variance, fourth.value - third.value, kDeviations) ||
               quarters_.settled(metric_.start);
    }
    [[nodiscard]] double evidence() const { return evidence_(); }
    /** How many records count, beside what is known of that. */
    void add_count(MeasuredMean &known) const {
        if (counts_.weight > 0.0) known.add(counts_.value(), counts_.deviation());
    }

    /** The optimum as it was estimated, before it is shrunk. */
    [[nodiscard]] const arma::vec &estimate() const { return estimate_.mean(); }

    /** Of a coordinate of the estimate: noise, sampling, and what clips do. */
    [[nodiscard]] double variance() const {
        return estimate_.variance() +
               std::max(1.0, estimate_.lengthened()) * record_variance() / records_ +
               scale() * scale() * metric_.clip_moves / static_cast<double>(metric_.start.n_elem);
    }

    /** The sampling variance of a coordinate, were there one record. */
    [[nodiscard]] double record_variance() const {
        const double times = scale() * scale();
        const double square = scale_ ? metric_.clip * metric_.clip : metric_.term_square;
        return times * square / static_cast<double>(metric_.start.n_elem);
    }

  private:
    [[nodiscard]] bool is_due() const { return long_clip_ && long_clip_->is_due(taken_); }

    /** What a squared distance in the metric is in losses. */
    [[nodiscard]] double in_losses(double square) const { return 0.5 * metric_.unit * square; }

    /** Of the clip. */
    [[nodiscard]] double scale() const {
        return scale_ ? (*scale_)() : long_clip_ ? long_clip_->scale() : 1.0;
    }

    /** Where two points agree on the optimum, as far as noise and sampling error tell, the next one
     *  gets four times as many releases, which show whether it agrees more closely. */
    [[nodiscard]] std::uint64_t next_count(const arma::vec &own, double factor,
                                           std::uint64_t count) {
        constexpr double kOfSampling = 0.1;  // docs/defaults.md
        if (!shares_points_) return 1;
        const double noise =
            factor * factor * used_ * used_ * noise_ * noise_ / static_cast<double>(count);
        const double variance = noise + last_noise_ + kOfSampling * record_variance() / records_;
        const bool agrees = !last_.is_empty() && explains(variance, own - last_, 0.0);
        last_ = own;
        last_noise_ = noise;
        constexpr std::uint64_t kMore = 4;  // docs/defaults.md
        return agrees ? kMore * count : 1;
    }

    /** Whether the noise is so small that few points will do. Where the clip follows the gradients
     *  each release tells their lengths; intervals need gradients at many points. */
    [[nodiscard]] bool shares_points() const {
        constexpr double kSignal = 100.0;  // mu n of a parameter; docs/defaults.md
        const double noise =
            noise_ / metric_.clip / std::sqrt(static_cast<double>(run_.plan.steps));
        return !flat_ && run_.plan.counts != privacy::Counted::short_terms &&
               !run_.plan.inference &&
               noise * kSignal * static_cast<double>(metric_.start.n_elem) <= 1.0;
    }

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

    /** Where curvature falls on the way, as that of rare classes does, the first estimates are too
     *  short. Without public rows clips, which nothing corrects, hold steps back as well. */
    [[nodiscard]] EstimatedOptimum::Recency recency() const {
        const loss::Choice &loss = run_.problem.choice();
        const bool bent = loss::has_likelihood(loss) || loss::has_log_link(loss.kind);
        if (saturates()) return {0.002, bent ? 16.0 : 4.0};  // docs/defaults.md
        if (run_.problem.public_sample() == nullptr) return {0.01, 6.0};
        return {0.0, 0.0};
    }

    /** What is kept of the shift depends on the estimate, and the estimate on how far away the
     *  optimum is estimated to be. */
    void shrink() {
        constexpr int kRounds = 3;
        estimate_.aim(shrunk_.shift);
        for (int round = 0; round < kRounds; ++round) {
            estimate_.update(shrunk_.shift);
            shrunk_ = (*rule_)(estimate_.mean() - metric_.start,
                               {variance(), anchor_variance_, record_variance()});
        }
    }

    const PrivateRun &run_;
    const Metric &metric_;
    records::Reader rows_;
    double records_;
    double counted_;  ///< what a short term, or a record, counts; 0: none does
    double most_;     ///< of a term, which leaves room for that count
    double noise_;    ///< deviation of a coordinate of a gradient
    bool flat_;
    bool shares_points_;
    PrivateSteps steps_;
    std::optional<ClipScale> scale_;
    std::optional<LongClip> long_clip_;
    std::uint64_t taken_ = 0;  ///< releases
    double to_come_ = 0.0;     ///< of the losses, by the last gradient
    MeasuredMean counts_;
    double used_ = 1.0;  ///< the last scale
    std::optional<ShiftRule> rule_;
    double anchor_variance_ = 0.0;
    EstimatedOptimum estimate_;
    ShiftRule::Shrunken shrunk_;
    double followed_ = 0.0;    ///< share of the last step
    std::uint64_t count_ = 1;  ///< releases at the next point
    arma::vec last_;           ///< where the last point places the optimum
    double last_noise_ = 0.0;  ///< variance of a coordinate of it
    Quarters quarters_;        ///< of the estimates
    double late_noise_ = 0.0;  ///< variance of a coordinate of an estimate
    Evidence evidence_;
    StepMean late_;  ///< the first quarter may be far away, where gradients are clipped more
    arma::vec v_;
};

ShiftRule rule_of(const PrivateRun &run, const Settings &settings, const Metric &metric,
                  privacy::Domains estimated) {
    return {metric, run.problem.preprocess().has_intercept(), estimated,
            settings.privacy.shrinkage};
}

/** Both private: the source's own optimum becomes the anchor of the target. A record takes part in
 *  the sums of its own domain only. */
PrivateFit fit_both(const PrivateRun &run, const Settings &settings) {
    const arma::vec nothing;
    Metric metric = choose_metric(run, settings, privacy::kSource, 1.0, nothing);
    const ShiftRule rule = rule_of(run, settings, metric, privacy::kTarget);
    const auto source = std::make_unique<Steps>(run, settings, metric, privacy::kSource);
    source->take(rule, 0.0);
    metric.start = source->result();
    // mutant: source_read_for_the_target
    const auto target = std::make_unique<Steps>(run, settings, metric, privacy::kTarget);
    target->begin(*source);
    target->take(rule, source->variance(), run.plan.steps);
    return result_at(metric, target->result(), 1.0 - target->factor(),
                     source->arrived() && target->arrived());
}

/** Private source: the public rows of the target give its weight. */
PrivateFit fit_with_target_rows(const PrivateRun &run, const Settings &settings) {
    const LeftOutRows target(*run.problem.public_sample(), settings.loss.start_seed);
    const Metric metric =
        choose_metric(run, settings, privacy::kSource, 1.0, target.own_fit(0.0).theta);
    const auto source = std::make_unique<Steps>(run, settings, metric, privacy::kSource);
    source->take(rule_of(run, settings, metric, privacy::kTarget), 0.0);
    const LeftOutRows::Fit combined = target.combine(
        metric.unit * metric.inverse.t() * metric.inverse, metric.to_theta(source->estimate()),
        source->record_variance() / source->variance());
    arma::vec v = metric.to_v(combined.theta);
    if (settings.radius) v = metric.project(v, *settings.radius);
    PrivateFit fit = result_at(metric, v, combined.alpha, source->arrived());
    fit.evidence = source->evidence();
    return fit;
}

}  // namespace

PrivateFit fit_with_shrinkage(const PrivateRun &whole_run, const Settings &settings) {
    const privacy::Domains domain = whole_run.problem.domains();
    if (whole_run.problem.public_sample() == nullptr) return fit_both(whole_run, settings);
    const PublicSample &sample = *whole_run.problem.public_sample();
    if (domain == privacy::kSource && uses_hessian(settings) && has_left_out_rows(sample))
        return fit_with_target_rows(whole_run, settings);
    Anchor anchor = choose_anchor(whole_run, settings);
    privacy::Plan left = whole_run.plan;
    // mutant: comparisons_beyond_the_plan
    left.steps -= anchor.steps;
    const PrivateRun run{whole_run.problem, left,
                         whole_run.key,     whole_run.threads,
                         whole_run.control, whole_run.trace,
                         anchor.labelled,   anchor.long_losses};
    const auto all = static_cast<double>(run.problem.rows(domain));
    const bool asks = domain == privacy::kTarget && !left.inference &&
                      !settings.privacy.clip_bound && run.problem.weight_bound() == 0.0 &&
                      run.labelled_rows(domain) == all;
    std::uint64_t asked = anchor.steps;
    const Metric metric =
        choose_metric(run, settings, domain, 1.0, anchor.theta, asks ? &asked : nullptr);
    // mutant: far_rows_beyond_the_plan
    left.steps -= asked - anchor.steps;
    const auto steps = std::make_unique<Steps>(run, settings, metric, domain);
    const auto d = static_cast<double>(metric.start.n_elem);
    // Of an anchor of fewer rows than parameters no error is known.
    const double m = sample.effective_rows();
    // mutant: noise_of_a_comparison_again
    steps->take(rule_of(run, settings, metric, domain), m > d ? steps->record_variance() / m : 0.0,
                asked);
    steps->add_count(anchor.counted);
    const bool none = steps->evidence() < kEnoughEvidence && anchor.counted.is_nothing();
    // mutant: moved_by_no_records
    const double factor = none ? 0.0 : steps->factor();
    double alpha = domain == privacy::kTarget ? 1.0 - factor : factor;
    if (!none && compares_anchors(settings) && loss::predicts_classes(sample.choice()) &&
        !arma::any(anchor.theta))
        alpha = 0.0;  // nothing of the source is in it
    arma::vec end = none ? steps->in_ball(metric.to_v(anchor.plain)) : steps->result();
    if (!none && arma::any(anchor.rest != anchor.theta))
        end = steps->in_ball(end + (1.0 - factor) * (metric.to_v(anchor.rest) - metric.start));
    PrivateFit fit = result_at(metric, end, alpha, steps->arrived());
    fit.evidence = steps->evidence();
    if (anchor.fails)
        fit.findings.push_back(coded(
            "source_fails",
            "WARNING: the source's predictor fails on most private rows (as released). Another "
            "level, zero point, unit or coding of labels or columns costs accuracy, and "
            "\"inspect\" shows it to their custodian."));
    if (metric.rows_were_far)
        fit.findings.push_back(coded(
            "rows_far_off",
            "Private rows lie further away than nearly all public ones (as released): "
            "units and zero points that are the same in both cost less accuracy, and \"inspect\" "
            "names the column to their custodian."));
    if (anchor.counted.weight > 0.0) {
        fit.counted_records = anchor.counted.value()(0);
        fit.counted_deviation = anchor.counted.deviation();
    }
    if (run.plan.inference)
        fit.inference = infer_privately(run, steps->rows(), metric, steps->late(), steps->v());
    return fit;
}

}  // namespace dpadapt
