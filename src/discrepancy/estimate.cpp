#include "discrepancy/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "discrepancy/general_estimate.hpp"

namespace dpadapt {

namespace {

/** max over ||x|| <= radius of x'Ax + 2 b.x + c, or of its absolute value: minus the minima of two
 *  quadratics that share A. */
Discrepancy maximize(const LossDifference &difference, double radius, const arma::vec &center,
                     const PreparedProblem &problem, const Settings &settings, Control &control) {
    const auto minimize = [&](const linalg::Spectrum &h, const arma::vec &g) {
        return settings.discrepancy_method == DiscrepancyMethod::dca
                   ? minimize_by_dca(h, g, radius, control)
                   : linalg::minimize_in_ball(h, g, radius);
    };
    const auto [spectrum, least, most] = find_extremes(difference, minimize);

    const double c = difference.constant;
    const bool one_sided = settings.discrepancy_side == DiscrepancySide::target_above;
    const bool target_larger = one_sided || c - most.value >= -(c + least.value);
    const arma::vec &x = target_larger ? most.x : least.x;
    const double rounding =
        linalg::trust_region_rounding(spectrum, 2.0 * difference.slope, radius) +
        4.0 * std::numeric_limits<double>::epsilon() * std::abs(c);
    const double value = counted(settings.discrepancy_side, difference.at(x));
    double bound = std::max(value, c - most.lower);
    if (!one_sided) bound = std::max(bound, -(c + least.lower));
    Discrepancy result = rounded(value, bound, rounding);
    result.maximizer = problem.preprocess().to_user(center + x);
    return result;
}

/** 4 radius^2 ||A||_2, attained by w - w' = 2 radius times an eigenvector; one-sided, the largest
 *  eigenvalue takes the place of the norm. */
Discrepancy maximize_unlabelled(const LossDifference &difference, double radius,
                                const PreparedProblem &problem, DiscrepancySide side) {
    const linalg::Spectrum spectrum = linalg::decompose(difference.second);
    const arma::uword last = spectrum.values.n_elem - 1;
    const bool both = side == DiscrepancySide::both;
    const arma::uword extreme = both && -spectrum.values(0) > spectrum.values(last) ? 0 : last;
    const arma::vec x = radius * spectrum.vectors.col(extreme);
    const double value = 4.0 * radius * radius * counted(side, spectrum.values(extreme));
    const double rounding =
        4.0 * linalg::trust_region_rounding(spectrum, arma::zeros(x.n_elem), radius);
    Discrepancy result = rounded(value, value, rounding);
    result.maximizer = problem.preprocess().to_user(x);
    // A difference of predictors: the centre of the labels is in neither or in both.
    result.maximizer.intercept -= problem.preprocess().label_center();
    return result;
}

}  // namespace

Discrepancy rounded(double value, double bound, double rounding) {
    return {value, std::max(0.0, value - rounding), std::max(value, bound) + rounding, {}};
}

Extremes find_extremes(const LossDifference &difference, const MinimizeInBall &minimize) {
    linalg::Spectrum down = linalg::decompose(2.0 * difference.second);
    const linalg::Spectrum up{-down.matrix, -arma::reverse(down.values),
                              arma::fliplr(down.vectors)};
    const arma::vec slope = 2.0 * difference.slope;
    auto least = minimize(down, slope);
    auto most = minimize(up, -slope);
    return {std::move(down), std::move(least), std::move(most)};
}

arma::vec center_of_ball(const Preprocess &preprocess, const arma::vec &fit,
                         const Settings &settings) {
    const arma::uword d = preprocess.dimension();
    if (settings.center_kind == CenterKind::zero) return arma::vec(d, arma::fill::zeros);
    if (settings.center_kind == CenterKind::source) {
        if (fit.is_empty())
            throw Error(DPA_E_OPTION, "discrepancy_center = source needs a public sample");
        return fit;
    }
    const arma::uword features = preprocess.features();
    const arma::uword numbers = features + (preprocess.has_intercept() ? 1 : 0);
    if (settings.center.size() != numbers)
        throw Error(DPA_E_OPTION,
                    "discrepancy_center must hold " + std::to_string(numbers) +
                        " numbers (features, then the intercept if there is one), but holds " +
                        std::to_string(settings.center.size()));
    const arma::vec given(settings.center);
    return preprocess.from_user({given.head(features), numbers > features ? given(features) : 0.0});
}

Discrepancy estimate_discrepancy(const PreparedProblem &problem, const Settings &settings,
                                 Control &control) {
    control.report({"discrepancy"});
    if (!has_exact_discrepancy(settings.loss.kind))
        return estimate_general_discrepancy(problem, settings, control);
    const arma::vec center = center_of_ball(problem.preprocess(), problem.source_fit(), settings);
    const double radius = settings.discrepancy_radius.value_or(problem.hyperparameters().radius);
    const bool unlabelled = settings.discrepancy_kind == DiscrepancyKind::unlabelled;
    const PreparedSample &target = unlabelled ? problem.target_features() : problem.target();
    const LossDifference difference =
        loss_difference(target.moments(), problem.source_moments(), center);
    if (!difference.second.is_finite() || !std::isfinite(difference.constant))
        throw Error(DPA_E_NUMERICAL, "the moments of the samples overflow");
    if (!unlabelled) return maximize(difference, radius, center, problem, settings, control);
    Discrepancy result =
        maximize_unlabelled(difference, radius, problem, settings.discrepancy_side);
    if (const std::optional<double> most = settings.labelling_disagreement)
        result.labelled = bound_labelled(problem.source_moments(),
                                         {problem.source_fit(), *most, target.moments().second},
                                         center, radius, settings.discrepancy_side, control);
    return result;
}

LossDifference loss_difference(const Moments &target, const Moments &source,
                               const arma::vec &center) {
    LossDifference difference{target.second - source.second, {}, target.label - source.label};
    const arma::vec cross = target.cross - source.cross;
    difference.slope = difference.second * center - cross;
    difference.constant += arma::dot(center, difference.slope) - arma::dot(center, cross);
    return difference;
}

namespace {

constexpr int kMostSteps = 100000;
constexpr int kMostRestarts = 200;

arma::vec run_dca(const linalg::Spectrum &h, const arma::vec &g, double radius, arma::vec x,
                  Control &control) {
    const double rho = std::max(h.values.back(), 1e-3 * arma::abs(h.values).max());
    if (rho <=
        0.0) {  // H = 0: a linear function, minimal where the projection of -g * infinity lies
        const double norm = arma::norm(g);
        return norm > 0.0 ? arma::vec(g * (-radius / norm)) : x;
    }
    for (int step = 0; step < kMostSteps; ++step) {
        if (step % 1024 == 0) control.report({"discrepancy", step, kMostSteps});
        const arma::vec next = linalg::projected(x - (h.matrix * x + g) / rho, radius);
        const double moved = arma::norm(next - x);
        x = next;
        if (moved <= 4.0 * std::numeric_limits<double>::epsilon() * radius) break;
    }
    return x;
}

/** Multiplier of the ball at a KKT point: 0 inside. */
double multiplier_at(const linalg::Spectrum &h, const arma::vec &g, const arma::vec &x,
                     double radius) {
    if (arma::norm(x) < radius * (1.0 - 1e-10)) return 0.0;
    return std::max(0.0, -arma::dot(x, h.matrix * x + g) / arma::dot(x, x));
}

/** A feasible point of lower value, along the eigenvector u of least curvature. */
arma::vec escape(const arma::vec &x, const arma::vec &u, double radius) {
    const double along = arma::dot(u, x);
    const double norm = arma::norm(x);
    if (std::abs(along) > 1e-6 * radius) return x - (2.0 * along) * u;
    // u is orthogonal to x: leave along u itself, to the sphere from inside, along it from there.
    if (norm < radius * (1.0 - 1e-6)) return x + std::sqrt(radius * radius - norm * norm) * u;
    return linalg::projected((x + (0.1 * radius) * u) * (radius / std::hypot(norm, 0.1 * radius)),
                             radius);
}

}  // namespace

linalg::TrustRegionMinimum minimize_by_dca(const linalg::Spectrum &h, const arma::vec &g,
                                           double radius, Control &control) {
    linalg::TrustRegionMinimum minimum;
    minimum.x.zeros(g.n_elem);
    if (radius == 0.0) return minimum;
    const double scale = arma::abs(h.values).max();
    for (int restart = 0; restart < kMostRestarts; ++restart) {
        const arma::vec x = run_dca(h, g, radius, minimum.x, control);
        const double value = 0.5 * arma::dot(x, h.matrix * x) + arma::dot(g, x);
        if (restart == 0 || value <= minimum.value) {
            minimum.x = x;
            minimum.value = value;
        }
        minimum.multiplier = multiplier_at(h, g, minimum.x, radius);
        if (h.values(0) + minimum.multiplier >= -1e-9 * scale || value > minimum.value) break;
        minimum.x = escape(minimum.x, h.vectors.col(0), radius);
    }
    // Any multiplier that makes H + lambda I positive definite gives a lower bound.
    const double lambda = std::max(minimum.multiplier, -h.values(0) + 1e-14 * scale);
    const arma::vec gamma = h.vectors.t() * g;
    minimum.lower = -0.5 * lambda * radius * radius;
    for (arma::uword i = 0; i < gamma.n_elem; ++i)
        if (gamma(i) != 0.0) minimum.lower -= 0.5 * gamma(i) * gamma(i) / (h.values(i) + lambda);
    minimum.lower =
        std::min(minimum.value, minimum.lower - linalg::trust_region_rounding(h, g, radius));
    return minimum;
}

}  // namespace dpadapt
