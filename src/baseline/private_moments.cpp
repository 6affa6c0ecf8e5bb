#include "baseline/private_moments.hpp"

#include <cmath>

#include "base/error.hpp"
#include "linalg/trust_region.hpp"
#include "problem/quantile.hpp"
#include "solver/private_sum.hpp"

namespace dpadapt::baseline {
namespace {

/** Before anything is prepared. */
const Settings &checked(const Settings &settings) {
    if (settings.privacy.domains != privacy::kTarget)
        throw Error(DPA_E_OPTION,
                    "private baselines protect the target and need a public source: "
                    "private_domain must be target");
    if (settings.privacy.calibration != privacy::Calibration::exact)
        throw Error(DPA_E_OPTION, "calibration = paper has no formula for baselines");
    return settings;
}

/** Beyond these sizes squares of the bounds could overflow or vanish. */
void check_scale(double size, const char *what) {
    constexpr double kLeast = 1e-60;
    constexpr double kMost = 1e60;
    if (!(size >= kLeast && size <= kMost))
        throw Error(DPA_E_OPTION, std::string("private second moments need a bound of the ") +
                                      what + " between 1e-60 and 1e60");
}

}  // namespace

PrivateMoments::PrivateMoments(const Sample &source, const Sample &target, const Settings &settings,
                               WantedMoments wanted, Control &control)
    : settings_(checked(settings)),
      control_(control),
      wanted_(wanted),
      problem_(source, target, settings, control),
      radius_(problem_.record_radius()) {
    facts_.source_rows = source.rows();
    facts_.target_rows = target.rows();
    facts_.dimension = problem_.dimension();
    facts_.alpha = problem_.hyperparameters().alpha;
    facts_.radius = problem_.hyperparameters().radius;
    facts_.record_radius = problem_.record_radius();
    facts_.label_bound = problem_.clipping().label_bound;
    if (wanted_.whitened) whiten();
    scale_records();
    plan_ = privacy::make_plan(request());
}

void PrivateMoments::whiten() {
    constexpr double kRidge = 0.1;
    const PreparedSample &rows = problem_.public_sample()->rows();
    arma::mat c = rows.moments().second;
    const double mean = arma::trace(c) / static_cast<double>(c.n_rows);
    check_scale(std::sqrt(mean), "features");
    c.diag() += settings_.privacy.metric_ridge.value_or(kRidge) * mean;
    const linalg::Spectrum spectrum = linalg::decompose(std::move(c));
    const arma::vec root = arma::sqrt(spectrum.values);
    map_ = spectrum.vectors * arma::diagmat(1.0 / root) * spectrum.vectors.t();
    inverse_ = spectrum.vectors * arma::diagmat(root) * spectrum.vectors.t();
    radius_ = quantile(rows.mapped_norms(map_), settings_.privacy.clip_quantile);
}

void PrivateMoments::scale_records() {
    check_scale(radius_, "features");
    feature_scale_ = 1.0 / radius_;
    if (!wanted_.labels) return;
    check_scale(facts_.label_bound, "labels");
    feature_scale_ *= std::sqrt(2.0 / 3.0);
    label_scale_ = std::sqrt(1.0 / 3.0) / facts_.label_bound;
}

privacy::PlanRequest PrivateMoments::request() const {
    privacy::PlanRequest request;
    request.source_rows = facts_.source_rows;
    request.target_rows = facts_.target_rows;
    request.dimension = facts_.dimension + (wanted_.labels ? 1 : 0);
    request.epsilon = settings_.privacy.epsilon;
    request.delta = settings_.privacy.delta;
    request.discrepancy_share = settings_.privacy.discrepancy_share.value_or(0.0);
    request.noise_multiplier = settings_.privacy.noise_multiplier;
    request.laplace_epsilon = settings_.privacy.laplace_epsilon;
    request.target_weight = 1.0 / static_cast<double>(facts_.target_rows);
    request.moments_only = true;
    return request;
}

void PrivateMoments::charge(privacy::Ledger &ledger) {
    payment_.charge(plan_, settings_.privacy, ledger);
}

arma::mat PrivateMoments::release_mean(privacy::ReleaseTrace *trace) const {
    const PrivateRun run{problem_, plan_, payment_.key(), settings_.threads, control_, trace};
    const std::size_t d = facts_.dimension;
    const std::size_t size = d + (wanted_.labels ? 1 : 0);
    const auto noise =
        gaussian_noise(run, random::Purpose::gaussian_moments, 0, size * (size + 1) / 2);
    const PrivateRows rows = problem_.private_rows(privacy::kTarget, map_);
    privacy::OuterSum sum(size, *plan_.moments);
    add_terms(
        rows, run.threads, size,
        [&](std::size_t i, std::vector<double> &out) {
            const double norm = rows.norm(i);
            const double factor =
                norm > radius_ ? feature_scale_ * (radius_ / norm) : feature_scale_;
            for (std::size_t k = 0; k < d; ++k) out[k] = factor * rows.row(i)[k];
            if (wanted_.labels) out[d] = label_scale_ * rows.label(i);
        },
        sum);
    std::vector<double> released = sum.release(noise, facts_.target_rows);
    if (trace != nullptr)
        released = trace->on_release(random::Purpose::gaussian_moments, 0, sum.packed(),
                                     std::move(released));
    arma::mat mean(size, size);
    auto entry = released.begin();
    for (arma::uword j = 0; j < size; ++j)
        for (arma::uword i = 0; i <= j; ++i) mean(i, j) = *entry++;
    return arma::symmatu(mean) / static_cast<double>(facts_.target_rows);
}

Moments PrivateMoments::release(privacy::ReleaseTrace *trace) const {
    const arma::mat mean = release_mean(trace);
    const arma::uword d = facts_.dimension;
    Moments moments;
    moments.second = mean.submat(0, 0, d - 1, d - 1) / (feature_scale_ * feature_scale_);
    if (wanted_.whitened)
        moments.second = arma::symmatu(inverse_ * moments.second * inverse_);
    else if (d > problem_.preprocess().features())
        moments.second(d - 1, d - 1) = 1.0;  // of the constant: public
    if (!wanted_.labels) return moments;
    moments.cross = mean.submat(0, d, d - 1, d) / (feature_scale_ * label_scale_);
    if (wanted_.whitened) moments.cross = inverse_ * moments.cross;
    moments.label = mean(d, d) / (label_scale_ * label_scale_);
    return moments;
}

}  // namespace dpadapt::baseline
