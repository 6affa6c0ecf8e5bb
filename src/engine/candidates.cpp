#include "engine/candidates.hpp"

#include <limits>

#include "engine/budget.hpp"
#include "engine/plan.hpp"

namespace dpadapt::engine {
namespace {

/** Whether a fit failed for reasons that another candidate need not share. */
bool is_its_own_fault(dpa_status status) {
    return status == DPA_E_NUMERICAL || status == DPA_E_OPTION || status == DPA_E_UNSUPPORTED;
}

}  // namespace

Candidates::Candidates(const select::Grid &grid, Problem &problem,
                       const baseline::MethodSpec *method, const OptionValues &values,
                       Control &control)
    : grid_(grid), problem_(problem), method_(method), values_(values), control_(control) {
    for (const std::uint64_t point : grid.points())
        table_.candidates.push_back({point, {}, {}, {}});
}

void Candidates::check_prices() const {
    std::vector<privacy::Release> releases;
    std::optional<privacy::Budget> first;
    for (std::size_t k = 0; k < count(); ++k) {
        report(k);
        const privacy::Plan plan = plan_fit_held(problem_, method_, options(k), control_).plan;
        if (k == 0) first = plan.budget;
        releases.insert(releases.end(), plan.releases.begin(), plan.releases.end());
    }
    try {
        check_price(problem_.ledger, first, releases);
    } catch (const Error &error) {
        if (error.status() != DPA_E_BUDGET) throw;
        throw Error(DPA_E_BUDGET, "all fits of the search together: " + std::string(error.what()) +
                                      "; dpa_problem_set_budget fixes a larger budget first");
    }
}

std::vector<loss::Choice> Candidates::choices(bool may_leave_out) const {
    std::vector<loss::Choice> list;
    for (std::size_t k = 0; k < count(); ++k) {
        try {
            const LossSettings loss = fit_settings(method_, options(k)).loss;
            list.push_back({.kind = loss.kind,
                            .quantile_level = loss.quantile_level.value_or(0.0),
                            .output = loss.output});
        } catch (const Error &error) {
            if (!may_leave_out || !is_its_own_fault(error.status())) throw;
        }
    }
    return list;
}

void Candidates::fit_all(bool may_leave_out, const std::string &choice) {
    std::optional<Error> first;
    for (std::size_t k = 0; k < count(); ++k) {
        report(k);
        try {
            fits_.push_back(fit_held(problem_, method_, options(k), control_, choice));
            fitted_.push_back(k);
        } catch (const Error &error) {
            if (!may_leave_out || !is_its_own_fault(error.status())) throw;
            table_.candidates[k].status = error.status();
            table_.candidates[k].reason = error.what();
            if (!first) first = error;
        }
    }
    if (fits_.empty()) throw Error(*first);
}

std::vector<const Solution *> Candidates::fits() const {
    std::vector<const Solution *> list;
    for (const Solution &solution : fits_) list.push_back(&solution);
    return list;
}

SearchResult Candidates::take(std::size_t fit, std::span<const double> means) {
    if (!means.empty())
        for (CandidateResult &candidate : table_.candidates)
            candidate.loss = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < means.size(); ++k) table_.candidates[fitted_[k]].loss = means[k];
    table_.chosen = fitted_[fit];
    return {std::move(fits_[fit]), std::move(table_)};
}

OptionValues Candidates::options(std::size_t candidate) const {
    OptionValues values = values_;
    const std::vector<std::size_t> places = grid_.places(table_.candidates[candidate].point);
    for (std::size_t j = 0; j < places.size(); ++j) {
        const select::Axis &axis = grid_.axes()[j];
        values.parse(find_option(axis.name), axis.values[places[j]]);
    }
    return values;
}

void Candidates::report(std::size_t candidate) const {
    control_.report(
        {"candidates", static_cast<std::int64_t>(candidate), static_cast<std::int64_t>(count())});
}

}  // namespace dpadapt::engine
