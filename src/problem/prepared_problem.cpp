#include "problem/prepared_problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "linalg/scaled_solve.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {
namespace {

/** Throws for the first row with a value that is not finite; a sum of columns finds out whether to
 *  look. */
const Sample &check_finite(const Sample &sample, const char *name, const Settings &settings) {
    const arma::vec sums = linalg::column_sums(sample.x(), settings.threads);
    const bool labels = std::all_of(sample.y(), sample.y() + sample.rows(),
                                    [](double y) { return std::isfinite(y); });
    if (labels && sums.is_finite()) return sample;
    for (std::size_t i = 0; i < sample.rows(); ++i) {
        const auto complain = [&](const std::string &what, double value) {
            throw Error(DPA_E_NONFINITE, std::string(name) + " row " + std::to_string(i) + ": " +
                                             what + " must be finite, but is " + to_text(value));
        };
        if (!std::isfinite(sample.y()[i])) complain("the label", sample.y()[i]);
        for (std::size_t j = 0; j < sample.features(); ++j)
            if (!std::isfinite(sample.x()(i, j)))
                complain("column " + std::to_string(j), sample.x()(i, j));
    }
    return sample;  // finite values whose sum overflows
}

double resolve(const Bound &bound, const std::function<std::vector<double>()> &public_values) {
    if (bound.kind == Bound::Kind::absent) return std::numeric_limits<double>::infinity();
    if (bound.kind == Bound::Kind::number) return bound.value;
    return quantile(public_values(), bound.value);
}

Clipping resolve_clipping(const Settings &settings, const Sample &source, double label_center,
                          const PreparedSample &prepared) {
    const auto absolute_labels = [&] {
        std::vector<double> labels(source.y(), source.y() + source.rows());
        for (double &y : labels) y = std::abs(y - label_center);
        return labels;
    };
    return {resolve(settings.feature_radius, [&] { return prepared.feature_norms(); }),
            resolve(settings.label_bound, absolute_labels)};
}

/** Least squares on the public rows, with a ridge that only decides where the rows do not. */
arma::vec fit_source(const Moments &moments) {
    constexpr double kRidge = 1e-10;
    const auto w = linalg::solve_scaled(moments.second, moments.cross, kRidge);
    if (!w) throw Error(DPA_E_NUMERICAL, "the least-squares fit of the source sample failed");
    return *w;
}

/** Square of twice the robust standard deviation of the residuals: Huber's threshold in squared units. A fit
 *  that is exact, for want of rows or of noise, has no scale of its own: then the mean square of the labels. */
double default_kappa_1(const PreparedSample &source, const arma::vec &fit, const Moments &moments) {
    constexpr double kMedianToDeviation = 1.4826;
    constexpr double kExact = 1e-10;
    std::vector<double> residual(source.rows());
    source.residuals(fit, residual.data());
    for (double &r : residual) r = std::abs(r);
    const double scale = kMedianToDeviation * quantile(std::move(residual), 0.5);
    const double kappa_1 = 4.0 * scale * scale;
    if (kappa_1 > kExact * moments.label) return kappa_1;
    return moments.label > 0.0 ? moments.label : 1.0;
}

double default_radius(const arma::vec &fit) {
    const double norm = arma::norm(fit);
    return norm > 0.0 ? 2.0 * norm : 1.0;
}

/** Equal weights for all records, but at least a tenth of the weight for the target, however few
 *  its rows. */
double default_alpha(std::size_t m, std::size_t n) {
    constexpr double kMost = 0.9;
    return std::min(kMost, static_cast<double>(m) / static_cast<double>(m + n));
}

}  // namespace

PreparedProblem::PreparedProblem(const Sample &source, const Sample &target,
                                 const Settings &settings, Control &control)
    : preprocess_((control.report({"preprocess"}), check_finite(target, "target", settings),
                   check_finite(source, "source", settings)),
                  settings),
      source_(source, preprocess_, settings.threads),
      target_(target, preprocess_, settings.threads),
      clipping_(resolve_clipping(settings, source, preprocess_.label_center(), source_)) {
    source_.clip(clipping_);
    target_.clip(clipping_);
    control.report({"preprocess"});
    source_moments_ = source_.moments();
    source_fit_ = fit_source(source_moments_);
    hyperparameters_ = {
        settings.alpha ? *settings.alpha : default_alpha(source.rows(), target.rows()),
        settings.kappa_1 ? *settings.kappa_1
                         : default_kappa_1(source_, source_fit_, source_moments_),
        settings.kappa_2, settings.kappa_inf,
        settings.radius ? *settings.radius : default_radius(source_fit_)};
}

}  // namespace dpadapt
