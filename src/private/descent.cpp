#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "objective/weighted_objective.hpp"
#include "private/coupling.hpp"
#include "private/fits.hpp"
#include "private/metric.hpp"
#include "private/public_metric.hpp"
#include "private/shrink.hpp"
#include "private/steps.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

/** The part of the objective that public rows have in it, minimized without privacy: it costs
 *  nothing. Without weight of the public rows their plain fit. */
PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings, double discrepancy,
                           Control &control) {
    const PublicSample &sample = *run.problem.public_sample();
    const Hyperparameters &hyper = run.problem.hyperparameters();
    const bool source = !run.problem.is_private(privacy::kSource);
    if ((source ? hyper.alpha : 1.0 - hyper.alpha) == 0.0) {
        PrivateFit fit;
        fit.theta = sample.fit();
        fit.alpha = hyper.alpha;
        return fit;
    }
    WeightedObjective objective(sample, hyper, 1.0 / static_cast<double>(sample.rows().rows()),
                                source ? discrepancy : 0.0,
                                run.problem.rows(source ? privacy::kTarget : privacy::kSource));
    const linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, sample.fit(),
        {hyper.radius, settings.tolerance, settings.iterations.value_or(defaults::kIterations)},
        linalg::reporting(control, "public fit", 0));
    arma::vec gradient;
    (void)objective.evaluate(minimum.x, gradient);  // its scalars are wanted
    PrivateFit fit;
    fit.theta = minimum.x;
    fit.alpha = hyper.alpha;
    fit.scalars = objective.scalars();
    return fit;
}

/** Of the last `averaged` of v_{t+1} = (1 - h) v_t - noise, in a direction of curvature h. */
double noise_along(double h, std::uint64_t steps, std::uint64_t averaged) {
    constexpr std::uint64_t kMostSteps = 1000;  // before them noise is forgotten, or will never be
    const auto k = static_cast<double>(averaged);
    const double keep = 1.0 - h;
    const auto sum = [&](double terms) {  // of the first powers of keep
        return h > 0.0 ? (1.0 - std::pow(keep, terms)) / h : terms;
    };
    const std::uint64_t before = std::min(steps - averaged, kMostSteps);
    double variance = 0.0;
    for (std::uint64_t t = 1; t <= before; ++t) {
        const double share = std::pow(keep, static_cast<double>(t)) * sum(k) / k;
        variance += share * share;
    }
    const std::uint64_t last = std::min(averaged, kMostSteps);
    for (std::uint64_t t = 1; t <= last; ++t) {
        const double share = sum(k * static_cast<double>(t) / static_cast<double>(last)) / k;
        variance += share * share * k / static_cast<double>(last);
    }
    return variance;
}

/** Variance of a coordinate of the average of the last iterates of a descent with steps of length
 *  1, in units of that of the noise in one gradient: a mean over the directions of the metric, with
 *  the curvatures h that the mean public loss has in them. Where h is 1 the average of k iterates
 *  has 1/k; the flatter a direction, the longer its noise lives.
 *
 *  Clipped gradients of d features bring iterates back by sqrt(2/(pi d)) of the clip bound at most:
 *  records pull in their own directions, whose mean this is. If noise moves iterates by `force`
 *  times that in a step, force > 1, the pull of saturated gradients is that of a linear one with
 *  2/(1 + force^2) of the curvature; force^-4 is taken, to be safe.
 *
 *  @param pushed  Norm of the noise in a step, in clip bounds.
 */
double noise_of_average(const Metric &metric, const PublicSample &sample, std::uint64_t steps,
                        std::uint64_t averaged, double pushed) {
    constexpr double kPi = 3.14159265358979323846;
    const auto features = static_cast<double>(metric.inverse.n_cols);
    const double force = pushed * std::sqrt(kPi * features / 2.0);
    const double linear = std::min(1.0, std::pow(force, -4.0));
    if (!metric.maps_rows) return noise_along(linear, steps, averaged);
    const arma::mat hessian =
        metric.map * public_hessian(sample, PublicTerms(sample, sample.fit())) * metric.map.t();
    const arma::vec curvatures =
        arma::clamp(linalg::decompose(arma::symmatu(hessian)).values, 0.0, 1.0);
    double sum = 0.0;
    for (const double h : curvatures) sum += noise_along(linear * h, steps, averaged);
    return sum / static_cast<double>(curvatures.n_elem);
}

/** The number of iterations may follow from noise, so that reports of them would differ from run to
 *  run. */
struct SilentControl : Control {
    void report(const Progress & /*progress*/) override {}
};

/** A sample's part in the objective. */
struct Part {
    privacy::Domains domain;
    double p;  ///< reference weight of its records
    double d;  ///< what its records cost besides their loss
};

std::array<Part, 2> parts_of(const PrivateRun &run, double discrepancy) {
    const double alpha = run.problem.hyperparameters().alpha;
    const double m = run.labelled_rows(privacy::kSource);
    const double n = run.labelled_rows(privacy::kTarget);
    return {Part{privacy::kSource, alpha / m, discrepancy},
            Part{privacy::kTarget, (1.0 - alpha) / n, 0.0}};
}

/** Gradient in the metric, in its unit, and the sums behind the scalars. */
struct Slopes {
    arma::vec v;
    Coupling::Sums coupling{};
};

/** A policy of PrivateSteps: steps of the objective, public part included, and the averages of v
 *  and, after it, of the scalars of the weights. */
class Descent {
  public:
    Descent(const PrivateRun &run, const Settings &settings, double discrepancy)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          penalty_(hyper_),
          settings_(settings),
          discrepancy_(discrepancy),
          parts_(parts_of(run, discrepancy)),
          unit_(largest_private_weight()),
          coupling_(penalty_,
                    {Coupling::Part{run.problem.rows(privacy::kSource), parts_[0].p},
                     Coupling::Part{run.problem.rows(privacy::kTarget), parts_[1].p}},
                    unit_),
          metric_(choose_metric(run, settings, domain(), private_share(), public_fit())),
          parameters_(metric_.start.n_elem),
          steps_(run, settings, metric_, noise_square()),
          scalars_(first_scalars()),
          quarters_{run.plan.steps} {
        for (const Part &part : parts_) {
            if (!run.problem.is_private(part.domain) || part.p == 0.0) continue;
            private_.emplace_back(part, step_reader(run, metric_, part.domain));
            labelled_ += run.labelled_rows(part.domain);
        }
    }

    PrivateFit operator()() {
        // Clipped gradients that point one way saturate, and quarters wander further than the noise
        // of free ones tells.
        constexpr double kAlarm = 12.0;  // docs/defaults.md
        const arma::vec start = steps_.in_ball(metric_.start);
        (void)steps_.take(*this, start, 0);
        const std::uint64_t steps = run_.plan.steps;
        const auto &[first, early, third, fourth] = quarters_.means;
        const bool converged = only_last() || third.count == 0 ||
                               agree({third, 3 * steps / 4}, {fourth, steps}, kAlarm) ||
                               quarters_.settled(start);
        if (!only_last() && agree({early, steps / 2}, {late_, steps}, 3.0)) {
            late_.add(early);
            // Stricter, because these are nearer to where they began.
            if (agree({first, steps / 4}, {late_, steps}, 2.0)) late_.add(first);
        }
        PrivateFit fit = result_at(metric_, shrunk(late_.value.head(parameters_), late_.count),
                                   hyper_.alpha, converged);
        fit.scalars = {late_.value(parameters_), late_.value(parameters_ + 1)};
        return fit;
    }

    [[nodiscard]] std::uint64_t count() const { return 1; }
    [[nodiscard]] static bool moved(const arma::vec & /*gradient*/) { return true; }
    [[nodiscard]] static double scale_of_clip() { return 1.0; }

    /** Of the private sums and the public rows; the sums behind the scalars are kept. */
    [[nodiscard]] arma::vec gradient(const arma::vec &v, std::uint64_t step,
                                     std::uint64_t /*count*/) {
        Slopes slopes = released(v, step);
        if (const PublicSample *sample = run_.problem.public_sample())
            add_public(*sample, v, slopes);
        sums_ = slopes.coupling;
        return slopes.v;
    }

    /** A step to where the gradient is far longer than the first is taken back, and later ones go a
     *  quarter as far, or less: it has left the reach of its metric. */
    [[nodiscard]] arma::vec next(const PrivateSteps::Step &step) {
        constexpr double kShorter = 0.25;
        const bool quadratic = run_.problem.choice().kind == loss::Kind::squared;
        const double length = arma::norm(step.gradient);
        if (from_.is_empty()) first_ = length;
        const bool back = !from_.is_empty() && length > reach();
        if (!back) {
            from_ = step.v;
            gradient_ = step.gradient;
        } else {
            shorter_ *= kShorter;
        }
        const double factor = quadratic ? 1.0 : shorter_ * step.factor;
        const arma::vec v = steps_.in_ball(from_ - factor * gradient_);
        if (penalty_.couples() && !back) scalars_ = coupling_.next(scalars_, sums_);
        const arma::vec state = arma::join_cols(v, arma::vec{scalars_.s, scalars_.t});
        quarters_.add(step.number, state);
        const std::uint64_t steps = run_.plan.steps;
        if (step.number > (only_last() ? steps - 1 : steps / 2)) late_.add(state);
        return v;
    }

  private:
    /** Where weights do not couple, no cap is below the largest reference weight of a public row,
     *  which may have a weight of the user's. */
    [[nodiscard]] WeightScalars first_scalars() const {
        WeightScalars scalars = coupling_.start();
        const PublicSample *sample = run_.problem.public_sample();
        if (penalty_.couples() || !penalty_.is_convex() || sample == nullptr) return scalars;
        for (const double weight : sample->rows().relative())
            scalars.t = std::max(scalars.t, weight * public_part().p);
        return scalars;
    }

    /** Length of gradients within the reach of the metric. Losses that grow like exponentials leave
     *  it where noise leads; where it does not, longer gradients are those of a law that is far. */
    [[nodiscard]] double reach() const {
        constexpr double kNetwork = 4.0;  // docs/defaults.md
        constexpr double kNoise = 2.0;    // docs/defaults.md
        const loss::Kind kind = run_.problem.choice().kind;
        const double noise = std::sqrt(noise_square());
        if (kind == loss::Kind::perceptron || !run_.problem.hidden().empty())
            return kNetwork * (first_ + noise);
        const bool grows = loss::has_log_link(kind) || kind == loss::Kind::survival;
        return grows && first_ < kNoise * noise ? kNoise * (first_ + noise)
                                                : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] const Part &public_part() const {
        return run_.problem.is_private(privacy::kSource) ? parts_[1] : parts_[0];
    }

    [[nodiscard]] bool only_last() const { return settings_.privacy.iterate == Iterate::last; }

    /** The result moved to what the public part alone gives, as far as noise explains the
     *  difference. */
    [[nodiscard]] arma::vec shrunk(const arma::vec &v, std::uint64_t averaged) const {
        const PublicSample *sample = run_.problem.public_sample();
        const double deviations = settings_.privacy.shrinkage;
        if (sample == nullptr || deviations == 0.0) return v;
        SilentControl silent;
        const arma::vec anchor =
            metric_.to_v(fit_public_part(run_, settings_, discrepancy_, silent).theta);
        const auto parameters = static_cast<double>(parameters_);
        const double record = private_share() * private_share() * metric_.term_square / parameters;
        const double noise = noise_square() / parameters;
        const ShiftRule rule(metric_, sample->preprocess().has_intercept(), privacy::kTarget,
                             deviations);
        const double factor = noise_of(run_.plan.steps, averaged);
        const double estimate = factor * noise + record / labelled_;
        return anchor + rule(v - anchor, {estimate, 0.0, record}).shift;
    }

    /** Variance of an average of the last iterates, in units of that of a gradient's noise. */
    [[nodiscard]] double noise_of(std::uint64_t steps, std::uint64_t averaged) const {
        const PublicSample *sample = run_.problem.public_sample();
        if (sample == nullptr) return 1.0 / static_cast<double>(averaged);
        const double noise = std::sqrt(noise_square());
        return noise_of_average(metric_, *sample, steps, averaged,
                                noise / (private_share() * metric_.clip));
    }

    /** An average of the iterates up to a step. */
    struct Average {
        const Mean &mean;
        std::uint64_t end;
    };

    /** Whether noise explains the difference of two averages: the earlier steps had arrived. */
    [[nodiscard]] bool agree(const Average &early, const Average &late, double deviations) const {
        if (early.mean.count == 0) return false;
        const arma::vec difference = late.mean.value - early.mean.value;
        const double factor =
            noise_of(early.end, early.mean.count) + noise_of(late.end, late.mean.count);
        return explains(factor * noise_square() / static_cast<double>(parameters_),
                        difference.head(parameters_), deviations);
    }

    [[nodiscard]] privacy::Domains domain() const {
        return run_.problem.is_private(privacy::kTarget) ? privacy::kTarget : privacy::kSource;
    }

    [[nodiscard]] arma::vec public_fit() const {
        const PublicSample *sample = run_.problem.public_sample();
        return sample != nullptr ? sample->fit() : arma::vec();
    }

    [[nodiscard]] double private_share() const {
        return domain() == privacy::kTarget ? 1.0 - hyper_.alpha : hyper_.alpha;
    }

    [[nodiscard]] double largest_private_weight() const {
        double largest = 0.0;
        for (const Part &part : parts_)
            if (run_.problem.is_private(part.domain)) largest = std::max(largest, part.p);
        return largest;
    }

    /** Mean squared norm of the noise in a released gradient. */
    [[nodiscard]] double noise_square() const {
        const double deviation = unit_ * metric_.clip * run_.plan.gradient.sigma();
        return static_cast<double>(parameters_) * deviation * deviation;
    }

    /** The private sums. */
    [[nodiscard]] Slopes released(const arma::vec &v, std::uint64_t step) const {
        std::vector<StepSum> sums;
        std::uint64_t records = 0;
        for (const auto &[part, rows] : private_) {
            const records::PricedWeights weights{coupling_.terms(), scalars_, part.p, part.d,
                                                 unit_};
            sums.push_back({rows, gradient_task(run_, metric_, v, 1.0, part.p / unit_, weights)});
            records += rows.rows();
        }
        const arma::vec values = release_steps(run_, step, 1, sums);
        Slopes slopes{unit_ * metric_.clip * values.head(parameters_)};
        if (!penalty_.couples()) return slopes;
        const Coupling::Sums largest = coupling_.largest(scalars_);
        using records::PricedWeights;
        const double middles = static_cast<double>(records) * PricedWeights::kMiddle;
        for (std::size_t k = 0; k < largest.size(); ++k)
            // mutant: middle_forgotten
            slopes.coupling[k] =
                (values(parameters_ + k) + middles) / PricedWeights::kHalf * largest[k];
        return slopes;
    }

    /** Public rows, exactly. */
    void add_public(const PublicSample &sample, const arma::vec &v, Slopes &slopes) const {
        const Part &part = public_part();
        if (part.p == 0.0) return;
        const LossRows &rows = sample.loss_rows();
        const arma::vec theta = metric_.to_theta(v);
        const WeightRule rule = penalty_.rule(scalars_);
        std::vector<double> losses(rows.rows());
        std::vector<double> q(rows.rows(), part.p);
        const std::vector<double> &relative = rows.sample().relative();
        for (std::size_t i = 0; i < relative.size(); ++i) q[i] *= relative[i];
        if (!penalty_.keeps_reference()) rows.losses(theta, losses.data());
        for (std::size_t i = 0; i < q.size() && !penalty_.keeps_reference(); ++i) {
            const double cost = losses[i] + part.d;
            const double p = q[i];
            q[i] = rule.weight(cost, p);
            if (!penalty_.couples()) continue;
            const auto sums = coupling_.terms().of_record(q[i], cost, p, scalars_);
            for (std::size_t k = 0; k < sums.size(); ++k) slopes.coupling[k] += sums[k];
        }
        slopes.v += metric_.slope(rows.gradient(theta, q.data(), losses.data()));
    }

    const PrivateRun &run_;
    Hyperparameters hyper_;
    Penalty penalty_;
    const Settings &settings_;
    double discrepancy_;
    std::array<Part, 2> parts_;
    double unit_;  ///< largest reference weight of a private record
    Coupling coupling_;
    Metric metric_;
    arma::uword parameters_;
    PrivateSteps steps_;
    std::vector<std::pair<Part, records::Reader>> private_;
    double labelled_ = 0.0;  ///< records with a label, or the sum of their weights
    WeightScalars scalars_;
    Coupling::Sums sums_{};  ///< behind the scalars, at the last gradient
    arma::vec from_;         ///< where the next step starts
    arma::vec gradient_;
    double first_ = 0.0;  ///< length of a gradient
    double shorter_ = 1.0;
    Quarters quarters_;
    Mean late_;  ///< of the last half of the steps, or of the last one
};

}  // namespace

PrivateFit fit_with_fixed_alpha(const PrivateRun &run, const Settings &settings,
                                double discrepancy) {
    if (run.plan.steps == 0) return fit_public_part(run, settings, discrepancy, run.control);
    return Descent(run, settings, discrepancy)();
}

}  // namespace dpadapt
