#include "private/inference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/trust_region.hpp"
#include "objective/inference.hpp"
#include "objective/penalty.hpp"

namespace dpadapt {
namespace {

constexpr auto kPurpose = random::Purpose::inference;

/** A matrix as it was released: noise of that deviation on the diagonal, less beside it. */
struct Noisy {
    arma::mat matrix;
    double deviation;
};

Noisy release_matrix(const PrivateRun &run, const records::Reader &rows, std::uint64_t step,
                     const records::ClippedByLoss &shrink, double unit) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, kPurpose, step, d * (d + 1) / 2);
    const sums::OuterSum sum = rows.sum(records::OuterTask{shrink, *run.plan.inference});
    const double scale = unit / run.labelled_rows(privacy::kTarget);
    return {scale * release(run, kPurpose, step, sum, noise, rows.rows()),
            scale * run.plan.inference->deviation()};
}

/** A matrix like a known one: so many times as large, and the rest of the difference, shrunk as
 *  James and Stein do. */
struct ShrunkenMatrix {
    double scale;
    double scale_deviation;
    double kept;  ///< share of the difference
    arma::mat difference;
};

ShrunkenMatrix compare(const Noisy &released, const arma::mat &known) {
    constexpr double kFar = 10.0;
    const double size = arma::accu(arma::square(known));
    const double scale = std::clamp(arma::accu(released.matrix % known) / size, 1.0 / kFar, kFar);
    const arma::mat difference = released.matrix - scale * known;
    const auto d = static_cast<double>(known.n_rows);
    const double noise = released.deviation * released.deviation * d * (d + 1.0) / 2.0;
    const double square = arma::accu(arma::square(difference));
    const double kept = std::max(0.0, 1.0 - noise / square);
    return {scale, released.deviation / std::sqrt(size), kept, kept * difference};
}

/** The matrix to that power, with eigenvalues made no less than `least`. */
arma::mat power_of(const arma::mat &matrix, double least, double power) {
    const linalg::Spectrum spectrum = linalg::decompose(arma::symmatu(matrix));
    const arma::vec values = arma::clamp(spectrum.values, least, arma::datum::inf);
    return spectrum.with(arma::pow(values, power));
}

Estimated in_theta(const Metric &metric, const arma::vec &v, const arma::mat &covariance) {
    return {metric.to_theta(v), metric.map.t() * covariance * metric.map};
}

}  // namespace

void StepMean::add(const arma::vec &at, const arma::vec &released) {
    if (v.is_empty()) v.zeros(at.n_elem);
    if (gradient.is_empty()) gradient.zeros(at.n_elem);
    count += 1.0;
    v += (at - v) / count;
    gradient += (released - gradient) / count;
}

Inference infer_privately(const PrivateRun &run, const records::Reader &rows, const Metric &metric,
                          const StepMean &mean, const arma::vec &last) {
    constexpr double kQuantile = 0.75;        // docs/defaults.md
    constexpr double kUnlike = 0.75;          // of what clips move, that domains may differ
    constexpr double kLeastCurvature = 0.05;  // in a metric that makes the source's about 1
    const PublicSample &sample = *run.problem.public_sample();
    const loss::ScoreLoss &loss = *sample.loss().output();
    const GradientRule rule{metric.map, metric.unit, metric.clip};
    const arma::vec at = metric.to_v(sample.fit());
    const RowSums known = row_sums(sample.rows(), loss, at, rule);
    // A curvature that labels do not change is known where the target's own optimum is.
    const loss::Choice &choice = run.problem.choice();
    const bool bends =
        choice.kind != loss::Kind::squared && !loss::curvature_depends_on_label(choice);
    const arma::vec &place = bends ? last : at;
    const double clip = bends ? std::numeric_limits<double>::infinity() : metric.clip;
    const GradientRule bent_by{metric.map, metric.unit, clip};
    const arma::mat slope = row_sums(sample.rows(), loss, place, bent_by).curvature;
    const arma::mat known_square =
        mean_square(sample.rows(), loss, at, rule, {}, SquareOf::gradient);
    double most =
        sample.rows().quantile(curvature_sizes(sample.rows(), loss, place, bent_by), kQuantile);
    if (!(most > 0.0)) most = 1.0;

    records::ClippedByLoss shrink{{choice, last, metric.unit}, metric.clip, most};
    const Noisy curvature = release_matrix(run, rows, 0, shrink, most);
    shrink.gradients = true;
    const Noisy square = release_matrix(run, rows, 1, shrink, metric.clip * metric.clip);

    const ShrunkenMatrix bent =
        compare(curvature, shrunk_curvature(sample.rows(), loss, place, bent_by, most));
    const ShrunkenMatrix spread = compare(square, known_square);
    const arma::mat bread = power_of(bent.scale * slope + bent.difference, kLeastCurvature, -1.0);
    const double n = run.labelled_rows(privacy::kTarget);
    const arma::vec step = bread * mean.gradient;
    const double noise = metric.clip * run.plan.gradient.sigma() / n;
    arma::mat inner = power_of(spread.scale * known_square + spread.difference, 0.0, 1.0) / n;
    // mutant: noise_left_out_of_the_covariance
    inner.diag() += noise * noise / mean.count;
    arma::mat covariance = bread * inner * bread;
    // What noise of the curvature does to the step, as far as that is a step and no noise itself.
    const double square_of_step = arma::dot(step, step);
    const double real = std::max(0.0, 1.0 - arma::trace(covariance) / square_of_step);
    const double of_scale = bent.scale_deviation / bent.scale;
    const double of_rest = bent.kept * curvature.deviation;
    covariance += real * (of_scale * of_scale * step * step.t() +
                          of_rest * of_rest * square_of_step / 2.0 * bread * bread);
    std::optional<Estimated> other;
    arma::vec moved(step.n_elem, arma::fill::zeros);
    if (const auto inverse = safe_inverse(known.curvature)) {
        const double m = sample.effective_rows();
        const arma::vec of_source = *inverse * known.gradient;
        const GradientRule whole{metric.map, metric.unit, std::numeric_limits<double>::infinity()};
        const arma::mat clipped =
            mean_square(sample.rows(), loss, at, whole, {}, SquareOf::gradient) - known_square;
        // Clips move the target's intercept as they move the source's, apart from chance.
        if (sample.preprocess().has_intercept()) {
            const arma::vec constant = *inverse * metric.map.tail_cols(1);
            const double chance = arma::dot(constant, clipped * constant) / m;
            arma::vec theta = metric.to_theta(of_source);
            theta.head(theta.n_elem - 1).zeros();
            const double way = theta(theta.n_elem - 1);
            const double kept = std::max(0.0, 1.0 - chance / (way * way));
            moved = kept * metric.to_v(theta);
            covariance += (kUnlike * kUnlike + 1.0 - kept) * moved * moved.t();
        }
        other = in_theta(metric, at - of_source + moved, *inverse * known_square * *inverse / m);
    }
    const Estimated own = in_theta(metric, mean.v - step + moved, covariance);
    return describe_inference(sample.preprocess(), own, other,
                              std::numeric_limits<double>::infinity());
}

}  // namespace dpadapt
