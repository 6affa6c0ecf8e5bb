#include "private/anchor.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "problem/defaults.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt {

namespace {

constexpr double kCountedInSteps = 0.3;  // docs/defaults.md

/** Where rows are few for the features, the ridge that they choose. With many its gain is small
 *  beside what the other domain may make of it. A network is too sure of the classes of its own
 *  rows, even of those left out of its last layer: their slopes would clip all others. */
arma::vec plain_fit(const PrivateRun &run, std::uint64_t seed) {
    const PublicSample &sample = *run.problem.public_sample();
    // mutant: sure_network
    if (!run.problem.hidden().empty() && loss::predicts_classes(sample.choice()))
        return sample.ridge_fit(defaults::kLastLayerRidge, run.control);
    constexpr double kClearly = 0.05;  // docs/defaults.md
    if (!few_rows(sample)) return sample.fit();
    return LeftOutRows(sample, seed).own_fit(kClearly).theta;
}

std::vector<arma::vec> candidates(const PublicSample &sample, arma::vec plain, Control &control) {
    std::vector<arma::vec> all{std::move(plain)};
    for (const double ridge : defaults::kAnchorRidges)
        all.push_back(sample.ridge_fit(ridge, control));
    if (loss::predicts_classes(sample.choice()))
        all.emplace_back(sample.fit().n_elem, arma::fill::zeros);
    return all;
}

double loss_of_zero(const PublicSample &sample) {
    std::vector<double> losses(sample.rows().rows());
    sample.loss_rows().losses(arma::vec(sample.fit().n_elem, arma::fill::zeros), losses.data());
    return sample.rows().mean(losses);
}

/** Large enough to show which predictors of classes are worse than zero. */
double loss_bound(const PublicSample &sample) {
    constexpr double kQuantile = 0.95;
    constexpr double kOverZero = 1.5;  // docs/defaults.md
    const double least =
        loss::predicts_classes(sample.choice()) ? kOverZero * loss_of_zero(sample) : 0.0;
    std::vector<double> losses(sample.rows().rows());
    sample.loss_rows().losses(sample.fit(), losses.data());
    const double bound = std::max(least, sample.rows().quantile(std::move(losses), kQuantile));
    return bound > 0.0 && std::isfinite(bound) ? bound : 1.0;
}

/** Slopes of other losses have a bound, and losses of an exact fit no scale. */
bool may_have_long_losses(const PrivateRun &run, const Settings &settings, double bound) {
    constexpr double kExact = 1e-10;
    const PublicSample &sample = *run.problem.public_sample();
    const loss::Kind kind = sample.choice().kind;
    return (kind == loss::Kind::squared || loss::has_log_link(kind)) && !few_rows(sample) &&
           !settings.privacy.clip_bound && !run.plan.inference &&
           bound > kExact * loss_of_zero(sample);
}

/** Whether the public fit is worse on private records than zero or, of numbers, has such losses on
 *  most of them as on few public records. */
bool fails(const PublicSample &sample, const Comparison &comparison, const arma::vec &fit,
           double bound) {
    constexpr double kDeviations = 2.0;  // docs/defaults.md
    constexpr double kMost = 0.6;        // of the bound; docs/defaults.md
    constexpr double kLonger = 2.0;      // than public losses; docs/defaults.md
    constexpr double kWorse = 1.1;       // than zero; docs/defaults.md
    if (few_rows(sample)) return false;  // whose own losses are too small
    const ShareOfBound released = comparison.share(0);
    const double least = released.mean - kDeviations * released.deviation;
    if (loss::predicts_classes(sample.choice())) {
        const ShareOfBound zero = comparison.share(1 + std::size(defaults::kAnchorRidges));
        return least > kWorse * (zero.mean + kDeviations * zero.deviation);
    }
    std::vector<double> losses(sample.rows().rows());
    sample.loss_rows().losses(fit, losses.data());
    for (double &loss : losses) loss = std::min(loss, bound) / bound;
    return least > std::max(kMost, kLonger * sample.rows().mean(losses));
}

}  // namespace

bool has_left_out_rows(const PublicSample &sample) {
    return loss::is_linear(sample.choice().kind) && LossRows::has_passes_by_score(sample.loss());
}

bool few_rows(const PublicSample &sample) {
    constexpr double kMany = 20.0;  // a parameter
    const auto d = static_cast<double>(sample.fit().n_elem);
    return has_left_out_rows(sample) && static_cast<double>(sample.rows().rows()) < kMany * d;
}

LeftOutRows::LeftOutRows(const PublicSample &sample, std::uint64_t seed)
    : sample_(sample),
      closed_form_(sample.choice().kind == loss::Kind::squared),
      count_(sample.effective_rows()),
      rows_(some_rows(sample.rows(), seed)) {}

void LeftOutRows::try_sizes(SourcePrior prior, double most, double least, bool own,
                            Tried &tried) const {
    const double room = 4.0 * std::max({sample_.loss_rows().units().parameter,
                                        arma::norm(prior.center), arma::norm(sample_.fit())});
    const auto left_out =
        closed_form_ ? left_out_squared(prior, sample_.moments(), count_, rows_)
                     : left_out_newton(std::move(prior), *sample_.loss().output(), rows_, room);
    if (!left_out) return;
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): powers of 2 are exact
    for (double size = most; size >= least; size *= closed_form_ ? 0.5 : 0.25) {
        LeftOut fit = left_out->at(size);
        if (fit.losses.empty() || !fit.theta.is_finite()) continue;
        const double loss = rows_.mean(fit.losses);
        if (!std::isfinite(loss)) continue;
        // The weight of the estimate comes first, then a ridge.
        tried.choice.add(own ? -1.0 / size : size, loss, fit.losses);
        tried.fits.push_back({std::move(fit.theta), own ? 0.0 : size / (size + count_), loss});
    }
}

void LeftOutRows::try_own(Tried &tried) const {
    constexpr double kMost = 10.0;  // ridges in units of the mean square of a feature
    constexpr double kLeast = 1e-6;
    constexpr double kIntercept = 1e-6;
    const arma::uword d = rows_.z.n_rows;
    const double square = arma::mean(arma::vec(arma::mean(arma::square(rows_.z), 1)));
    if (!(square > 0.0)) return;
    SourcePrior none;
    arma::vec sizes(d, arma::fill::value(square * sample_.loss().output()->largest_curvature()));
    if (sample_.preprocess().has_intercept()) sizes(d - 1) *= kIntercept;
    none.curvature = arma::diagmat(sizes);
    none.center.zeros(d);
    try_sizes(std::move(none), kMost * count_, kLeast * count_, true, tried);
}

LeftOutRows::Fit LeftOutRows::own_fit(double clearly) const {
    Tried tried;
    try_own(tried);
    if (tried.fits.empty()) return {sample_.fit()};
    const Fit &least = tried.fits.back();  // the plain fit, about
    const Fit &best = *std::ranges::min_element(tried.fits, {}, &Fit::loss);
    if (best.loss < (1.0 - clearly) * least.loss) return best;
    return {sample_.fit(), 0.0, least.loss};
}

LeftOutRows::Fit LeftOutRows::combine(const arma::mat &curvature, const arma::vec &estimate,
                                      double most) const {
    constexpr double kRidges[] = {0.0, 0.01, 0.1, 1.0};
    constexpr double kLeastSize = 0.01;  // docs/defaults.md
    Tried tried;
    const arma::vec slope = curvature * estimate;
    const double mean = arma::mean(curvature.diag());
    for (const double ridge : kRidges) {
        SourcePrior prior;
        prior.curvature = curvature;
        prior.curvature.diag() += ridge * mean;
        prior.center =
            ridge > 0.0
                ? arma::vec(arma::solve(prior.curvature, slope, arma::solve_opts::likely_sympd))
                : estimate;
        try_sizes(std::move(prior), std::max(most, kLeastSize), kLeastSize, false, tried);
    }
    try_own(tried);
    const auto chosen = tried.choice();
    return chosen ? tried.fits[*chosen] : Fit{sample_.fit()};
}

Anchor choose_anchor(const PrivateRun &run, const Settings &settings) {
    const PublicSample &sample = *run.problem.public_sample();
    if (!compares_anchors(settings))
        return {sample.fit(), sample.fit(), sample.fit(), run.labelled};
    const arma::vec plain = plain_fit(run, settings.loss.start_seed);
    // What moves nothing shall leave the network as it is.
    const arma::vec &unmoved = run.problem.hidden().empty() ? plain : sample.fit();
    if (!run.plan.comparison) return {plain, unmoved, unmoved, run.labelled};
    const double bound = loss_bound(sample);
    Comparison comparison(run, candidates(sample, plain, run.control), bound,
                          !settings.privacy.labelled_share && !run.labelled,
                          settings.privacy.anchor_share);
    const arma::vec &best = comparison.best();
    const auto long_losses =
        may_have_long_losses(run, settings, bound) ? comparison.long_losses() : std::nullopt;
    return {best,
            unmoved,
            arma::any(best != plain) ? best : unmoved,
            comparison.labelled(),
            comparison.steps(),
            comparison.counted(),
            long_losses,
            fails(sample, comparison, plain, bound)};
}

void MeasuredMean::add(const arma::vec &value, double deviation) {
    const double precision = 1.0 / (deviation * deviation);
    sum = sum.is_empty() ? arma::vec(precision * value) : arma::vec(sum + precision * value);
    weight += precision;
}

Comparison::Comparison(const PrivateRun &run, std::vector<arma::vec> predictors, double bound,
                       bool counts, std::optional<double> asked_share)
    : run_(run),
      predictors_(std::move(predictors)),
      bound_(bound),
      counts_(counts),
      rows_(run.problem, privacy::kTarget) {
    compare(random::Purpose::comparison, 0, *run.plan.comparison,
            counts ? privacy::kCountedAtFirst : 0.0, 0);
    if (!few_labels()) return;
    const std::uint64_t further = further_steps(asked_share);
    const std::size_t coordinates = run.plan.find(privacy::ReleaseKind::gradient)->dimension;
    while (steps_ < further) {
        ++steps_;
        compare(random::Purpose::gaussian_w, steps_, run.plan.gradient,
                counts ? kCountedInSteps : 0.0, coordinates);
    }
}

void Comparison::compare(random::Purpose purpose, std::uint64_t step,
                         const privacy::VectorGrid &grid, double counted, std::size_t coordinates) {
    const records::ComparisonTask task{
        run_.problem.choice(), predictors_, bound_, grid, counted, coordinates};
    const auto noise = gaussian_noise(run_, purpose, step, task.empty(0).sums().size());
    const arma::vec released = release(run_, purpose, step, rows_.sum(task), noise, rows_.rows());
    const double share = task.share_of_losses();
    losses_.add(released.head(predictors_.size()) / share, grid.sigma() / share);
    if (counted > 0.0)
        count_.add(released.subvec(predictors_.size(), predictors_.size()) / counted,
                   grid.sigma() / counted);
}

std::optional<LongLosses> Comparison::long_losses() {
    if (!counts_ || few_labels()) return {};
    return find_long_losses(run_, rows_, best(), share(best_place()), bound_, steps_);
}

ShareOfBound Comparison::share(std::size_t place) const {
    const double half = 0.5 * std::sqrt(static_cast<double>(predictors_.size())) /
                        static_cast<double>(rows_.rows());
    return {0.5 + half * losses_.value()(place), half * losses_.deviation()};
}

std::size_t Comparison::best_place() const {
    const double margin = privacy::kComparisonMargin * losses_.deviation();
    arma::vec loss = losses_.value();
    loss.tail(loss.n_elem - 1) += margin;
    // Rather zero, whose curvature is known, than a ridge that is hardly better.
    const arma::uword last = loss.n_elem - 1;
    const bool zero = !arma::any(predictors_[last]) && loss(last) < loss(0);
    if (zero && loss(last) < loss.min() + margin) return last;
    return loss.index_min();
}

/** False alarms are too rare to matter to a fit whose records all have labels. */
bool Comparison::few_labels() const {
    constexpr double kDeviations = 4.0;
    if (run_.labelled) return true;
    if (!counts_) return false;
    const auto n = static_cast<double>(rows_.rows());
    return count_.value()(0) < n - kDeviations * count_.deviation();
}

std::optional<double> Comparison::labelled() const {
    if (run_.labelled || !few_labels()) return run_.labelled;
    return std::max({1.0, count_.value()(0), count_.deviation()});
}

/** As many as that number of labels would have got of the budget, or as make the number known to a
 *  quarter of itself; some of the steps are left. */
std::uint64_t Comparison::further_steps(std::optional<double> asked_share) const {
    constexpr double kMostSteps = 0.6;
    constexpr double kKnown = 4.0;  // docs/defaults.md
    const double of_step = run_.plan.gradient.certified_mu();
    const double of_first = run_.plan.comparison->certified_mu();
    const auto steps = static_cast<double>(run_.plan.steps);
    const double all = of_first * of_first + steps * of_step * of_step;
    const std::size_t dimension = run_.plan.find(privacy::ReleaseKind::gradient)->dimension;
    const double share = asked_share.value_or(privacy::share_of_comparison(
        dimension, run_.problem.dimension(), std::sqrt(all) * *labelled()));
    const double for_losses = (share * all - of_first * of_first) / (of_step * of_step);
    const double deviation = run_.plan.gradient.sigma() / kCountedInSteps;
    const double wanted = *labelled() / kKnown;
    const double for_count =
        counts_ ? deviation * deviation * (1.0 / (wanted * wanted) - count_.weight) : 0.0;
    // A vector of losses must fit into that of a gradient.
    if (dimension <= predictors_.size()) return 0;
    return static_cast<std::uint64_t>(std::clamp(std::ceil(std::max(for_losses, for_count)), 0.0,
                                                 std::floor(kMostSteps * steps)));
}

}  // namespace dpadapt
