#pragma once

#include "cli/report.hpp"

namespace dpadapt::cli {

/** A privacy report that is what the library writes of the facts in it, byte by byte. Throws
 *  Failure(kBadData), which names the member that is not.
 *  @param text  Without a signature, and without the newline at the end of the file.
 *  @param name  Of the report, for messages. */
[[nodiscard]] Json checked_report(const std::string &text, const std::string &name);

/** Failure(kBadData) unless the ledger has all that the report says of it.
 *  @param ledger  The report of a ledger. */
void check_ledger(const Json &report, const Json &ledger, const std::string &name);

/** What a report has only from whoever signed it: lines for people, each with the member's name.
 *  Nothing else in the report rests on it. */
[[nodiscard]] std::string words_of_signer(const Json &report);

}  // namespace dpadapt::cli
