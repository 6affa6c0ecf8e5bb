#pragma once

#include "cli/report.hpp"

namespace dpadapt::cli {

/** Adds to the report of a fit what a person should know of it: used_private_data, which is whether
 *  the private rows moved the coefficients (null where nobody can tell), and notes, sentences.
 *  All from released values and public inputs.
 *  @param labels  Of the schema: those that count. */
void add_findings(const dpa_solution *solution, const schema::Labels &labels, Json &report);

/** The privacy report of a fit as text, with the notes below its first paragraph, in the place of
 *  the library's findings, which know no names of labels. */
[[nodiscard]] std::string with_notes(const std::string &text, const dpa_solution *solution,
                                     const Json &notes);

}  // namespace dpadapt::cli
