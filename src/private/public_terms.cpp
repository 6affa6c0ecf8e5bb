#include "private/public_terms.hpp"

#include <algorithm>

#include "objective/weighted_objective.hpp"
#include "private/shift.hpp"
#include "problem/defaults.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings, double discrepancy,
                           Control &control) {
    const PublicSample &sample = *run.problem.public_sample();
    const Hyperparameters &hyper = run.problem.hyperparameters();
    const bool source = !run.problem.is_private(privacy::kSource);
    if ((source ? hyper.alpha : 1.0 - hyper.alpha) == 0.0) {
        PrivateFit fit;
        fit.theta = sample.fit();
        fit.alpha = hyper.alpha;
        return fit;
    }
    WeightedObjective objective(sample, hyper, 1.0 / static_cast<double>(sample.rows().rows()),
                                source ? discrepancy : 0.0,
                                run.problem.rows(source ? privacy::kTarget : privacy::kSource));
    const linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, sample.fit(),
        {hyper.radius, settings.tolerance, settings.iterations.value_or(defaults::kIterations)},
        [&](std::size_t iteration, double value, double gap) {
            control.report({"public fit", static_cast<std::int64_t>(iteration), 0, value, gap});
        });
    arma::vec gradient;
    (void)objective.evaluate(minimum.x, gradient);  // its scalars are wanted
    PrivateFit fit;
    fit.theta = minimum.x;
    fit.alpha = hyper.alpha;
    fit.scalars = objective.scalars();
    return fit;
}

namespace {

/** Of each record of a block: the norm of a symmetric matrix is at most the largest sum of the
 *  sizes in a column. */
arma::vec curvature_bounds(const loss::ScoreLoss &output, const loss::Block &block,
                           const arma::mat &score) {
    arma::vec bounds(score.n_rows, arma::fill::zeros);
    arma::mat column(arma::size(score));
    for (arma::uword k = 0; k < score.n_cols; ++k) {
        arma::mat direction(arma::size(score), arma::fill::zeros);
        direction.col(k).ones();
        output.curvatures(score.n_rows, score.memptr(), block.label, direction.memptr(),
                          column.memptr());
        bounds = arma::max(bounds, arma::vec(arma::sum(arma::abs(column), 1)));
    }
    return bounds;
}

}  // namespace

PublicTerms::PublicTerms(const PublicSample &sample, const arma::vec &at)
    : slope(sample.rows().rows()), curvature(sample.rows().rows()), theta(at) {
    constexpr std::size_t kBlock = 256;
    const loss::ScoreLoss &output = *sample.loss().output();
    const double unit = output.largest_curvature();
    const std::size_t d = sample.rows().dimension();
    const std::vector<double> labels = sample.rows().labels();
    const std::vector<double> relative = sample.rows().shares(static_cast<double>(labels.size()));
    kept_slope = output.kept_slope() / unit;
    TypicalSquares squares(d);
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        sample.rows().fill(begin, begin + n, columns);
        squares.add(columns, arma::rowvec(&relative[begin], n));
        const loss::Block block{n, d, columns.memptr(), &labels[begin]};
        arma::mat score(n, output.outputs());
        arma::mat gradient(arma::size(score));
        std::vector<double> losses(n);
        output.scores(block, {theta.memptr(), theta.n_elem}, {score.memptr(), score.n_elem});
        output.slopes(n, score.memptr(), block.label, losses.data(), gradient.memptr());
        const arma::vec bounds = curvature_bounds(output, block, score);
        for (std::size_t i = 0; i < n; ++i) {
            slope[begin + i] = arma::norm(gradient.row(i)) / unit;
            curvature[begin + i] = std::min(1.0, bounds(i) / unit);
            loss += relative[begin + i] * losses[i] / static_cast<double>(labels.size());
        }
    }
    sizes = squares();
}

namespace {

/** Huber's loss does not bend where the anchor is far off, but where steps will arrive: there its
 *  Hessian is that of the squared loss. */
loss::Choice bending(const loss::Choice &choice) {
    loss::Choice squared;
    squared.kind = loss::Kind::squared;
    return choice.kind == loss::Kind::huber ? squared : choice;
}

}  // namespace

double moments_rows(const PrivateRun &run, privacy::Domains domain) {
    const bool labelled = loss::bends_by_label(bending(run.problem.choice()));
    return labelled || run.problem.weight_bound() > 0.0
               ? run.labelled_rows(domain)
               : static_cast<double>(run.problem.rows(domain));
}

arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const records::ScoredLoss loss{bending(run.problem.choice()), metric.start, metric.unit};
    const records::OuterTask task{records::ShrunkByLoss{loss, metric.clip, most},
                                  *run.plan.moments};
    const records::Reader rows(run.problem, domain, metric.map, unlabelled_records(task));
    const privacy::OuterSum sum = rows.sum(task);
    return release(run, random::Purpose::gaussian_moments, 0, sum, noise, rows.rows()) /
           moments_rows(run, domain);
}

}  // namespace dpadapt
