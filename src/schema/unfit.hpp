#pragma once

#include <string>
#include <vector>

#include "schema/labelled_schema.hpp"

namespace dpadapt::schema {

/** What of a table does not fit the schema, a line for each column and reason: counts, which are as
 *  private as the table. */
[[nodiscard]] std::vector<std::string> unfit(const LabelledSchema &own, const NamedTable &table);

/** In words, of so many cells. */
[[nodiscard]] std::string unfit_cells(const Column &column, Fit fit, std::size_t count);

}  // namespace dpadapt::schema
