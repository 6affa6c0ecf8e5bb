#pragma once

#include <string>

#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"

namespace dpadapt::cli {

/** A price of a report as epsilon at delta (null beyond what the accountant tells), mu and the
 *  other parts.
 *  @param records  Of one person, which move a release so many times as far. */
[[nodiscard]] Json price_of(const Json &cost, double delta, int records = 1);

/** The same in words. */
[[nodiscard]] std::string in_words(const Json &price);

/** What the report of a ledger has spent and left, at its delta. */
[[nodiscard]] Json state_of(const Json &ledger);

/** Adds `ledger_left`, what the ledger has left now: nothing without a ledger, null if it cannot be
 *  read, because what was paid for must be printed all the same. */
void add_left(const LedgerHandle &ledger, Json &report);

/** That as a last line; empty if it is not there. */
[[nodiscard]] std::string left_text(const Json &report);

}  // namespace dpadapt::cli
