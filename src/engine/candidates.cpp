#include "engine/candidates.hpp"

#include <limits>

#include "engine/plan.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"

namespace dpadapt::engine {

namespace {

/** Whether a fit failed for reasons that another candidate need not share. */
bool is_its_own_fault(dpa_status status) {
    return status == DPA_E_NUMERICAL || status == DPA_E_OPTION || status == DPA_E_UNSUPPORTED;
}

SelectionLoss common_loss(std::span<const Solution *const> candidates, const Settings &settings) {
    std::vector<loss::Choice> choices;
    for (const Solution *candidate : candidates) choices.push_back(candidate->loss);
    return select::common_loss(choices, settings.selection.loss);
}

std::size_t select_privately(Problem &validation, std::span<const Solution *const> candidates,
                             const Settings &settings, Control &control) {
    select::PrivateSelection selection(validation.target(), settings,
                                       common_loss(candidates, settings), candidates.size());
    selection.charge(validation.ledger);
    return selection.release(candidates, control);
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
                                      "; dpa_problem_set_budget, in the command "
                                      "--budget EPSILON,DELTA fixes a larger budget first");
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
    const UnreadOptions unread = unread_by_all();
    std::optional<Error> first;
    for (std::size_t k = 0; k < count(); ++k) {
        report(k);
        try {
            fits_.push_back(
                fit_held(problem_, method_, nullptr, options(k), control_, choice, &unread));
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

UnreadOptions Candidates::unread_by_all() const {
    std::optional<UnreadOptions> common;
    const char *baseline = method_ != nullptr ? method_->name : nullptr;
    for (std::size_t k = 0; k < count(); ++k) {
        try {
            const OptionValues values = options(k);
            const UnreadOptions own =
                unread_options(values, fit_settings(method_, values), Wanted::fit, baseline);
            if (!common) common = own;
            std::erase_if(*common, [&](const auto &one) { return !own.contains(one.first); });
        } catch (const Error &error) {
            if (!is_its_own_fault(error.status())) throw;
        }
    }
    return common.value_or(UnreadOptions{});
}

void Candidates::report(std::size_t candidate) const {
    control_.report({"candidates", candidate, count()});
}

Problem::Beside models(std::span<const Solution *const> solutions) {
    return [solutions](const auto &bytes) {
        for (const Solution *solution : solutions) {
            Solution read = predictor_of(*solution);
            // mutant: job_of_another_error_bound
            read.settings = solution->settings;
            read.calibration = solution->calibration;
            const std::vector<std::uint8_t> file = serialize(read);
            bytes(file.data(), file.size());
        }
    };
}

void check_features(const Sample &rows, std::size_t features, const char *what) {
    if (rows.features() == features) return;
    throw Error(DPA_E_DIMENSION,
                std::string(what) + " must have the features of the validation rows, " +
                    std::to_string(rows.features()) + ", but has " + std::to_string(features));
}

bool selects_privately(const Settings &settings) {
    return (settings.privacy.domains & privacy::kTarget) != 0;
}

std::vector<double> mean_losses(Problem &validation, std::span<const Solution *const> candidates,
                                const Settings &settings, Control &control) {
    const SelectionLoss loss = common_loss(candidates, settings);
    validation.use_public_target(settings.privacy);
    const Sample &rows =
        check_finite(check_labelled(validation.target()), "validation", settings.threads);
    std::vector<double> means;
    for (const Solution *candidate : candidates) {
        control.report({"selection", means.size(), candidates.size()});
        means.push_back(select::mean_loss(*candidate, rows, loss));
    }
    return means;
}

std::size_t select(Problem &validation, std::span<const Solution *const> candidates,
                   const OptionValues &values, Control &control) {
    const Settings settings = make_settings(values, Wanted::fit);
    const Usage::Hold hold(validation.usage, settings.privacy.domains != 0);
    check_unseen_weights(validation, settings, "a private selection");
    validation.admit(settings.privacy, values, "select", models(candidates));
    const Sample &rows = validation.target("validation");
    for (const Solution *candidate : candidates)
        check_features(rows, candidate->features(), "every candidate");
    return selects_privately(settings)
               ? select_privately(validation, candidates, settings, control)
               : select::least_mean(mean_losses(validation, candidates, settings, control));
}

}  // namespace dpadapt::engine
