#pragma once

#include <span>

#include "engine/options.hpp"
#include "engine/problem.hpp"

namespace dpadapt::engine {

/** Fixes the budget of a problem, divided as the options say. */
void set_budget(Problem &problem, const OptionValues &values);

/** Throws Error(DPA_E_BUDGET) if the ledger, with that budget unless it has one, does not allow
 *  these releases. */
void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases);

}  // namespace dpadapt::engine
