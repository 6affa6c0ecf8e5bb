#pragma once

#include "cli/report.hpp"

namespace dpadapt::cli {

/** Adds to the report of a fit what a person should know of it: used_private_data, which is whether
 *  the private rows moved the coefficients (null where that is not released), and notes, sentences.
 *  All from released values and public numbers that the report has already. */
void add_findings(Json &report);

/** The privacy report of a fit as text, with the notes below its first paragraph. */
[[nodiscard]] std::string with_notes(const std::string &text, const Json &notes);

}  // namespace dpadapt::cli
