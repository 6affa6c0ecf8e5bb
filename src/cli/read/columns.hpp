#pragma once

#include <cstddef>
#include <optional>
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
    /** The names of what it makes. */
    [[nodiscard]] std::vector<std::string> names() const;
    /** Null where it does not make that column. */
    [[nodiscard]] const Column *find(const std::string &name) const;
};

inline const ColumnMap kNoMap{};  // makes no column

/** The column's value; if an input is not a number, the first such cell. */
[[nodiscard]] schema::Cell value_of(const ColumnMap::Column &column,
                                    std::span<const schema::Cell> inputs);

/** Reads a table: the first column has names of the target's columns, the header names of the
 *  source's, and (constant) for what is added; cells are factors, blanks are 0. An empty path is an
 *  empty map. Throws Failure(kBadData). */
[[nodiscard]] ColumnMap read_column_map(const std::string &path);

/** Columns that are no features, by name; empty: there is none. */
struct ColumnUses {
    std::string label;
    std::string event{};    // says whether a time, the label, ended in one: gives it its sign
    std::string scores{};   // of a given model, taken from the labels
    std::string weights{};  // of rows, which are alike without them; a file may lack it
    std::string group{};    // of the persons to whom private rows of the target belong

    /** Those that there are. */
    [[nodiscard]] std::vector<std::string> names() const;
};

/** A column, and its words for the rows of each sample. */
struct Domain {
    std::string column{};
    std::string source = "source";
    std::string target = "target";
};

/** Which columns are wanted, by name. */
struct ColumnChoice : ColumnUses {
    std::vector<std::string> features{};  // empty: every column without another use
    std::vector<std::string> ignored{};
    std::vector<std::string> hidden{};  // features that --compute alone reads
    bool weighs_private = false;      // private rows have weights too, which row_weight_bound clips
    Domain domain{};                  // never a feature, even when it is not read
    std::vector<std::string> kept{};  // whose texts are kept
    const ColumnMap *map = &kNoMap;   // of the source's rows; features are those that it makes
    bool by_domain = false;           // rows belong to the sample that the domain column names
    bool may_lack_label = false;      // a file without its column has rows without labels
    bool of_other_file = false;       // features are all that the other sample has
    bool by_group = false;            // private target rows belong to the persons of the group
};

/** The columns of a file for each use. */
struct Places {
    std::vector<std::optional<std::size_t>> features;  // none: the map makes it
    std::vector<std::size_t> inputs;                   // of the map
    std::vector<std::size_t> kept;
    std::optional<std::size_t> label, event, scores, weight, domain, group;
};

/** Finds them, and fills in choice.features when that is empty; a label that the file may lack, and
 *  does, is no longer chosen, nor are weights.
 *  Throws Failure(kBadData) for a wanted column that the file does not have. */
[[nodiscard]] Places place_columns(const std::string &path, const std::vector<std::string> &names,
                                   ColumnChoice &choice);

/** A place in a file for a message; the column's name is shown where there is one. */
[[nodiscard]] std::string place_in_file(const std::string &path, std::size_t line,
                                        std::size_t column, const std::string &name = {});

}  // namespace dpadapt::cli
