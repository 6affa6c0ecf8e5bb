#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "problem/public_network.hpp"

namespace dpadapt {

namespace {

/** Of log H at each knot less their mean over rows, which the intercept takes. H has independent
 *  increments (Nelson-Aalen), so its covariance at t < u is its variance at t.
 *  @param of_hazards  Variances of H.
 *  @param mass        What rows that end in each piece have of the mean. */
std::vector<double> variances(const std::vector<double> &hazards,
                              const std::vector<double> &of_hazards,
                              const std::vector<double> &mass) {
    const std::size_t pieces = mass.size();
    const auto covariance = [&](std::size_t j, std::size_t k) {
        return of_hazards[std::min(j, k)] / (hazards[j] * hazards[k]);
    };
    std::vector<double> with_mean(pieces);
    double of_mean = 0.0;
    for (std::size_t k = 0; k < pieces; ++k) {
        for (std::size_t j = 0; j < pieces; ++j) with_mean[k] += mass[j] * covariance(j, k);
        of_mean += mass[k] * with_mean[k];
    }
    std::vector<double> found(pieces);
    for (std::size_t k = 0; k < pieces; ++k)
        found[k] = std::max(0.0, covariance(k, k) - 2.0 * with_mean[k] + of_mean);
    return found;
}

/** What the sum over rows at risk is divided by is never less than a row of them.
 *  @param more  By how much the scores of the law are larger whose intercept takes the mean. Its
 *               times are those of the rows, each weighted by the ratio of the two likelihoods. */
loss::CumulativeHazard breslow(const PreparedSample &rows, const std::vector<double> &score,
                               const std::vector<double> &more) {
    const std::vector<double> &label = rows.labels();
    const std::vector<double> share = rows.shares();
    std::vector<std::size_t> order(label.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return std::abs(label[i]) < std::abs(label[j]);
    });
    double at_risk = 0.0;
    double events = 0.0;
    for (const std::size_t i : order) {
        at_risk += share[i] * std::exp(score[i]);
        if (label[i] > 0.0) events += share[i];
    }
    if (!(events > 0.0))
        throw Error(DPA_E_LABEL,
                    "no public row has an event: a time is above 0, and minus that without one");
    loss::CumulativeHazard found;
    double hazard = 0.0;
    double variance = 0.0;
    double seen = 0.0;
    std::vector<double> of_hazards;
    for (std::size_t first = 0; first < order.size();) {
        const double time = std::abs(label[order[first]]);
        double here = 0.0;
        double leaving = 0.0;
        for (; first < order.size() && std::abs(label[order[first]]) == time; ++first) {
            const std::size_t i = order[first];
            leaving += share[i] * std::exp(score[i]);
            if (label[i] > 0.0) here += share[i];
        }
        if (here > 0.0) {
            const double risk = std::max(at_risk, leaving);
            hazard += here / risk;
            variance += here / (risk * risk) / rows.effective_rows();
            seen += here;
            const double pieces = static_cast<double>(found.times.size() + 1);
            const bool last = !(seen < events * (1.0 - 1e-12));
            if (last || seen >= events * pieces / static_cast<double>(loss::kMostPieces)) {
                found.times.push_back(time);
                found.hazards.push_back(hazard);
                of_hazards.push_back(variance);
            }
            if (last) break;
        }
        at_risk -= leaving;
    }
    if (!found.is_possible())
        throw Error(DPA_E_NUMERICAL, "the baseline's hazard of the public rows is not finite");
    std::vector<double> mass(found.times.size());
    for (std::size_t i = 0; i < label.size(); ++i) {
        const double time = std::min(std::abs(label[i]), found.times.back());
        const auto piece = std::lower_bound(found.times.begin(), found.times.end(), time);
        const double expected = std::exp(score[i]) * found.at(time);
        const double larger = std::clamp(more[i], -50.0, 50.0);
        const double power = label[i] > 0.0 ? 2.0 : 1.0;
        const double ratio = std::exp(power * larger - expected * std::expm1(larger));
        mass[static_cast<std::size_t>(piece - found.times.begin())] += share[i] * ratio * expected;
    }
    const double whole = std::accumulate(mass.begin(), mass.end(), 0.0);
    if (whole > 0.0)
        for (double &part : mass) part /= whole;
    else
        mass.front() = 1.0;  // nobody of that law sees more
    found.variances = variances(found.hazards, of_hazards, mass);
    return found;
}

}  // namespace

loss::CumulativeHazard baseline_hazard(const PreparedSample &rows, loss::Choice choice,
                                       Control &control) {
    constexpr int kRounds = 4;  // docs/defaults.md
    const PreparedSample unlabelled = rows.without_labels();
    const std::vector<double> same(rows.rows());
    std::vector<double> score(rows.rows());
    arma::vec fit(rows.dimension(), arma::fill::zeros);
    for (int round = 0; round < kRounds; ++round) {
        choice.baseline = breslow(rows, score, same);
        const auto loss = loss::make_loss(choice, loss::Reading::public_records);
        const bool newton = uses_newton({}, choice, *loss, rows.dimension());
        fit = fit_loss(LossRows(rows, *loss, newton), fit, newton, control);
        unlabelled.residuals(fit, score.data());
        const double mean = rows.mean(score);
        for (double &s : score) s -= mean;
    }
    return breslow(rows, score, same);
}

std::vector<double> hazard_variances(const PreparedSample &rows, const arma::vec &fit,
                                     const arma::vec &own) {
    const PreparedSample unlabelled = rows.without_labels();
    std::vector<double> score(rows.rows());
    std::vector<double> more(rows.rows());
    unlabelled.residuals(fit, score.data());
    unlabelled.residuals(own - fit, more.data());
    return breslow(rows, score, more).variances;
}

}  // namespace dpadapt
