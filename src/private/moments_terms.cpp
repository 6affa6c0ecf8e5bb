#include "private/moments_terms.hpp"

#include "records/reader.hpp"
#include "records/release.hpp"

namespace dpadapt {
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
