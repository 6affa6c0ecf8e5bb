#include "capi/candidates.hpp"

#include <limits>

namespace dpadapt::capi {
namespace {

/** Whether a fit failed for reasons that another candidate need not share. */
bool is_its_own_fault(dpa_status status) {
    return status == DPA_E_NUMERICAL || status == DPA_E_OPTION || status == DPA_E_UNSUPPORTED;
}

}  // namespace

void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases) {
    if (ledger.budget()) return ledger.check(releases);
    if (!budget)
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set: private records need a budget");
    privacy::Ledger trial;
    trial.set_budget(*budget);
    trial.check(releases);
}

Candidates::Candidates(const select::Grid &grid, dpa_problem &problem,
                       const baseline::MethodSpec *method, const OptionValues &values,
                       Control &control)
    : grid_(grid),
      points_(grid.points()),
      problem_(problem),
      method_(method),
      values_(values),
      control_(control) {}

void Candidates::check_prices() const {
    std::vector<privacy::Release> releases;
    std::optional<privacy::Budget> first;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        report(k);
        const OptionValues values = options(k);
        const privacy::Plan plan = method_ != nullptr
                                       ? plan_baseline(problem_, *method_, values, control_)
                                       : plan_fit(problem_, values, control_);
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
    for (std::size_t k = 0; k < points_.size(); ++k) {
        try {
            const LossSettings loss = fit_settings(method_, options(k)).loss;
            list.push_back({.kind = loss.kind, .output = loss.output});
        } catch (const Error &error) {
            if (!may_leave_out || !is_its_own_fault(error.status())) throw;
        }
    }
    return list;
}

void Candidates::fit_all(bool may_leave_out, const std::string &choice) {
    std::optional<Error> first;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        report(k);
        status_.push_back(DPA_OK);
        reason_.emplace_back();
        try {
            fits_.push_back(fit_one(options(k), choice));
            fitted_.push_back(k);
        } catch (const Error &error) {
            if (!may_leave_out || !is_its_own_fault(error.status())) throw;
            status_.back() = error.status();
            reason_.back() = error.what();
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

SearchTable Candidates::table(std::size_t chosen, const std::vector<double> &means) const {
    SearchTable table{points_, status_, reason_, {}, fitted_[chosen]};
    if (!means.empty())
        table.losses.resize(points_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t fit = 0; fit < means.size(); ++fit) table.losses[fitted_[fit]] = means[fit];
    return table;
}

OptionValues Candidates::options(std::size_t candidate) const {
    OptionValues values = values_;
    const std::vector<std::size_t> places = grid_.places(points_[candidate]);
    for (std::size_t j = 0; j < places.size(); ++j) {
        const select::Axis &axis = grid_.axes()[j];
        values.parse(engine::find_option(axis.name), axis.values[places[j]]);
    }
    return values;
}

Solution Candidates::fit_one(const OptionValues &values, const std::string &choice) {
    return method_ != nullptr ? fit_baseline(problem_, *method_, values, control_, choice)
                              : fit(problem_, values, control_, choice);
}

void Candidates::report(std::size_t candidate) const {
    control_.report({"candidates", static_cast<std::int64_t>(candidate),
                     static_cast<std::int64_t>(points_.size())});
}

}  // namespace dpadapt::capi
