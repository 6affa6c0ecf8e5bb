#pragma once

#include <span>

#include "engine/options.hpp"
#include "engine/problem.hpp"

namespace dpadapt::engine {

/** A budget, and the samples that it is for. */
struct PaidBudget {
    privacy::Domains domains;
    privacy::Budget budget;
    std::optional<privacy::Unit> unit;  ///< if the options say it
};

/** What the options say about a budget; throws Error(DPA_E_OPTION). */
[[nodiscard]] PaidBudget make_budget(const OptionValues &values);

/** Fixes the budget of a problem, divided as the options say. */
void set_budget(Problem &problem, const OptionValues &values);

/** A number of the problem's budget, of what is spent or of what is left, by the name that
 *  privacy.h documents. Throws Error(DPA_E_OPTION_NAME) for other names, Error(DPA_E_STATE) where
 *  it needs a budget and there is none yet. Any thread, at any time. */
[[nodiscard]] double budget_number(const Problem &problem, std::string_view name);

/** Throws Error(DPA_E_BUDGET) if the ledger, with that budget unless it has one, does not allow
 *  these releases. */
void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases);

}  // namespace dpadapt::engine
