#include "private/moments_terms.hpp"

#include <cmath>

#include "private/linear_records.hpp"
#include "records/sum.hpp"

namespace dpadapt {

arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const PrivateRows rows = run.problem.private_rows(domain, metric.map);
    const LinearRecords records(rows, *run.problem.loss().output(), metric.start, metric.unit);
    privacy::OuterSum sum(d, *run.plan.moments);
    add_terms(
        rows, run.threads, d,
        [&](std::size_t i, std::vector<double> &out) {
            const LinearRecords::Derivatives at = records.derivatives(i);
            const double norm = rows.norm(i);
            const double term = at.slope * norm;
            const double weight = at.curvature * (term > metric.clip ? metric.clip / term : 1.0);
            const double square = norm * norm;
            const double factor =
                std::sqrt((square * weight > most ? most / square : weight) / most);
            for (std::size_t k = 0; k < d; ++k) out[k] = factor * rows.row(i)[k];
        },
        sum);
    std::vector<double> released = sum.release(noise, rows.rows());
    if (run.trace != nullptr)
        released = run.trace->on_release(random::Purpose::gaussian_moments, 0, sum.packed(),
                                         std::move(released));
    arma::mat moments(d, d);
    auto entry = released.begin();
    for (arma::uword j = 0; j < d; ++j)
        for (arma::uword i = 0; i <= j; ++i) moments(i, j) = *entry++;
    return arma::symmatu(moments) / static_cast<double>(rows.rows());
}

}  // namespace dpadapt
