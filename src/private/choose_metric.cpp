#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "private/anchor.hpp"
#include "private/long_losses.hpp"
#include "private/metric.hpp"
#include "private/public_metric.hpp"
#include "private/public_terms.hpp"
#include "problem/plan_request.hpp"
#include "records/reader.hpp"

namespace dpadapt {

namespace {

/** Huber's loss has no curvature where the anchor is far off, but where steps will arrive: there
 *  its Hessian is that of the squared loss. */
loss::Choice newton_choice(const loss::Choice &choice) {
    loss::Choice squared;
    squared.kind = loss::Kind::squared;
    return choice.kind == loss::Kind::huber ? squared : choice;
}

/** Of how many records that is the mean: of all, or of those with a label where the Hessian depends
 *  on it, or, where they have weights, the sum of these. */
double moments_rows(const PrivateRun &run, privacy::Domains domain) {
    const bool labelled = loss::curvature_depends_on_label(newton_choice(run.problem.choice()));
    return labelled || run.problem.weight_bound() > 0.0
               ? run.labelled_rows(domain)
               : static_cast<double>(run.problem.rows(domain));
}

/** Noisy mean of the private records' shrunken Hessians in that metric, in units of `most`: each is
 *  zeta zeta' times its share of the loss's largest curvature at the public fit, times the factor
 *  by which its gradient term is clipped there, and of Frobenius norm `most` at most. */
arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const records::ScoredLoss loss{newton_choice(run.problem.choice()), metric.start, metric.unit};
    const records::OuterTask task{records::ShrunkByLoss{loss, metric.clip, most},
                                  *run.plan.moments};
    const records::Reader rows(run.problem, domain, metric.map, unlabelled_records(task));
    const sums::OuterSum sum = rows.sum(task);
    return release(run, random::Purpose::gaussian_moments, 0, sum, noise, rows.rows()) /
           moments_rows(run, domain);
}

/** Eigenvalues moved towards zero by `edge`. */
arma::mat shrink_spectrum(arma::mat matrix, double edge) {
    const linalg::Spectrum spectrum = linalg::decompose(std::move(matrix));
    const arma::vec kept = arma::sign(spectrum.values) %
                           arma::clamp(arma::abs(spectrum.values) - edge, 0.0, arma::datum::inf);
    return spectrum.with(kept);
}

/** C_M. */
double moments_bound(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                     const PrivacySettings &settings) {
    std::vector<double> norms = sample.rows().mapped_norms(metric.map);
    for (std::size_t i = 0; i < norms.size(); ++i) norms[i] *= terms.curvature[i] * norms[i];
    const double bound = sample.rows().quantile(std::move(norms), settings.clip_quantile);
    return bound > 0.0 ? bound : 1.0;
}

/** Whether private rows are so long that their clipped moments do not tell how long.
 *  @param size         Mean of the clipped squares, in units of the clip.
 *  @param public_size  Of public rows. */
bool are_far(double size, double public_size) {
    constexpr double kShare = 0.5;  // of the public distance to the clip; docs/defaults.md
    return size > 1.0 - kShare * (1.0 - public_size);
}

/** Second moments that were asked for. */
struct AskedMoments {
    privacy::Domains domain;
    double most;       ///< of a record
    double share;      ///< of the sample in the objective
    double curvature;  ///< of public rows, in the mean
};

/** Adds to the moments the part that clips removed along the axes of far rows.
 *  @param released  In units of `most`, as is `noise`, the possible error of an eigenvalue.
 *  @return whether the length of the rows is known along all axes. */
bool lengthen_axes(const PrivateRun &run, const HessianMetric &known, const arma::mat &released,
                   double noise, const AskedMoments &of, arma::mat &moments, std::uint64_t &steps) {
    constexpr double kFar = 0.2;  // of the clipped squares, along an axis; docs/defaults.md
    const linalg::Spectrum clipped = linalg::decompose(released);
    const arma::uvec some = arma::find(clipped.values - noise > kFar);
    const arma::mat axes = arma::fliplr(clipped.vectors.cols(some));
    const auto squares = find_squares(run, of.domain, known.metric.map.t() * axes, of.most, steps);
    for (std::size_t k = 0; k < squares.size(); ++k) {
        const arma::vec axis = axes.col(k);
        const double seen = arma::dot(axis, moments * axis);
        moments += of.share * std::max(0.0, of.curvature * squares[k] - seen) * axis * axis.t();
    }
    return !squares.empty() && squares.size() == axes.n_cols;
}

Metric refine(const PrivateRun &run, const PublicTerms &terms, const PrivacySettings &settings,
              const HessianMetric &known, privacy::Domains domain, double share, double noise,
              std::uint64_t *steps) {
    const PublicSample &sample = *run.problem.public_sample();
    const double n = moments_rows(run, domain);
    const auto d = static_cast<double>(known.moments.n_rows);
    const double most = moments_bound(sample, terms, known.metric, settings);
    const double edge = most * run.plan.moments->deviation() / n * std::sqrt(2.0 * d);
    const arma::mat released = release_moments(run, domain, known.metric, most);
    const arma::mat difference = most * released - known.moments;
    arma::mat moments = share * shrink_spectrum(difference, edge) + known.moments;
    // Curvature that depends on labels tells of their law, not of the size of rows.
    const bool of_rows = !loss::curvature_depends_on_label(newton_choice(run.problem.choice()));
    const loss::Kind kind = run.problem.choice().kind;
    const bool quadratic = kind == loss::Kind::squared;
    bool far = of_rows && !few_rows(sample) &&
               are_far(arma::trace(released), arma::trace(known.moments) / most);
    constexpr double kDeviations = 3.0;  // of the noise in the trace; docs/defaults.md
    const double surely = arma::trace(released) - kDeviations * edge / most * std::sqrt(0.5);
    const bool were_far = far && are_far(surely, arma::trace(known.moments) / most);
    // Of a squared loss slopes are as long as rows are, and axes would have to be known better.
    // Where rows are far Huber's loss has no curvature, and that of several scores is a bound.
    if (far && steps != nullptr && known.metric.blocks == 1 && !quadratic &&
        kind != loss::Kind::huber)
        far = !lengthen_axes(run, known, released, edge / most,
                             {domain, most, share, sample.rows().mean(terms.curvature)}, moments,
                             *steps);
    const linalg::Spectrum mixed = linalg::decompose(moments);
    // An axis may be shorter than the public one only as far as noise cannot have made it so, and
    // of a quadratic loss, whose curvature at the anchor is that at the optimum.
    const double shortest = quadratic ? 0.01 : 1.0;
    const double least = std::clamp(2.0 * share * edge, shortest, 1.0);
    const arma::vec root = arma::sqrt(arma::clamp(mixed.values, least, arma::datum::inf));
    const linalg::Spectrum before = linalg::decompose(known.moments);
    const arma::vec lacking = arma::clamp(before.values, 1e-8, arma::datum::inf);
    const arma::vec own = arma::sqrt(arma::clamp(mixed.values, 0.0, arma::datum::inf));
    const arma::mat map = mixed.with(1.0 / root) * known.metric.map;
    Metric metric = metric_of_basis(
        sample, terms, settings, map, mixed.with(root) * known.metric.inverse,
        of_rows ? arma::mat(mixed.with(own / root) * before.with(1.0 / arma::sqrt(lacking)) *
                            known.metric.map)
                : map,
        {n, noise / share});
    metric.rows_were_far = were_far;
    metric.rows_are_far = far && !loss::has_log_link(kind);
    return metric;
}

/** At the anchor. Of the squared loss at the public fit: residuals of an anchor with a ridge are
 *  longer, and so were the clip and all noise, while only the first steps are near the anchor.
 *  Where it fits without error, for want of rows or of noise, its slopes have no scale, and those
 *  at zero take their place; where rows are few, they are as large as those of rows left out. */
PublicTerms terms_at(const PublicSample &sample, const arma::vec &anchor) {
    constexpr double kExact = 1e-10;
    const bool quadratic = sample.choice().kind == loss::Kind::squared;
    PublicTerms terms(sample, quadratic && !few_rows(sample) ? sample.fit() : anchor);
    PublicTerms zero(sample, arma::vec(anchor.n_elem, arma::fill::zeros));
    if (terms.loss <= kExact * zero.loss) {
        terms.slope = std::move(zero.slope);
    } else if ((quadratic || loss::predicts_classes(sample.choice())) && few_rows(sample)) {
        const double left_out = LeftOutRows(sample, 0).own_fit(0.0).loss;
        if (left_out > terms.loss)
            for (double &slope : terms.slope) slope *= std::sqrt(left_out / terms.loss);
    }
    return terms;
}

Metric hessian_metric(const PrivateRun &run, const PrivacySettings &settings,
                      privacy::Domains domain, double share, const arma::vec &anchor,
                      std::uint64_t *steps) {
    const PublicSample &sample = *run.problem.public_sample();
    const double n = run.labelled_rows(domain);
    const double noise = run.plan.steps == 0 ? 0.0
                                             : share / n * run.plan.gradient.sigma() /
                                                   std::sqrt(static_cast<double>(run.plan.steps));
    const PublicTerms terms = terms_at(sample, anchor);
    HessianMetric metric =
        make_hessian_metric(sample, terms, settings,
                            {n, noise, share, run.plan.steps, run.plan.moments.has_value(),
                             run.plan.inference.has_value()});
    const double longer = run.long_losses && terms.loss > 0.0
                              ? std::max(1.0, std::sqrt(run.long_losses->mean / terms.loss))
                              : 1.0;
    metric.metric.lengthen(longer);
    if (run.plan.moments) {
        metric.metric = refine(run, terms, settings, metric, domain, share, noise, steps);
        if (!metric.metric.rows_are_far) metric.metric.lengthen(longer);
    }
    metric.metric.start = metric.metric.to_v(anchor);
    return metric.metric;
}

/** Without public data: by the source's second moments, of records that are not shrunk by gradients
 *  which nobody knows. The clip bound, given for the isotropic metric, grows as a typical record
 *  does. */
Metric refine_without_data(const PrivateRun &run, Metric metric) {
    constexpr double kShortest = 1e-3;  // docs/defaults.md
    const privacy::Domains domain = run.plan.find(privacy::ReleaseKind::second_moments)->domains;
    const auto n = static_cast<double>(run.problem.rows(domain));
    const auto d = static_cast<double>(run.problem.dimension());
    const double longest = metric.map(0, 0) * run.problem.record_radius();
    const double most = longest * longest;
    Metric whole = metric;
    whole.clip = std::numeric_limits<double>::max();
    const double edge = most * run.plan.moments->deviation() / n * std::sqrt(2.0 * d);
    const linalg::Spectrum moments =
        linalg::decompose(most * release_moments(run, domain, whole, most));
    const arma::vec values =
        arma::clamp(moments.values, std::clamp(2.0 * edge, kShortest, 1.0), arma::datum::inf);
    const arma::vec known = arma::clamp(moments.values, edge, arma::datum::inf);
    metric.clip *= std::sqrt(arma::accu(known / values) / arma::accu(known));
    metric.term_square = metric.clip * metric.clip;
    const arma::vec root = arma::sqrt(values);
    metric.map = moments.with(1.0 / root) * metric.map;
    metric.inverse = moments.with(root) * metric.inverse;
    metric.start = metric.to_v(run.problem.start(0));
    return metric;
}

}  // namespace

Metric choose_metric(const PrivateRun &run, const Settings &settings, privacy::Domains domain,
                     double share, const arma::vec &anchor, std::uint64_t *steps) {
    const PublicSample *sample = run.problem.public_sample();
    Metric metric = sample == nullptr ? make_metric_without_data(run.problem, settings)
                    : uses_hessian(settings)
                        ? hessian_metric(run, settings.privacy, domain, share, anchor, steps)
                        : make_gradient_metric(*sample, settings.privacy);
    if (sample == nullptr && run.plan.moments) metric = refine_without_data(run, std::move(metric));
    if (!metric.start.is_finite() || !metric.map.is_finite() || !metric.scale.is_finite())
        throw Error(DPA_E_NUMERICAL, "the metric of the private steps overflows; scale the data");
    return metric;
}

}  // namespace dpadapt
