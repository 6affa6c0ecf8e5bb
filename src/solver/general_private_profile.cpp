#include "solver/general_private_profile.hpp"

#include <array>
#include <cmath>

#include "solver/general_objective.hpp"
#include "solver/general_terms.hpp"
#include "solver/step_length.hpp"

namespace dpadapt {
namespace {

/** A sample's part in the objective. */
struct Part {
    privacy::Domains domain;
    double p;  ///< reference weight of its records
    double d;  ///< what its records cost besides their loss
};

/** The iterate: predictor in the metric, and the scalars that separate the weights. */
struct State {
    arma::vec v;
    double s;
    double log_sum;
};

/** Gradient in the metric, sum q^2, and sum exp(mu q) - 1 in units of its largest term. */
struct Sums {
    arma::vec v;
    double square = 0.0;
    double soft = 0.0;
};

/** (exp(mu q) - 1)/(exp(mu p) - 1) for 0 <= q <= p, without overflow. */
double soft_share(double mu, double q, double p) {
    return std::exp(mu * (q - p)) * (std::expm1(-mu * q) / std::expm1(-mu * p));
}

/** log(a + (exp(x) - 1) b) for x > 0 and b >= 0. */
double log_of_sum(double a, double x, double b) {
    const double first = std::log(a);
    const double second = x + std::log(-std::expm1(-x)) + std::log(b);
    const double larger = std::max(first, second);
    return larger + std::log(std::exp(first - larger) + std::exp(second - larger));
}

class GeneralProfile {
  public:
    GeneralProfile(const PrivateRun &run, const Settings &settings, double discrepancy)
        : run_(run),
          iterate_(settings.privacy.iterate),
          hyper_(run.problem.hyperparameters()),
          prices_{hyper_.lambda_1, hyper_.lambda_2, hyper_.lambda_inf, hyper_.mu},
          metric_(make_general_metric(run.problem, settings)) {
        const auto m = static_cast<double>(run.problem.rows(privacy::kSource));
        const auto n = static_cast<double>(run.problem.rows(privacy::kTarget));
        parts_ = {Part{privacy::kSource, hyper_.alpha / m, discrepancy},
                  Part{privacy::kTarget, (1.0 - hyper_.alpha) / n, 0.0}};
        largest_p_ = std::max(parts_[0].p, parts_[1].p);
        largest_s_ = std::hypot(parts_[0].p * std::sqrt(m), parts_[1].p * std::sqrt(n));
        largest_soft_ = m * soft_share(hyper_.mu, parts_[0].p, largest_p_) +
                        n * soft_share(hyper_.mu, parts_[1].p, largest_p_);
        for (const Part &part : parts_) {
            if (!run.problem.is_private(part.domain) || part.p == 0.0) continue;
            private_.emplace_back(part, GeneralTerms(run, metric_, part.domain));
            unit_ = std::max(unit_, part.p);
            records_ += run.problem.rows(part.domain);
        }
    }

    PrivateFit operator()() {
        State state{metric_.project(metric_.start, hyper_.radius), largest_s_,
                    log_sum(largest_soft_)};
        State average{arma::vec(state.v.n_elem, arma::fill::zeros), 0.0, 0.0};
        StepLength length(noise_square(state.v.n_elem));
        const std::uint64_t steps = run_.plan.steps;
        const std::uint64_t first = iterate_ == Iterate::last ? steps : steps / 2 + 1;
        const double share = 1.0 / static_cast<double>(steps - first + 1);
        for (std::uint64_t step = 1; step <= steps; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps)});
            state = next(state, step, length);
            if (step < first) continue;
            average.v += share * state.v;
            average.s += share * state.s;
            average.log_sum += share * state.log_sum;
        }
        PrivateFit fit;
        fit.w = metric_.to_theta(average.v);
        fit.alpha = hyper_.alpha;
        fit.s = average.s;
        fit.log_sum = average.log_sum;
        return fit;
    }

  private:
    [[nodiscard]] bool coupled() const {
        return prices_.lambda_2 > 0.0 || prices_.lambda_inf > 0.0;
    }

    [[nodiscard]] double log_sum(double soft) const {
        return log_of_sum(static_cast<double>(run_.problem.rows(privacy::kSource) +
                                              run_.problem.rows(privacy::kTarget)),
                          hyper_.mu * largest_p_, soft);
    }

    /** Mean squared norm of the noise in a released gradient. */
    [[nodiscard]] double noise_square(arma::uword parameters) const {
        const double deviation = unit_ * metric_.clip * run_.plan.gradient.sigma();
        return static_cast<double>(parameters) * deviation * deviation;
    }

    State next(const State &state, std::uint64_t step, StepLength &length) const {
        Sums sums = released(state, step);
        if (const PublicSample *sample = run_.problem.public_sample())
            add_public(*sample, state, sums);
        State moved{metric_.project(state.v - length(sums.v) * sums.v, hyper_.radius), state.s,
                    state.log_sum};
        if (!coupled()) return moved;
        constexpr double kLeast = 1.0 / 64.0;  // of the largest value
        moved.s =
            std::clamp(std::sqrt(std::max(0.0, sums.square)), kLeast * largest_s_, largest_s_);
        moved.log_sum = log_sum(std::clamp(sums.soft, 0.0, largest_soft_));
        return moved;
    }

    /** The private sums: their noise is drawn first. */
    [[nodiscard]] Sums released(const State &state, std::uint64_t step) const {
        const std::size_t parameters = state.v.n_elem;
        const std::size_t dimension = parameters + (coupled() ? 2 : 0);
        const auto noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, dimension);
        privacy::VectorSum sum(dimension, run_.plan.gradient);
        const GeneralRule rule = prices_.rule(state.s, state.log_sum);
        // Both further terms are divided by their largest value and take up to half the norm of a
        // term.
        constexpr double kHalf = 0.5;
        for (const auto &[part, terms] : private_) {
            const auto weigh = [&, &part = part](double loss, std::span<double> further) {
                const double q = rule.weight(loss + part.d, part.p);
                if (!further.empty()) {
                    further[0] = kHalf * (q / unit_) * (q / unit_);
                    further[1] = kHalf * soft_share(hyper_.mu, q, unit_);
                }
                return q / part.p;
            };
            terms.add(state.v, part.p / unit_, weigh, sum);
        }
        const arma::vec values =
            release(run_, random::Purpose::gaussian_w, step, sum, noise, records_);
        Sums sums{unit_ * metric_.clip * values.head(parameters)};
        if (coupled()) {
            sums.square = values(parameters) / kHalf * unit_ * unit_;
            sums.soft = values(parameters + 1) / kHalf * soft_share(hyper_.mu, unit_, largest_p_);
        }
        return sums;
    }

    /** Public rows, exactly. */
    void add_public(const PublicSample &sample, const State &state, Sums &sums) const {
        const Part &part = run_.problem.is_private(privacy::kSource) ? parts_[1] : parts_[0];
        if (part.p == 0.0) return;
        const LossRows &rows = sample.loss_rows();
        const arma::vec theta = metric_.to_theta(state.v);
        std::vector<double> losses(rows.rows());
        std::vector<double> q(rows.rows(), part.p);
        if (!std::isinf(prices_.lambda_1)) {
            const GeneralRule rule = prices_.rule(state.s, state.log_sum);
            rows.losses(theta, losses.data());
            for (std::size_t i = 0; i < q.size(); ++i) {
                q[i] = rule.weight(losses[i] + part.d, part.p);
                sums.square += q[i] * q[i];
                sums.soft += soft_share(hyper_.mu, q[i], largest_p_);
            }
        }
        sums.v += metric_.slope(rows.gradient(theta, q.data(), losses.data()));
    }

    const PrivateRun &run_;
    Iterate iterate_;
    Hyperparameters hyper_;
    GeneralPrices prices_;
    GeneralMetric metric_;
    std::array<Part, 2> parts_{};
    std::vector<std::pair<Part, GeneralTerms>> private_;
    double unit_ = 0.0;  ///< largest reference weight of a private record
    std::uint64_t records_ = 0;
    double largest_p_ = 0.0;
    double largest_s_ = 0.0;
    double largest_soft_ = 0.0;
};

}  // namespace

namespace {

/** No private record has weight: a minimization over public rows, which costs nothing. */
PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings, double discrepancy) {
    constexpr std::size_t kIterations = 1000;
    const PublicSample &sample = *run.problem.public_sample();
    const Hyperparameters &hyper = run.problem.hyperparameters();
    const bool source = !run.problem.is_private(privacy::kSource);
    const std::size_t absent = run.problem.rows(source ? privacy::kTarget : privacy::kSource);
    GeneralObjective objective(sample, hyper, 1.0 / static_cast<double>(sample.rows().rows()),
                               source ? discrepancy : 0.0, absent);
    const linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, sample.fit(),
        {hyper.radius, settings.tolerance, settings.iterations.value_or(kIterations)},
        [&](std::size_t iteration, double value, double gap) {
            run.control.report({"public fit", static_cast<std::int64_t>(iteration), 0, value, gap});
        });
    arma::vec gradient;
    (void)objective.evaluate(minimum.x, gradient);  // its weights are wanted
    PrivateFit fit;
    fit.w = minimum.x;
    fit.alpha = hyper.alpha;
    const arma::vec q(objective.weights());
    const double largest = hyper.mu * q.max();
    fit.s = arma::norm(q);
    fit.log_sum = largest + std::log(static_cast<double>(absent) * std::exp(-largest) +
                                     arma::accu(arma::exp(hyper.mu * q - largest)));
    return fit;
}

}  // namespace

PrivateFit fit_general_profile(const PrivateRun &run, const Settings &settings,
                               double discrepancy) {
    if (run.plan.steps == 0) return fit_public_part(run, settings, discrepancy);
    return GeneralProfile(run, settings, discrepancy)();
}

GeneralRule rule_at(const PrivateFit &fit, const Hyperparameters &hyper) {
    return GeneralPrices{hyper.lambda_1, hyper.lambda_2, hyper.lambda_inf, hyper.mu}.rule(
        fit.s, fit.log_sum);
}

}  // namespace dpadapt
