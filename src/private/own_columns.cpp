#include "private/own_columns.hpp"

#include <cmath>

#include "records/reader.hpp"
#include "records/release.hpp"

namespace dpadapt {
namespace {

/** In the coordinates of the source, but own columns in their unit. */
arma::mat map_of(const PrivateProblem &problem, const OwnColumns &columns) {
    arma::mat map(problem.dimension(), problem.dimension(), arma::fill::eye);
    for (const arma::uword j : columns.own()) map(j, j) = 1.0 / columns.unit();
    return map;
}

/** A bound of the records' norms: a quantile of those of public rows, which lack columns. */
double radius_of(const PrivateCall &call, const OwnColumns &columns) {
    const PreparedSample &rows = call.problem().public_sample()->rows();
    const auto d = static_cast<double>(call.problem().dimension());
    const double known = d - static_cast<double>(columns.own().n_elem);
    const arma::mat map(call.problem().dimension(), call.problem().dimension(), arma::fill::eye);
    return std::sqrt(d / known) *
           rows.quantile(rows.mapped_norms(map), call.settings().privacy.clip_quantile);
}

}  // namespace

Sample fill_own_columns(const PrivateCall &call, privacy::ReleaseTrace *trace) {
    constexpr auto kPurpose = random::Purpose::own_columns;
    const PrivateProblem &problem = call.problem();
    const OwnColumns &columns = *call.own_columns();
    const privacy::OuterGrid &grid = *call.plan().own_columns;
    const double radius = radius_of(call, columns);
    const records::OuterTask task{records::ShrunkByRadius{radius, 1.0 / radius, {}}, grid};
    const PrivateRun run{problem,        call.plan(), call.key(), call.settings().threads,
                         call.control(), trace,       {}};
    const std::size_t d = problem.dimension();
    const auto noise = gaussian_noise(run, kPurpose, 0, d * (d + 1) / 2);
    const records::Reader rows(problem, privacy::kTarget, map_of(problem, columns),
                               unlabelled_records(task));
    const auto n = static_cast<double>(rows.rows());
    const double unit = radius * radius / n;
    const arma::mat moments = unit * release(run, kPurpose, 0, rows.sum(task), noise, rows.rows());
    const arma::mat known = problem.public_sample()->rows().moments().second;
    arma::uvec others = columns.others();
    others.insert_rows(others.n_elem, arma::uvec{d - 1});  // the constant
    OwnColumns::Moments target{known.submat(others, others), moments.submat(others, columns.own()),
                               arma::vec(moments.diag()).elem(columns.own()),
                               std::sqrt(0.5) * unit * grid.deviation()};
    return columns.fill(call.source(), target, call.settings().loss.start_seed);
}

}  // namespace dpadapt
