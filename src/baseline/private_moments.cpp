#include "baseline/private_moments.hpp"

#include <cmath>

#include "base/error.hpp"
#include "linalg/trust_region.hpp"
#include "problem/defaults.hpp"
#include "problem/plan_request.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"
#include "solution/findings.hpp"

namespace dpadapt::baseline {

namespace {

void check_scale(double size, const char *what) {
    if (!is_moderate(size))
        throw Error(DPA_E_OPTION, std::string("private second moments need a bound of the ") +
                                      what + " between 1e-60 and 1e60");
}

/** The nearest matrix without negative eigenvalues. */
arma::mat without_negative_part(arma::mat symmetric) {
    const linalg::Spectrum spectrum = linalg::decompose(std::move(symmetric));
    const arma::vec values = arma::clamp(spectrum.values, 0.0, arma::datum::inf);
    return arma::symmatu(spectrum.with(values));
}

}  // namespace

PrivateMoments::PrivateMoments(const Sample &source, const Sample &target, const Settings &settings,
                               WantedMoments wanted, FromMoments finish, Control &control)
    : PrivateBaseline(source, target, settings, control),
      wanted_(wanted),
      finish_(std::move(finish)),
      radius_(facts().record_radius) {
    if (wanted_.labels && target.unlabelled())
        refuse_unlabelled("a baseline of second moments with labels");
    if (sums_weights(settings) && target.unlabelled())
        refuse_unlabelled("the sum of the weights of private rows");
    if (wanted_.whitened) whiten();
    scale_records();
    privacy::PlanRequest request = this->request();
    request.moments_dimension = facts().dimension + (wanted_.labels ? 1 : 0);
    request.target_weight = 1.0 / problem().labelled_rows(privacy::kTarget);
    request.moments_only = true;
    request.sums_weights = sums_weights(settings);
    set_plan(privacy::make_plan(request));
}

void PrivateMoments::whiten() {
    const PreparedSample &rows = problem().public_sample()->rows();
    arma::mat c = rows.moments().second;
    const double mean = arma::trace(c) / static_cast<double>(c.n_rows);
    check_scale(std::sqrt(mean), "features");
    c.diag() += settings().privacy.metric_ridge.value_or(defaults::kMetricRidge) * mean;
    const linalg::Spectrum spectrum = linalg::decompose(std::move(c));
    const arma::vec root = arma::sqrt(spectrum.values);
    map_ = spectrum.with(1.0 / root);
    inverse_ = spectrum.with(root);
    radius_ = rows.quantile(rows.mapped_norms(map_), settings().privacy.clip_quantile);
}

void PrivateMoments::scale_records() {
    check_scale(radius_, "features");
    feature_scale_ = 1.0 / radius_;
    if (!wanted_.labels) return;
    check_scale(facts().label_bound, "labels");
    feature_scale_ *= std::sqrt(2.0 / 3.0);
    label_scale_ = std::sqrt(1.0 / 3.0) / facts().label_bound;
}

Solution PrivateMoments::solve(privacy::ReleaseTrace *trace) const {
    return finish_(*this, release(trace));
}

void PrivateMoments::describe(Document &document) const {
    document.set("units", "mean second moments, of records in units of public bounds")
        .set(
            "released",
            "coefficients, intercept, weights of public records, and of private_dm the certificate "
            "of the weights: functions of public data and the noisy second moments");
}

arma::mat PrivateMoments::release_sum(const PrivateRun &run) const {
    records::OuterTask task{records::ShrunkByRadius{radius_, feature_scale_, {}}, *plan().moments};
    if (wanted_.labels) std::get<records::ShrunkByRadius>(task.shrink).label_scale = label_scale_;
    const std::size_t size = task.size(facts().dimension);
    const auto noise =
        gaussian_noise(run, random::Purpose::gaussian_moments, 0, size * (size + 1) / 2);
    const records::Reader rows(problem(), privacy::kTarget, map_, unlabelled_records(task));
    const sums::OuterSum sum = rows.sum(task);
    return dpadapt::release(run, random::Purpose::gaussian_moments, 0, sum, noise,
                            facts().target_rows);
}

NoisyMoments PrivateMoments::release(privacy::ReleaseTrace *trace) const {
    PrivateRun run{problem(), plan(), key(), settings().threads, control(), trace, {}};
    if (plan().weight_sum) run.labelled = release_weight_sum(run);
    const double rows = run.labelled_rows(privacy::kTarget);
    const arma::mat mean = release_sum(run) / rows;
    const arma::uword d = facts().dimension;
    NoisyMoments moments;
    moments.deviation =
        std::sqrt(0.5) * plan().moments->deviation() / rows / (feature_scale_ * feature_scale_);
    moments.second = mean.submat(0, 0, d - 1, d - 1) / (feature_scale_ * feature_scale_);
    if (!wanted_.whitened && d > problem().preprocess().features())
        moments.second(d - 1, d - 1) = 1.0;  // of the constant: public
    if (wanted_.definite) moments.second = without_negative_part(std::move(moments.second));
    if (wanted_.whitened) moments.second = arma::symmatu(inverse_ * moments.second * inverse_);
    if (!wanted_.labels) return moments;
    moments.cross = mean.submat(0, d, d - 1, d) / (feature_scale_ * label_scale_);
    if (wanted_.whitened) moments.cross = inverse_ * moments.cross;
    moments.label = mean(d, d) / (label_scale_ * label_scale_);
    return moments;
}

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

}  // namespace

PrivateBaseline::PrivateBaseline(const Sample &source, const Sample &target,
                                 const Settings &settings, Control &control)
    : ProblemCall(source, (check_persons(target, settings, Wanted::baseline), target),
                  checked(settings), control) {}

Solution PrivateBaseline::solution(const arma::vec &theta, double alpha, std::size_t steps) const {
    Hyperparameters used = problem().hyperparameters();
    used.alpha = alpha;
    Solution solution = describe_predictor(problem().preprocess(), problem().choice(), theta);
    solution.source_rows = facts().source_rows;
    solution.target_rows = facts().target_rows;
    solution.source_weights = problem().public_sample()->rows().shares(alpha);
    solution.iterations = static_cast<std::int64_t>(steps);
    solution.termination = Termination::steps;
    solution.settings = used_settings(used, problem().clipping());
    return solution;
}

}  // namespace dpadapt::baseline
