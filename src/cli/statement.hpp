#pragma once

#include <stdexcept>

#include "cli/report.hpp"
#include "privacy/report.hpp"

namespace dpadapt::cli {

/** Why a report is not what it seems. */
class Contradiction : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** The facts that a privacy report rests on: releases, budget, ledger, sizes, and what was taken
 *  without protection. Everything else in it follows from them. Throws Contradiction, which names
 *  the member, where a fact is missing, or where facts contradict each other. */
[[nodiscard]] privacy::Statement statement_in(const Json &report);

/** The exact price in a member such as `spent`; throws as the other does. */
[[nodiscard]] privacy::Cost cost_in(const Json &member);

}  // namespace dpadapt::cli
