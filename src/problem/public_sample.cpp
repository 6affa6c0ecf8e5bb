#include "problem/public_sample.hpp"

#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "linalg/scaled_solve.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {
namespace {

double resolve(const Bound &bound, const std::function<std::vector<double>()> &public_values) {
    if (bound.kind == Bound::Kind::absent) return std::numeric_limits<double>::infinity();
    if (bound.kind == Bound::Kind::number) return bound.value;
    return quantile(public_values(), bound.value);
}

Clipping resolve_clipping(const Settings &settings, const Sample &sample, double label_center,
                          const PreparedSample &prepared) {
    const auto absolute_labels = [&] {
        std::vector<double> labels(sample.y(), sample.y() + sample.rows());
        for (double &y : labels) y = std::abs(y - label_center);
        return labels;
    };
    return {resolve(settings.feature_radius, [&] { return prepared.feature_norms(); }),
            resolve(settings.label_bound, absolute_labels)};
}

/** Least squares on the public rows, with a ridge that only decides where the rows do not. */
arma::vec least_squares(const Moments &moments) {
    constexpr double kRidge = 1e-10;
    const auto w = linalg::solve_scaled(moments.second, moments.cross, kRidge);
    if (!w) throw Error(DPA_E_NUMERICAL, "the least-squares fit of the public sample failed");
    return *w;
}

}  // namespace

PublicSample::PublicSample(const Sample &sample, const char *name, const Settings &settings,
                           Control &control)
    : preprocess_((control.report({"preprocess"}), check_finite(sample, name, settings.threads)),
                  settings),
      rows_(sample, preprocess_, settings.threads),
      clipping_(resolve_clipping(settings, sample, preprocess_.label_center(), rows_)) {
    rows_.clip(clipping_);
    control.report({"preprocess"});
    moments_ = rows_.moments();
    fit_ = least_squares(moments_);
}

double PublicSample::kappa_1() const {
    constexpr double kMedianToDeviation = 1.4826;
    constexpr double kExact = 1e-10;
    std::vector<double> residual(rows_.rows());
    rows_.residuals(fit_, residual.data());
    for (double &r : residual) r = std::abs(r);
    const double scale = kMedianToDeviation * quantile(std::move(residual), 0.5);
    const double kappa_1 = 4.0 * scale * scale;
    if (kappa_1 > kExact * moments_.label) return kappa_1;
    // An exact fit, for want of rows or of noise, has no scale of its own: the mean square of the labels.
    return moments_.label > 0.0 ? moments_.label : 1.0;
}

double PublicSample::radius() const {
    const double norm = arma::norm(fit_);
    return norm > 0.0 ? 2.0 * norm : 1.0;
}

}  // namespace dpadapt
