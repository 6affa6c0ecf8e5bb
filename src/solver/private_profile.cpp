#include "solver/private_profile.hpp"

#include <array>
#include <cmath>

#include "solver/private_metric.hpp"
#include "solver/private_sum.hpp"
#include "solver/weights.hpp"

namespace dpadapt {
namespace {

/** A sample's part in the objective. */
struct Part {
    privacy::Domains domain;
    double p;  ///< reference weight of its records
    double d;  ///< what its records cost besides their loss
};

/** A record's share of the derivatives by s and t. */
struct ScalarTerms {
    double square;  ///< q^2
    double excess;  ///< what lifting the cap t would save, per unit
};

/** The iterate: predictor in the metric, and the scalars that separate the weights. */
struct State {
    arma::vec v;
    WeightScalars scalars;
};

/** Half the gradient by w in the metric, sum q^2 and the sum of the excesses. */
struct Slopes {
    arma::vec v;
    double square = 0.0;
    double excess = 0.0;
};

class PrivateProfile {
  public:
    PrivateProfile(const PrivateRun &run, const PrivacySettings &settings, double discrepancy)
        : run_(run),
          hyper_(run.problem.hyperparameters()),
          metric_(choose_metric(run, settings, domain(), private_share())) {
        const auto m = static_cast<double>(run.problem.rows(privacy::kSource));
        const auto n = static_cast<double>(run.problem.rows(privacy::kTarget));
        parts_ = {Part{privacy::kSource, hyper_.alpha / m, discrepancy},
                  Part{privacy::kTarget, (1.0 - hyper_.alpha) / n, 0.0}};
        prices_ = {hyper_.kappa_1, hyper_.kappa_2, hyper_.kappa_inf};
        largest_s_ = std::hypot(parts_[0].p * std::sqrt(m), parts_[1].p * std::sqrt(n));
        largest_t_ = std::max(parts_[0].p, parts_[1].p);
        for (const Part &part : parts_) {
            if (!run.problem.is_private(part.domain) || part.p == 0.0) continue;
            private_.emplace_back(part, run.problem.private_rows(part.domain, metric_.map));
            unit_ = std::max(unit_, part.p);
            records_ += run.problem.rows(part.domain);
        }
    }

    PrivateFit operator()() {
        State state{metric_.project(metric_.start, hyper_.radius), {largest_s_, largest_t_}};
        State average{arma::vec(state.v.n_elem, arma::fill::zeros), {0.0, 0.0}};
        double averaged = 0.0;
        // Without private terms (alpha = 1, say) the steps cost nothing.
        constexpr std::uint64_t kPublicSteps = 200;
        const std::uint64_t steps = private_.empty() ? kPublicSteps : run_.plan.steps;
        for (std::uint64_t step = 1; step <= steps; ++step) {
            run_.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                                 static_cast<std::int64_t>(steps)});
            state = next(state, step);
            if (2 * step <= steps) continue;
            average.v += state.v;
            average.scalars.s += state.scalars.s;
            average.scalars.t += state.scalars.t;
            ++averaged;
        }
        PrivateFit fit;
        fit.w = metric_.map.t() * average.v / averaged;
        fit.alpha = hyper_.alpha;
        if (prices_.coupled()) {
            fit.s = average.scalars.s / averaged;
            fit.t = average.scalars.t / averaged;
        }
        return fit;
    }

  private:
    [[nodiscard]] privacy::Domains domain() const {
        return run_.problem.is_private(privacy::kTarget) ? privacy::kTarget : privacy::kSource;
    }

    [[nodiscard]] double private_share() const {
        return domain() == privacy::kTarget ? 1.0 - hyper_.alpha : hyper_.alpha;
    }

    State next(const State &state, std::uint64_t step) const {
        Slopes slopes = released(state, step);
        if (const PublicSample *sample = run_.problem.public_sample())
            add_public(*sample, state, slopes);
        State moved{metric_.project(state.v - slopes.v, hyper_.radius), state.scalars};
        if (!prices_.coupled()) return moved;
        constexpr double kLeast = 1.0 / 64.0;  // of the largest value
        const double s = std::sqrt(std::max(0.0, slopes.square));
        moved.scalars.s = std::clamp(s, kLeast * largest_s_, largest_s_);
        const double t = state.scalars.t;
        const double change = (slopes.excess - prices_.kappa_inf) / curvature(t);
        moved.scalars.t =
            std::clamp(t + std::clamp(change, -0.5 * t, t), kLeast * largest_t_, largest_t_);
        return moved;
    }

    /** Upper bound of the second derivative by t: as if every record that can reach t were held by
     *  it. */
    [[nodiscard]] double curvature(double t) const {
        double sum = 0.0;
        for (const Part &part : parts_)
            if (part.p >= t)
                sum += static_cast<double>(run_.problem.rows(part.domain)) * part.p * part.p;
        return 2.0 * prices_.kappa_1 * sum / (t * t * t) + prices_.kappa_inf / largest_t_ + 1e-300;
    }

    [[nodiscard]] ScalarTerms scalar_terms(const WeightScalars &scalars, double p, double c,
                                           double share) const {
        const double q = p * share;
        if (p < scalars.t) return {q * q, 0.0};
        const double held = prices_.kappa_1 * (p / scalars.t) * (p / scalars.t) - c -
                            prices_.kappa_2 * scalars.t / scalars.s;
        return {q * q, std::max(0.0, held)};
    }

    /** The private sums: their noise is drawn first. */
    [[nodiscard]] Slopes released(const State &state, std::uint64_t step) const {
        const std::size_t d = state.v.n_elem;
        if (private_.empty()) return {arma::vec(d, arma::fill::zeros)};
        const std::size_t dimension = d + (prices_.coupled() ? 2 : 0);
        const auto noise = gaussian_noise(run_, random::Purpose::gaussian_w, step, dimension);
        privacy::VectorSum sum(dimension, run_.plan.gradient);
        const WeightRule rule = prices_.rule(state.scalars);
        // Both scalar terms are divided by their largest value and take up to half the norm of a
        // term.
        constexpr double kHalf = 0.5;
        const double largest_excess =
            prices_.kappa_1 * (unit_ / state.scalars.t) * (unit_ / state.scalars.t);
        for (const auto &[part, rows] : private_) {
            add_terms(
                rows, run_.threads, dimension,
                [&, &part = part, &rows = rows](std::size_t i, std::vector<double> &out) {
                    const double r = rows.residual(i, state.v.memptr());
                    const double c = r * r + part.d;
                    const double share = rule.share(c, part.p);
                    const double weight = part.p / unit_;
                    clip_term(rows, i, weight * share * r / metric_.clip, weight, out.data());
                    if (!prices_.coupled()) return;
                    const ScalarTerms terms = scalar_terms(state.scalars, part.p, c, share);
                    out[d] = kHalf * terms.square / (unit_ * unit_);
                    out[d + 1] = largest_excess > 0.0 ? kHalf * terms.excess / largest_excess : 0.0;
                },
                sum);
        }
        const arma::vec values =
            release(run_, random::Purpose::gaussian_w, step, sum, noise, records_);
        Slopes slopes{unit_ * metric_.clip * values.head(d)};
        if (prices_.coupled()) {
            slopes.square = values(d) / kHalf * unit_ * unit_;
            slopes.excess = values(d + 1) / kHalf * largest_excess;
        }
        return slopes;
    }

    /** Public rows, exactly. */
    void add_public(const PublicSample &sample, const State &state, Slopes &slopes) const {
        const Part &part = run_.problem.is_private(privacy::kSource) ? parts_[1] : parts_[0];
        if (part.p == 0.0) return;
        const WeightRule rule = prices_.rule(state.scalars);
        std::vector<double> residual(sample.rows().rows());
        std::vector<double> a(residual.size());
        sample.rows().residuals(metric_.map.t() * state.v, residual.data());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double c = residual[i] * residual[i] + part.d;
            const double share = rule.share(c, part.p);
            a[i] = part.p * share * residual[i];
            if (!prices_.coupled()) continue;
            const ScalarTerms terms = scalar_terms(state.scalars, part.p, c, share);
            slopes.square += terms.square;
            slopes.excess += terms.excess;
        }
        slopes.v += metric_.map * sample.rows().gradient(a.data());
    }

    const PrivateRun &run_;
    Hyperparameters hyper_;
    Metric metric_;
    WeightPrices prices_;
    std::array<Part, 2> parts_{};
    std::vector<std::pair<Part, PrivateRows>> private_;
    double unit_ = 0.0;  ///< largest reference weight of a private record
    std::uint64_t records_ = 0;
    double largest_s_ = 0.0;
    double largest_t_ = 0.0;
};

}  // namespace

PrivateFit fit_private_profile(const PrivateRun &run, const PrivacySettings &settings,
                               double discrepancy) {
    return PrivateProfile(run, settings, discrepancy)();
}

}  // namespace dpadapt
