#include "engine/search.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "engine/plan.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "select/private_selection.hpp"

namespace dpadapt::engine {
namespace {

/** Options that are about all candidates together. */
constexpr std::array kCommonOptions{
    Option::private_domain, Option::neighbours,        Option::unit,           Option::unsafe_seed,
    Option::selection_loss, Option::selection_epsilon, Option::selection_bound};

/** What all candidates share. The other options need not go together before a point of the grid is
 *  set in them. */
Settings common_settings(const OptionValues &values) {
    OptionValues common;
    for (const Option option : kCommonOptions) common.copy(option, values);
    for (const Option option : {Option::threads, Option::row_weight_bound})
        common.copy(option, values);
    return make_settings(common, Wanted::fit);
}

std::string without_blanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    return std::string(text.substr(begin, std::max(begin, end) - begin));
}

/** The values of an axis, each of which the option accepts. */
std::vector<std::string> checked_values(Option option, std::string_view text) {
    OptionValues values;
    std::vector<std::string> list;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        list.push_back(without_blanks(text.substr(at, end - at)));
        values.parse(option, list.back());
        at = end + 1;
    }
    return list;
}

/** For the report of a fit, whose promise is about the records that it was fitted on. */
std::string choice_in_words(std::size_t candidates, const Sample &rows, const Settings &settings) {
    return "one of " + std::to_string(candidates) + " fits, chosen by " +
           (rows.persons() ? "the rows of " : "") + std::to_string(rows.units()) +
           (rows.persons() ? " persons" : " private validation rows") +
           " at selection_epsilon = " + to_text(*settings.selection.epsilon) +
           ": the promise above does not cover these rows, which have the budget and the report of "
           "their own problem";
}

SearchResult run_plainly(Candidates &candidates, Problem &validation, const Settings &settings,
                         Control &control) {
    (void)check_finite(check_labelled(validation.target()), "validation", settings.threads);
    const bool may_leave_out = settings.privacy.domains == 0;
    (void)select::common_loss(candidates.choices(may_leave_out), settings.selection.loss);
    if (settings.privacy.domains != 0) candidates.check_prices();
    candidates.fit_all(may_leave_out, {});
    const std::vector<double> means = mean_losses(validation, candidates.fits(), settings, control);
    return candidates.take(select::least_mean(means), means);
}

SearchResult run_privately(Candidates &candidates, Problem &validation, const Settings &settings,
                           Control &control) {
    const Sample &rows = validation.target();
    const SelectionLoss loss =
        select::common_loss(candidates.choices(false), settings.selection.loss);
    select::PrivateSelection selection(rows, settings, loss, candidates.count());
    check_price(validation.ledger, selection.plan().budget, selection.plan().releases);
    candidates.check_prices();
    candidates.fit_all(false, choice_in_words(candidates.count(), rows, settings));
    selection.charge(validation.ledger);
    return candidates.take(selection.release(candidates.fits(), control), {});
}

}  // namespace

void Search::add(std::string_view option, std::string_view values) {
    const Usage::Hold hold(usage_, true);
    const Option axis = find_option(option);
    if (std::find(kCommonOptions.begin(), kCommonOptions.end(), axis) != kCommonOptions.end())
        throw Error(DPA_E_OPTION, "option " + std::string(option) +
                                      " is about all candidates and cannot be an axis");
    grid_.add({option_spec(axis).name, checked_values(axis, values)});
    table_.reset();
}

std::uint64_t Search::count() const {
    const Usage::Hold hold(usage_, false);
    return grid_.count();
}

Solution Search::run(Problem &problem, Problem &validation, const baseline::MethodSpec *method,
                     const OptionValues &values, Control &control) {
    if (&problem == &validation)
        throw Error(DPA_E_INVALID_ARGUMENT, "validation must be another problem than problem");
    const Settings settings = common_settings(values);
    const bool exclusive = settings.privacy.domains != 0;
    const Usage::Hold hold(usage_, true);
    const Usage::Hold problem_hold(problem.usage, exclusive);
    const Usage::Hold validation_hold(validation.usage, exclusive);
    problem.check_allowed(settings.privacy);
    check_row_weights(problem, settings, method);
    check_unseen_weights(validation, settings, "a private search");
    validation.admit(settings.privacy, values, "search", [&](const auto &bytes) {
        const auto word = [&](const std::string &text) { bytes(text.c_str(), text.size() + 1); };
        word(method != nullptr ? method->name : "");
        for (const select::Axis &axis : grid_.axes()) {
            word(axis.name);
            // mutant: searches_of_other_grids
            std::ranges::for_each(axis.values, word);
            word("");
        }
        // mutant: searches_of_other_fits
        word(problem.mark_of_job());
    });
    const Sample &rows = validation.target("validation");
    problem.check_complete();
    check_features(rows, problem.source().features(), "problem");
    if (exclusive)
        for (const Problem *each : {&problem, &validation})
            each->ledger.check_domains(settings.privacy.domains);
    Candidates candidates(grid_, problem, method, values, control);
    const auto run = selects_privately(settings) ? run_privately : run_plainly;
    SearchResult result = run(candidates, validation, settings, control);
    table_ = std::move(result.table);
    return std::move(result.best);
}

std::size_t Search::chosen() const {
    const Usage::Hold hold(usage_, false);
    (void)row(0);
    return table_->chosen;
}

CandidateResult Search::candidate(std::size_t index) const {
    const Usage::Hold hold(usage_, false);
    return row(index);
}

std::string Search::setting(std::size_t index, std::string_view option) const {
    const Usage::Hold hold(usage_, false);
    const std::vector<std::size_t> places = grid_.places(row(index).point);
    for (std::size_t k = 0; k < places.size(); ++k)
        if (grid_.axes()[k].name == option) return grid_.axes()[k].values[places[k]];
    throw Error(DPA_E_OPTION_NAME, "the search has no axis " + in_quotes(option));
}

const CandidateResult &Search::row(std::size_t index) const {
    if (!table_) throw Error(DPA_E_STATE, "the search has not run yet");
    const std::size_t count = table_->candidates.size();
    if (index < count) return table_->candidates[index];
    throw Error(DPA_E_INVALID_ARGUMENT, "index must be below " + std::to_string(count) +
                                            ", the number of candidates, but is " +
                                            std::to_string(index));
}

}  // namespace dpadapt::engine
