#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "cli/handles.hpp"
#include "cli/report.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {

/** Adds --ledger. */
Argument add_ledger_argument(Command &command, std::string &path);

/** The ledger of that file; none if the path is empty. Failure(kUsage) where nothing is private. */
[[nodiscard]] LedgerHandle open_ledger(const std::string &path, const Settings &settings);

[[nodiscard]] LedgerHandle open_ledger_file(const std::string &path);

/** What the ledger holds. */
[[nodiscard]] Json ledger_facts(const LedgerHandle &ledger);

/** Failure(kBadData) unless a block of the ledger, which is in that file, has that hash. */
void check_head(const LedgerHandle &ledger, const std::string &path, const std::string &head);

/** The problem pays from the ledger, if there is one. */
void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger);

}  // namespace dpadapt::cli
