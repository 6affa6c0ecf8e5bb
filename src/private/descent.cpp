#include "private/descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "private/choose_metric.hpp"
#include "private/metric.hpp"
#include "private/public_metric.hpp"
#include "private/public_terms.hpp"
#include "private/shift.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

namespace {

/** The number of iterations may follow from noise, so that reports of them would differ from run to
 *  run. */
struct Quiet : Control {
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

/** The iterate: predictor in the metric, and the scalars of the weights. */
struct State {
    arma::vec v;
    WeightScalars scalars;
};

/** Mean of some iterates. */
struct Mean : State {
    std::uint64_t count = 0;

    explicit Mean(arma::uword parameters) {
        v.zeros(parameters);
        scalars = {0.0, 0.0};
    }

    void add(const State &state) { add(state, 1); }
    void add(const Mean &other) { add(other, other.count); }

  private:
    void add(const State &state, std::uint64_t weight) {
        count += weight;
        const double share = static_cast<double>(weight) / static_cast<double>(count);
        v += share * (state.v - v);
        scalars.s += share * (state.scalars.s - scalars.s);
        scalars.t += share * (state.scalars.t - scalars.t);
    }
};

/** Gradient in the metric, in its unit, and the sums behind the scalars. */
struct Slopes {
    arma::vec v;
    Coupling::Sums coupling{};
};

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
          metric_(choose_metric(run, settings, domain(), private_share(), public_fit())) {
        for (const Part &part : parts_) {
            if (!run.problem.is_private(part.domain) || part.p == 0.0) continue;
            private_.emplace_back(part, step_reader(run, metric_, part.domain));
            records_ += run.problem.rows(part.domain);
            labelled_ += run.labelled_rows(part.domain);
        }
    }

    PrivateFit operator()() {
        State state{in_ball(metric_.start), first_scalars()};
        const arma::uword parameters = state.v.n_elem;
        StepLength length(noise_square(parameters), flattens(run_.problem.loss()));
        const std::uint64_t steps = run_.plan.steps;
        // Clipped gradients that point one way saturate, and quarters wander further than the noise
        // of free ones tells.
        constexpr double kAlarm = 12.0;
        Mean first(parameters);  // the first quarter
        Mean early(parameters);  // the second quarter
        Mean late(parameters);   // the last half, or the last step
        Mean third(parameters);
        Mean fourth(parameters);
        const bool last = settings_.privacy.iterate == Iterate::last;
        for (std::uint64_t step = 1; step <= steps; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps)});
            state = next(state, step, length);
            if (step > (last ? steps - 1 : steps / 2)) {
                late.add(state);
                (step > 3 * steps / 4 ? fourth : third).add(state);
            } else if (step > steps / 4) {
                early.add(state);
            } else {
                first.add(state);
            }
        }
        PrivateFit fit;
        fit.converged = third.count == 0 || agree({third, 3 * steps / 4}, {fourth, steps}, kAlarm);
        if (!last && agree({early, steps / 2}, {late, steps}, 3.0)) {
            late.add(early);
            // Stricter, because these are nearer to where they began.
            if (agree({first, steps / 4}, {late, steps}, 2.0)) late.add(first);
        }
        const arma::vec v = shrunk(late.v, late.count);
        fit.theta = metric_.to_theta(v);
        fit.spread = metric_.spread(v);
        fit.alpha = hyper_.alpha;
        fit.scalars = late.scalars;
        return fit;
    }

  private:
    /** Where weights are on their own no cap is below the largest reference weight, which a public
     *  row with a weight of the user's may have. */
    [[nodiscard]] WeightScalars first_scalars() const {
        WeightScalars scalars = coupling_.start();
        const PublicSample *sample = run_.problem.public_sample();
        if (penalty_.couples() || !penalty_.is_convex() || sample == nullptr) return scalars;
        for (const double weight : sample->rows().relative())
            scalars.t = std::max(scalars.t, weight * public_part().p);
        return scalars;
    }

    [[nodiscard]] const Part &public_part() const {
        return run_.problem.is_private(privacy::kSource) ? parts_[1] : parts_[0];
    }

    /** The ball bounds the discrepancy; steps stay in it on request. */
    [[nodiscard]] arma::vec in_ball(const arma::vec &v) const {
        return settings_.radius ? metric_.project(v, *settings_.radius) : v;
    }

    /** The result moved to what the public part alone gives, as far as noise explains the
     *  difference. */
    [[nodiscard]] arma::vec shrunk(const arma::vec &v, std::uint64_t averaged) const {
        const PublicSample *sample = run_.problem.public_sample();
        const double deviations = settings_.privacy.shrinkage;
        if (sample == nullptr || deviations == 0.0) return v;
        Quiet quiet;
        const arma::vec anchor =
            metric_.to_v(fit_public_part(run_, settings_, discrepancy_, quiet).theta);
        const auto parameters = static_cast<double>(v.n_elem);
        const double record = private_share() * private_share() * metric_.term_square / parameters;
        const double noise = noise_square(v.n_elem) / parameters;
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
        const double noise = std::sqrt(noise_square(metric_.start.n_elem));
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
        const arma::vec difference = late.mean.v - early.mean.v;
        const auto parameters = static_cast<double>(difference.n_elem);
        const double factor =
            noise_of(early.end, early.mean.count) + noise_of(late.end, late.mean.count);
        const double variance = factor * noise_square(difference.n_elem) / parameters;
        return arma::dot(difference, difference) <= variance * chi_squared(parameters, deviations);
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
    [[nodiscard]] double noise_square(arma::uword parameters) const {
        const double deviation = unit_ * metric_.clip * run_.plan.gradient.sigma();
        return static_cast<double>(parameters) * deviation * deviation;
    }

    State next(const State &state, std::uint64_t step, StepLength &length) const {
        Slopes slopes = released(state, step);
        if (const PublicSample *sample = run_.problem.public_sample())
            add_public(*sample, state, slopes);
        const bool quadratic = run_.problem.choice().kind == loss::Kind::squared;
        const double factor = quadratic ? 1.0 : length(slopes.v);
        State moved{in_ball(state.v - factor * slopes.v), state.scalars};
        if (penalty_.couples()) moved.scalars = coupling_.next(state.scalars, slopes.coupling);
        return moved;
    }

    /** The private sums: their noise is drawn first. */
    [[nodiscard]] Slopes released(const State &state, std::uint64_t step) const {
        const std::size_t parameters = state.v.n_elem;
        const std::size_t dimension = parameters + (penalty_.couples() ? 2 : 0);
        const auto noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, dimension);
        privacy::VectorSum sum(dimension, run_.plan.gradient);
        for (const auto &[part, rows] : private_) {
            const records::PricedWeights weights{coupling_.terms(), state.scalars, part.p, part.d,
                                                 unit_};
            sum.merge(
                rows.sum(gradient_task(run_, metric_, state.v, 1.0, part.p / unit_, weights)));
        }
        const arma::vec values =
            release(run_, random::Purpose::gaussian_w, step, sum, noise, records_);
        Slopes slopes{unit_ * metric_.clip * values.head(parameters)};
        if (!penalty_.couples()) return slopes;
        const Coupling::Sums largest = coupling_.largest(state.scalars);
        using records::PricedWeights;
        const double middles = static_cast<double>(records_) * PricedWeights::kMiddle;
        for (std::size_t k = 0; k < largest.size(); ++k)
            // mutant: middle_forgotten
            slopes.coupling[k] =
                (values(parameters + k) + middles) / PricedWeights::kHalf * largest[k];
        return slopes;
    }

    /** Public rows, exactly. */
    void add_public(const PublicSample &sample, const State &state, Slopes &slopes) const {
        const Part &part = public_part();
        if (part.p == 0.0) return;
        const LossRows &rows = sample.loss_rows();
        const arma::vec theta = metric_.to_theta(state.v);
        const WeightRule rule = penalty_.rule(state.scalars);
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
            const auto sums = coupling_.terms().of_record(q[i], cost, p, state.scalars);
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
    std::vector<std::pair<Part, records::Reader>> private_;
    std::uint64_t records_ = 0;
    double labelled_ = 0.0;  ///< of these with a label, or the sum of their weights
};

}  // namespace

PrivateFit fit_with_fixed_alpha(const PrivateRun &run, const Settings &settings,
                                double discrepancy) {
    if (run.plan.steps == 0) return fit_public_part(run, settings, discrepancy, run.control);
    return Descent(run, settings, discrepancy)();
}

namespace {

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

}  // namespace

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

}  // namespace dpadapt
