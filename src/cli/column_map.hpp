#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/cell.hpp"

namespace dpadapt::cli {

/** How columns of the target are made of columns of the source, row by row: sums of numbers of a
 *  row by public factors. */
struct ColumnMap {
    struct Term {
        std::size_t input;
        double factor;
    };
    struct Column {
        std::string name;
        double constant = 0.0;
        std::vector<Term> terms;
    };

    std::vector<std::string> inputs;  // columns of the source, which are no features then
    std::vector<Column> columns;      // of the target

    [[nodiscard]] bool empty() const { return columns.empty(); }
    [[nodiscard]] bool reads(const std::string &name) const;
    /** Null where it does not make that column. */
    [[nodiscard]] const Column *find(const std::string &name) const;
};

/** Its value; the first cell that is no number where one of them is none. */
[[nodiscard]] schema::Cell value_of(const ColumnMap::Column &column,
                                    std::span<const schema::Cell> inputs);

/** Reads a table: the first column has names of the target's columns, the header names of the
 *  source's, and (constant) for what is added; cells are factors, blanks are 0. An empty path is an
 *  empty map. Throws Failure(kBadData). */
[[nodiscard]] ColumnMap read_column_map(const std::string &path);

}  // namespace dpadapt::cli
