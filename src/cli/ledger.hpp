#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "cli/handles.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {

/** Adds --ledger. */
Argument add_ledger_argument(Command &command, std::string &path);

/** The ledger of that file; none if the path is empty. Failure(kUsage) where nothing is private. */
[[nodiscard]] LedgerHandle open_ledger(const std::string &path, const Settings &settings);

/** The problem pays from the ledger, if there is one. */
void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger);

}  // namespace dpadapt::cli
