#pragma once

#include <string>
#include <vector>

#include "cli/read/samples.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** Where a result came from, for whoever reads its report: date, command, options that were set,
 *  columns, digests of public files (SHA-256, as sha256sum prints) and of the model. A private file
 *  has no digest: who guesses its content could check the guess. Made before a payment: public
 *  files are read anew. */
[[nodiscard]] Json provenance(const std::string &command, const DataArguments &data,
                              const std::vector<std::string> &assignments, const Samples &samples);

/** Adds the digest of the text of the model file. */
void add_model(const std::string &text, Json &provenance);

/** The same, one line each. */
[[nodiscard]] std::string provenance_text(const Json &provenance);

/** Throws Failure(kBadData) unless it has the members of a provenance.
 *  @param name  Of the report, for messages. */
void check_provenance(const Json &provenance, const std::string &name);

/** The report with it as the last member. */
[[nodiscard]] std::string with_provenance(const std::string &report, const Json &provenance);

}  // namespace dpadapt::cli
