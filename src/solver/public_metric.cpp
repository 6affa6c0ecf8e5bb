#include "solver/public_metric.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/trust_region.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {

PublicMetric make_public_metric(const PreparedProblem &problem, double rho, double clip_quantile) {
    const arma::mat &h = problem.source_moments().second;
    const double mean = arma::trace(h) / static_cast<double>(h.n_rows);
    const double ridge = mean > 0.0 ? rho * mean : 1.0;
    const linalg::Spectrum spectrum = linalg::decompose(h);
    const arma::vec root = arma::sqrt(arma::clamp(spectrum.values, 0.0, arma::datum::inf) + ridge);

    PublicMetric metric;
    metric.inverse_root = spectrum.vectors * arma::diagmat(1.0 / root) * spectrum.vectors.t();
    metric.fit = spectrum.vectors * (root % (spectrum.vectors.t() * problem.source_fit()));

    std::vector<double> residual(problem.source().rows());
    problem.source().residuals(problem.source_fit(), residual.data());
    std::vector<double> term = problem.source().mapped_norms(metric.inverse_root);
    for (std::size_t i = 0; i < term.size(); ++i) term[i] *= std::abs(residual[i]);
    metric.clip = quantile(term, clip_quantile);
    if (!(metric.clip > 0.0)) metric.clip = 1.0;  // the public fit is exact: any scale will do
    for (const double norm : term) {
        const double clipped = std::min(norm, metric.clip);
        metric.term_square += clipped * clipped / static_cast<double>(term.size());
    }
    return metric;
}

}  // namespace dpadapt
