#pragma once

#include <string_view>

#include "privacy/report.hpp"

namespace dpadapt::privacy {

/** The facts of which a report in JSON is written, all of which stand in it. */
[[nodiscard]] std::vector<std::uint8_t> write_statement(const Statement &statement);

/** Reads them back. Throws Error(DPA_E_FORMAT) for facts that no problem has: releases that its
 *  budget does not pay, prices that are not those of their noise, entries that do not follow one
 *  another. */
[[nodiscard]] Statement read_statement(std::span<const std::uint8_t> bytes);

/** Throws Error(DPA_E_FORMAT), which names the member, unless the text is byte by byte the report
 *  that write_report() makes of the statement in it, which is returned.
 *  @param last  The name of a further member at the end, which is not looked at; may be empty. */
Statement check_report(std::string_view json, std::string_view last);

/** Throws Error(DPA_E_FORMAT), which names the member, unless the ledger has all that the statement
 *  says of it. */
void check_ledger(const Statement &statement, const LedgerContent &ledger);

}  // namespace dpadapt::privacy
