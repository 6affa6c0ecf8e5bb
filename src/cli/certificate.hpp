#pragma once

#include "cli/handles.hpp"
#include "cli/report.hpp"

namespace dpadapt::cli {

/** A privacy report that is what the library writes of the releases in it, byte by byte. Throws
 *  Failure(kBadData), which names the member that is not.
 *  @param text    Without a signature, and without the newline at the end of the file.
 *  @param name    Of the report, for messages.
 *  @param ledger  Must have all that the report states of it; empty: it is not compared. */
[[nodiscard]] Json checked_report(const std::string &text, const std::string &name,
                                  const LedgerHandle &ledger = {});

/** What a report has only from whoever signed it: lines for people, each with the member's name.
 *  Nothing else in the report rests on it. */
[[nodiscard]] std::string words_of_signer(const Json &report);

}  // namespace dpadapt::cli
