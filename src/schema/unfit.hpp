#pragma once

#include <string>
#include <vector>

#include "schema/labelled_schema.hpp"

namespace dpadapt::schema {

/** Cells of a column that do not fit for one reason: how many, and the first five different
 *  ones. */
struct UnfitCells {
    std::size_t count = 0;
    std::vector<std::string> first;

    void add(const Cell &cell);
};

/** What of a table does not fit the schema, a line for each column and reason: counts, which are as
 *  private as the table. */
[[nodiscard]] std::vector<std::string> unfit(const LabelledSchema &own, const NamedTable &table);

/** In words, such as "ward: 100 of 300 rows have a level that the schema does not know: "C"". */
[[nodiscard]] std::string unfit_cells(const Column &column, Fit fit, const UnfitCells &cells,
                                      std::size_t rows);

}  // namespace dpadapt::schema
