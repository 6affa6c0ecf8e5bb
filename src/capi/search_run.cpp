#include <dpadapt/select.h>

#include <limits>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/fits.hpp"
#include "capi/guard.hpp"
#include "capi/selection.hpp"
#include "select/least_mean.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** Why a candidate may be left out: its options do not suit the public data, or each other. */
bool is_its_own_fault(dpa_status status) {
    return status == DPA_E_NUMERICAL || status == DPA_E_OPTION || status == DPA_E_UNSUPPORTED;
}

/** Throws Error(DPA_E_BUDGET) if the ledger, with that budget unless it has one, does not allow these releases. */
void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases) {
    if (ledger.budget() || !budget) return ledger.check(releases);
    privacy::Ledger trial;
    trial.set_budget(*budget);
    trial.check(releases);
}

/** The candidates of a search, fitted one after the other. */
class Search {
  public:
    Search(const select::Grid &grid, dpa_problem &problem, const baseline::MethodSpec *method,
           const OptionValues &values, Control &control)
        : grid_(grid),
          points_(grid.points()),
          problem_(problem),
          method_(method),
          values_(values),
          control_(control) {}

    /** Plans every fit, and reads no private record. */
    void check_prices() const {
        std::vector<privacy::Release> releases;
        std::optional<privacy::Budget> first;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            report(k);
            const OptionValues values = candidate(k);
            const privacy::Plan plan = method_ != nullptr
                                           ? plan_baseline(problem_, *method_, values, control_)
                                           : plan_fit(problem_, values, control_);
            if (k == 0) first = plan.budget;
            releases.insert(releases.end(), plan.releases.begin(), plan.releases.end());
        }
        check_price(problem_.ledger, first, releases);
    }

    /** What the candidates predict, as far as it decides how they are compared. */
    [[nodiscard]] std::vector<loss::Choice> choices() const {
        std::vector<loss::Choice> list;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            const LossSettings loss = make_settings(candidate(k), Wanted::fit).loss;
            list.push_back({.kind = loss.kind, .output = loss.output});
        }
        return list;
    }

    void fit_all(bool may_leave_out) {
        std::optional<Error> first;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            report(k);
            status_.push_back(DPA_OK);
            try {
                fits_.push_back(fit(candidate(k)));
                fitted_.push_back(k);
            } catch (const Error &error) {
                if (!may_leave_out || !is_its_own_fault(error.status())) throw;
                status_.back() = error.status();
                if (!first) first = error;
            }
        }
        if (fits_.empty()) throw *first;
    }

    [[nodiscard]] std::vector<const Solution *> fits() const {
        std::vector<const Solution *> list;
        for (const Solution &solution : fits_) list.push_back(&solution);
        return list;
    }

    [[nodiscard]] Solution take(std::size_t fit) { return std::move(fits_[fit]); }

    /** @param means  Of the fits; empty: not released. */
    [[nodiscard]] SearchTable table(std::size_t chosen, const std::vector<double> &means) const {
        SearchTable table{points_, status_, {}, fitted_[chosen]};
        if (!means.empty())
            table.losses.resize(points_.size(), std::numeric_limits<double>::quiet_NaN());
        for (std::size_t fit = 0; fit < means.size(); ++fit)
            table.losses[fitted_[fit]] = means[fit];
        return table;
    }

  private:
    [[nodiscard]] OptionValues candidate(std::size_t k) const {
        OptionValues values = values_;
        const std::vector<std::size_t> places = grid_.places(points_[k]);
        for (std::size_t j = 0; j < places.size(); ++j) {
            const select::Axis &axis = grid_.axes()[j];
            values.parse(find_option(axis.name), axis.values[places[j]]);
        }
        return values;
    }

    [[nodiscard]] Solution fit(const OptionValues &values) {
        return method_ != nullptr ? fit_baseline(problem_, *method_, values, control_)
                                  : capi::fit(problem_, values, control_);
    }

    void report(std::size_t k) const {
        control_.report({"candidates", static_cast<std::int64_t>(k),
                         static_cast<std::int64_t>(points_.size())});
    }

    const select::Grid &grid_;
    std::vector<std::uint64_t> points_;
    dpa_problem &problem_;
    const baseline::MethodSpec *method_;
    const OptionValues &values_;
    Control &control_;
    std::vector<dpa_status> status_;
    std::vector<Solution> fits_;
    std::vector<std::size_t> fitted_;  ///< which candidates they are
};

SearchTable run_plainly(Search &search, dpa_problem &validation, const Settings &settings,
                        Control &control, Solution &best) {
    if (settings.privacy.domains != 0) search.check_prices();
    search.fit_all(settings.privacy.domains == 0);
    const std::vector<double> means = mean_losses(validation, search.fits(), settings, control);
    const std::size_t chosen = select::least_mean(means);
    best = search.take(chosen);
    return search.table(chosen, means);
}

SearchTable run_privately(Search &search, dpa_problem &validation, const Settings &settings,
                          Control &control, Solution &best) {
    const std::vector<loss::Choice> choices = search.choices();
    const SelectionLoss loss = select::common_loss(choices, settings.selection.loss);
    select::PrivateSelection selection(*validation.target, settings, loss, choices.size());
    check_price(validation.ledger, selection.plan().budget, selection.plan().releases);
    search.check_prices();
    search.fit_all(false);
    selection.charge(validation.ledger);
    const std::size_t chosen = selection.release(search.fits(), control);
    best = search.take(chosen);
    return search.table(chosen, {});
}

}  // namespace

dpa_status dpa_search_run(dpa_search *search, dpa_problem *problem, dpa_problem *validation,
                          const char *method, const dpa_options *options, dpa_solution **out) {
    return guard("dpa_search_run", [&] {
        dpa_solution *&result = output(out);
        dpa_search &own = checked(search, "search");
        const auto &[source, target] = both_samples(problem);
        check_features(validation_rows(validation), source.features(), "problem");
        if (problem == validation)
            throw Error(DPA_E_INVALID_ARGUMENT, "validation must be another problem than problem");
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        const baseline::MethodSpec *spec =
            method == nullptr ? nullptr : &baseline::find_method(method);
        const Settings settings = make_settings(used.values, Wanted::fit);
        const bool exclusive = settings.privacy.domains != 0;
        const Usage::Hold search_hold(own.usage, true);
        const Usage::Hold hold(problem->usage, exclusive);
        const Usage::Hold validation_hold(validation->usage, exclusive);
        Caller caller(used);
        auto handle = std::make_unique<dpa_solution>();
        Search candidates(own.grid, *problem, spec, used.values, caller);
        const auto run = selects_privately(settings) ? run_privately : run_plainly;
        own.table = run(candidates, *validation, settings, caller, handle->value);
        result = handle.release();
    });
}
