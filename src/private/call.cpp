#include "private/call.hpp"

#include <cmath>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "discrepancy/private_estimate.hpp"
#include "objective/penalty.hpp"
#include "paper/descent.hpp"
#include "private/anchor.hpp"
#include "private/fits.hpp"
#include "problem/defaults.hpp"
#include "records/reader.hpp"
#include "solution/findings.hpp"

namespace dpadapt {

namespace {

/** What a fit needs from the options where no sample is public. */
void check_numbers(const PrivateProblem &problem, const PrivacySettings &settings) {
    if (problem.public_sample() != nullptr) return;
    const bool profile = settings.method == Method::profile;
    const auto check = [](const char *name, bool given) {
        if (given) return;
        throw Error(DPA_E_OPTION, std::string("option ") + name +
                                      " must be a number when both samples are private: no public "
                                      "data can supply it");
    };
    check("kappa_1", !std::isnan(problem.hyperparameters().kappa_1));
    check("feature_radius", std::isfinite(problem.record_radius()));
    check("clip_bound", settings.clip_bound || !profile);
}

/** What the public rows show by themselves is seen before it is paid for. */
void check_losses(const PublicSample *sample) {
    if (sample == nullptr) return;
    std::vector<double> losses(sample->rows().rows());
    sample->loss_rows().losses(sample->fit(), losses.data());
    if (!std::isfinite(std::accumulate(losses.begin(), losses.end(), 0.0)))
        throw Error(DPA_E_NUMERICAL, "the losses of the public sample overflow; scale the data");
}

/** Predictions can be compared without labels, losses cannot. */
void check_labels(const Sample &source, const Sample &target, const Settings &settings,
                  Wanted wanted) {
    if (wanted == Wanted::discrepancy && settings.discrepancy_kind == DiscrepancyKind::unlabelled)
        return;
    const char *what =
        wanted == Wanted::discrepancy ? "discrepancy_kind = labelled" : "a private fit";
    if (source.unlabelled() || target.unlabelled()) refuse_unlabelled(what);
}

/** The paper's method clips to B and G, and its steps follow from beta. */
void check_bounds(const loss::Bounds &bounds) {
    if (!std::isfinite(bounds.value) || !std::isfinite(bounds.lipschitz) ||
        !std::isfinite(bounds.smoothness))
        throw Error(DPA_E_OPTION,
                    "method = paper needs finite bounds of the loss, its gradient and its Hessian: "
                    "feature_radius and label_bound must be given, and for loss = custom all "
                    "three bounds of the function");
    if (!(bounds.value > 0.0))
        throw Error(DPA_E_OPTION, "the bound of the loss is 0: there is nothing to fit");
}

void check_scale(std::initializer_list<double> sizes) {
    for (const double size : sizes)
        if (size != 0.0 && !is_moderate(size))
            throw Error(DPA_E_OPTION,
                        "the bounds of a private discrepancy must be between 1e-60 and "
                        "1e60: scale features and labels");
}

/** Rows that stand for more of them elsewhere do not span what these do. */
Part part_of(const Sample &source, const Sample &target, const Settings &settings, Wanted wanted) {
    if (wanted == Wanted::discrepancy) return Part::whole;
    const bool all = source.population() == nullptr && target.population() == nullptr;
    return private_part(settings, {source.units(), target.units(), all ? source.features() : 0});
}

/** In the coordinates of the source, but own columns in their unit. */
arma::mat map_of(const PrivateProblem &problem, const OwnColumns &columns) {
    arma::mat map(problem.dimension(), problem.dimension(), arma::fill::eye);
    for (const arma::uword j : columns.own()) map(j, j) = 1.0 / columns.unit();
    return map;
}

/** A bound of the records' norms: a quantile of those of public rows, which lack columns. */
double radius_of(const PrivateCall &call, const OwnColumns &columns) {
    const PreparedSample &rows = call.problem().public_sample()->rows();
    const auto d = static_cast<double>(call.problem().dimension());
    const double known = d - static_cast<double>(columns.own().n_elem);
    const arma::mat map(call.problem().dimension(), call.problem().dimension(), arma::fill::eye);
    return std::sqrt(d / known) *
           rows.quantile(rows.mapped_norms(map), call.settings().privacy.clip_quantile);
}

PrivateFit fit_by_method(const PrivateCall &call, double d, privacy::ReleaseTrace *trace) {
    const Settings &settings = call.settings();
    PrivateRun run{call.problem(), call.plan(), call.key(), settings.threads,
                   call.control(), trace,       {}};
    if (run.plan.weight_sum) run.labelled = release_weight_sum(run);
    if (settings.privacy.method == Method::paper)
        return settings.penalty == PenaltyKind::convex
                   ? paper::fit_convex(run, settings, d, call.facts().bounds)
                   : paper::fit_general(run, settings, d, call.facts().bounds);
    return adapts_alpha(settings) ? fit_with_shrinkage(run, settings)
                                  : fit_with_fixed_alpha(run, settings, d);
}

/** Weights of the public rows at the result: functions of public rows and released values. */
std::vector<double> public_weights(const PrivateCall &call, const PrivateFit &fit, double d) {
    const PublicSample &sample = *call.problem().public_sample();
    const std::size_t rows = sample.rows().rows();
    const bool source = !call.problem().is_private(privacy::kSource);
    const double p = (source ? fit.alpha : 1.0 - fit.alpha) / static_cast<double>(rows);
    std::vector<double> q = sample.rows().shares(source ? fit.alpha : 1.0 - fit.alpha);
    if (adapts_alpha(call.settings()) || keeps_reference(call.settings()) || p == 0.0) return q;
    const WeightRule rule = Penalty(call.problem().hyperparameters()).rule(fit.scalars);
    std::vector<double> losses(rows);
    sample.loss_rows().losses(fit.theta, losses.data());
    for (std::size_t i = 0; i < rows; ++i) q[i] = rule.weight(losses[i] + (source ? d : 0.0), q[i]);
    return q;
}

}  // namespace

PrivateCall::PrivateCall(const Sample &source, const Sample &target, const Settings &settings,
                         Wanted wanted, Control &control)
    : ProblemCall(source,
                  (check_persons(target, settings, wanted),
                   check_inference(target, settings, wanted), target),
                  settings, control, part_of(source, target, settings, wanted)),
      source_(source),
      target_(target) {
    check_labels(source, target, settings, wanted);
    if (settings.privacy.method == Method::paper && wanted != Wanted::discrepancy)
        problem().check_numbered("method = paper");
    const bool exact = has_exact_discrepancy(settings.loss.kind);
    if (exact) own_facts().center_norm = arma::norm(discrepancy_ball(problem(), settings).center);
    if (!exact && releases_discrepancy(settings, wanted)) {
        finite_.emplace(problem(), settings, control);
        own_facts().general_bound = finite_->bound;
    }
    if (wanted != Wanted::discrepancy) check_numbers(problem(), settings.privacy);
    if (wanted != Wanted::discrepancy) check_losses(problem().public_sample());
    if (settings.own_columns == OwnColumnsKind::regressed && wanted != Wanted::discrepancy)
        own_columns_.emplace(source, settings.own_spread);
    request_ = plan_request(settings, facts(), wanted);
    if (request_.discrepancy && finite_) check_scale({finite_->bound});
    if (request_.discrepancy && !finite_)
        check_scale({facts().record_radius, facts().label_bound, facts().radius,
                     facts().center_norm, request_.discrepancy_bound});
    if (settings.privacy.method == Method::paper && settings.penalty == PenaltyKind::linear &&
        wanted != Wanted::discrepancy)
        check_bounds(facts().bounds);
    if (settings.privacy.method == Method::paper && !(facts().bounds.lipschitz > 0.0))
        throw Error(DPA_E_OPTION,
                    "the bounds of features and labels are 0: there is nothing to fit");
    if (request_.discrepancy)
        request_.least_tolerance =
            finite_ ? finite_->least_tolerance()
                    : least_tolerance(problem(), settings, request_.discrepancy_bound);
    set_plan(privacy::make_plan(request_));
}

PrivateCall::PrivateCall(const PrivateCall &paid, const Sample &source)
    : ProblemCall(source, paid.target_, paid.settings(), paid.control(),
                  part_of(source, paid.target_, paid.settings(), Wanted::fit)),
      source_(source),
      target_(paid.target_),
      request_(paid.request_) {
    continue_call(paid);
}

double PrivateCall::further_numbers() const {
    constexpr double kMatrices = 4.0;  // the matrix, its eigenvectors and what finds them
    if (plan().steps == 0 || settings().privacy.method != Method::profile ||
        problem().public_sample() == nullptr || !uses_hessian(settings()))
        return 0.0;
    const auto d = static_cast<double>(problem().dimension());
    return kMatrices * d * d;
}

double PrivateCall::release_discrepancy(privacy::ReleaseTrace *trace) const {
    if (finite_)
        return release_general_discrepancy(problem(), *finite_, plan(), key(), control(), trace);
    return dpadapt::release_discrepancy(problem(), settings(), plan(), request_.discrepancy_bound,
                                        key(), control(), trace);
}

Sample fill_own_columns(const PrivateCall &call, privacy::ReleaseTrace *trace) {
    constexpr auto kPurpose = random::Purpose::own_columns;
    const PrivateProblem &problem = call.problem();
    const OwnColumns &columns = *call.own_columns();
    const privacy::OuterGrid &grid = *call.plan().own_columns;
    const double radius = radius_of(call, columns);
    const records::OuterTask task{records::ShrunkByRadius{radius, 1.0 / radius, {}}, grid};
    const PrivateRun run{problem,        call.plan(), call.key(), call.settings().threads,
                         call.control(), trace,       {}};
    const std::size_t d = problem.dimension();
    const auto noise = gaussian_noise(run, kPurpose, 0, d * (d + 1) / 2);
    const records::Reader rows(problem, privacy::kTarget, map_of(problem, columns),
                               unlabelled_records(task));
    const auto n = static_cast<double>(rows.rows());
    const double unit = radius * radius / n;
    const arma::mat moments = unit * release(run, kPurpose, 0, rows.sum(task), noise, rows.rows());
    const arma::mat known = problem.public_sample()->rows().moments().second;
    arma::uvec others = columns.others();
    others.insert_rows(others.n_elem, arma::uvec{d - 1});  // the constant
    OwnColumns::Moments target{known.submat(others, others), moments.submat(others, columns.own()),
                               arma::vec(moments.diag()).elem(columns.own()),
                               std::sqrt(0.5) * unit * grid.deviation()};
    return columns.fill(call.source(), target, call.settings().loss.start_seed);
}

Solution solve_private(const PrivateCall &call, std::optional<double> discrepancy,
                       privacy::ReleaseTrace *trace) {
    if (call.own_columns()) {
        const Sample filled = fill_own_columns(call, trace);
        return solve_private(*std::make_unique<PrivateCall>(call, filled), discrepancy, trace);
    }
    if (!discrepancy && call.plan().discrepancy) discrepancy = call.release_discrepancy(trace);
    const double d = discrepancy.value_or(0.0);
    PrivateFit fit = fit_by_method(call, d, trace);
    if (!fit.theta.is_finite())  // a function of released values, like the predictor itself
        throw Error(DPA_E_NUMERICAL, "the private steps overflow; scale the data down");

    const PrivateProblem &problem = call.problem();
    Solution solution = describe_predictor(problem.preprocess(), problem.predictor(),
                                           problem.parameters(fit.theta));
    if (const PublicSample *sample = problem.public_sample();
        sample != nullptr && !few_rows(*sample) && solution.intercept.size() == 1) {
        Solution known = describe_predictor(problem.preprocess(), sample->choice(), sample->fit());
        solution.row_range = {std::move(known.coefficients), known.intercept.front()};
    }
    solution.source_rows = call.facts().source_rows;
    solution.target_rows = call.facts().target_rows;
    solution.source_weights = std::move(fit.source_weights);
    solution.target_weights = std::move(fit.target_weights);
    if (problem.public_sample() != nullptr && call.settings().privacy.method == Method::profile)
        (problem.is_private(privacy::kSource) ? solution.target_weights : solution.source_weights) =
            public_weights(call, fit, d);
    solution.inference = fit.inference.value_or(Inference{NoInference::not_released});
    solution.iterations = static_cast<std::int64_t>(call.plan().steps);
    solution.termination = fit.converged ? Termination::steps : Termination::not_converged;
    Hyperparameters used = call.problem().hyperparameters();
    used.alpha = fit.alpha;
    solution.settings = used_settings(used, call.problem().clipping(), discrepancy);
    solution.settings.evidence = fit.evidence;
    solution.told = std::move(fit.findings);
    if (!fit.converged)
        solution.told.push_back(
            coded("not_converged",
                  "WARNING: the steps were still on their way when they ended (not converged, as "
                  "released): more iterations, or another metric, lead further."));
    solution.settings.counted_records = fit.counted_records;
    solution.settings.counted_deviation = fit.counted_deviation;
    const double center = problem.preprocess().label_center();
    const double reach = problem.public_sample() == nullptr
                             ? problem.clipping().label_bound
                             : defaults::kPredictionSpreads * fit.spread;
    solution.settings.prediction_lowest = center - reach;
    solution.settings.prediction_highest = center + reach;
    return solution;
}

}  // namespace dpadapt
