#pragma once

#include "cli/report.hpp"

namespace dpadapt::cli {

/** A report in JSON; Failure(kBadData) unless it is one, of the schema that this version writes. */
[[nodiscard]] Json parse_certificate(const std::string &text, const std::string &name);

/** Computes every number of the guarantee again, from the integers of the releases alone, and
 *  compares the words that follow from them. Throws Failure(kBadData) that names the first that is
 *  wrong.
 *  @return how many were compared. */
std::size_t check_numbers(const Json &report, const std::string &name);

/** Failure(kBadData) unless the ledger has all that the report says of it.
 *  @param ledger  The report of a ledger. */
void check_ledger(const Json &report, const Json &ledger, const std::string &name);

}  // namespace dpadapt::cli
