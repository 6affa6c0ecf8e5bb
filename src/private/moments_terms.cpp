#include "private/moments_terms.hpp"

#include "records/reader.hpp"
#include "records/release.hpp"

namespace dpadapt {

arma::mat release_moments(const PrivateRun &run, privacy::Domains domain, const Metric &metric,
                          double most) {
    const arma::uword d = run.problem.dimension();
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_moments, 0, d * (d + 1) / 2);
    const records::ScoredLoss loss{run.problem.choice(), metric.start, metric.unit};
    const records::Reader rows(run.problem, domain, metric.map);
    const privacy::OuterSum sum = rows.sum(
        records::OuterTask{records::ShrunkByLoss{loss, metric.clip, most}, *run.plan.moments});
    return release(run, sum, noise, rows.rows()) / static_cast<double>(rows.rows());
}

}  // namespace dpadapt
