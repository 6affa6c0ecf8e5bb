#include "objective/weigh.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "linalg/blas.hpp"
#include "objective/penalty.hpp"
#include "problem/loss_rows.hpp"
#include "solution/predict.hpp"

namespace dpadapt {

namespace {

Preprocess preprocess_of(const Solution &solution) {
    const Coordinates &map = solution.coordinates;
    arma::mat whitening;
    if (!map.whitening.empty())
        whitening = arma::mat(map.whitening.data(), solution.features(), solution.features());
    return {arma::vec(map.center), arma::vec(map.scale), std::move(whitening), map.constant,
            map.label_center};
}

/** In preprocessed coordinates. */
arma::vec theta_of(const Solution &solution, const Preprocess &preprocess) {
    if (!loss::is_linear(solution.loss)) return arma::vec(solution.parameters);
    const std::size_t d = solution.features();
    arma::vec theta;
    for (std::size_t k = 0; k < solution.outputs(); ++k)
        theta = arma::join_cols(
            theta, preprocess.from_user({arma::vec(solution.coefficients.data() + k * d, d),
                                         solution.intercept[k]}));
    return theta;
}

/** As the fit saw the rows: in its coordinates, and clipped. */
std::vector<double> losses_of(const Solution &solution, const Sample &rows) {
    const linalg::OneBlasThread one_thread;
    const Preprocess preprocess = preprocess_of(solution);
    PreparedSample sample(rows, preprocess, 1);
    sample.clip({solution.settings.feature_radius, solution.settings.label_bound});
    const auto loss = loss::make_loss(solution.loss, loss::Reading::public_records);
    const LossRows seen(sample, *loss, LossRows::has_passes_by_score(*loss));
    std::vector<double> losses(rows.rows());
    seen.losses(theta_of(solution, preprocess), losses.data());
    return losses;
}

void check_labels(const Solution &solution, const Sample &rows) {
    const auto loss = loss::make_loss(solution.loss, loss::Reading::public_records);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const double label = rows.y()[i];
        if (!std::isnan(label) && !loss->accepts(label - solution.coordinates.label_center))
            throw Error(DPA_E_LABEL, "row " + std::to_string(i) +
                                         ": the loss does not accept the label " + to_text(label) +
                                         loss->advice_on_labels());
    }
}

}  // namespace

std::vector<double> weigh(const Solution &solution, privacy::Domains domain, const Sample &rows,
                          std::span<const double> weights) {
    if (solution.privacy.protection != Protection::none)
        throw Error(DPA_E_NOT_RELEASABLE,
                    "a private fit does not release what the weights of rows follow from");
    const Weighing &weighing = solution.weighing;
    const double p = domain == privacy::kSource ? weighing.source : weighing.target;
    if (std::isnan(p))
        throw Error(DPA_E_UNSUPPORTED,
                    "this solution has no rule for the weights of rows: it is of a baseline, its "
                    "source's own columns were filled in, or an earlier version saved it");
    check_scores(solution);
    check_labels(solution, rows);
    std::vector<double> q(rows.rows(), 0.0);
    const LabelledRows labelled(rows);
    if (!labelled.any()) return q;
    std::vector<double> losses = losses_of(solution, labelled.rows());
    labelled.spread(losses);
    const UsedSettings &used = solution.settings;
    const bool costs = domain == privacy::kSource && !std::isnan(used.discrepancy);
    const WeightRule rule = Penalty(used).rule({weighing.s, weighing.t});
    for (std::size_t i = 0; i < q.size(); ++i) {
        if (std::isnan(rows.y()[i])) continue;
        const double cost = losses[i] + (costs ? used.discrepancy : 0.0);
        const double reference = p * (weights.empty() ? 1.0 : weights[i]);
        q[i] = std::isnan(cost) ? cost : rule.weight(cost, reference);
    }
    return q;
}

double soft_share(double mu, double q, double p) {
    return std::exp(mu * (q - p)) * (std::expm1(-mu * q) / std::expm1(-mu * p));
}

CouplingTerms::Sums CouplingTerms::of_record(double q, double cost, double p,
                                             const WeightScalars &scalars) const {
    if (const auto *linear = std::get_if<LinearPrices>(&prices))
        return {q * q, soft_share(linear->mu, q, largest_p)};
    const auto &convex = std::get<ConvexPrices>(prices);
    if (p < scalars.t) return {q * q, 0.0};
    const double held = convex.kappa_1 * (p / scalars.t) * (p / scalars.t) - cost -
                        convex.kappa_2 * scalars.t / scalars.s;
    return {q * q, std::max(0.0, held)};
}

CouplingTerms::Sums CouplingTerms::largest(double p, const WeightScalars &scalars) const {
    if (const auto *linear = std::get_if<LinearPrices>(&prices))
        return {p * p, soft_share(linear->mu, p, largest_p)};
    const auto &convex = std::get<ConvexPrices>(prices);
    return {p * p, convex.kappa_1 * (p / scalars.t) * (p / scalars.t)};
}

}  // namespace dpadapt
