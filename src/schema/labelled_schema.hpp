#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schema/learn.hpp"
#include "schema/named_table.hpp"

namespace dpadapt::schema {

/** A schema and the names of the columns that are no features. */
struct LabelledSchema {
    Schema schema;
    std::string label;
    std::string scores{};  ///< column of a given model's scores, which are added; empty: none
    std::string event{};   ///< column that says whether a time ended in one; empty: its sign does
    std::vector<std::string> loss{};  ///< that it was learnt for: its options, "name=value"

    /** Features and labels of a table whose columns have these names; each record by itself.
     *  @param x  rows x features, row by row
     *  @param y  empty where labels are not wanted */
    void apply(const NamedTable &table, std::span<double> x, std::span<double> y) const;

    /** Error(DPA_E_INVALID_ARGUMENT) if the type of a column, boolean, has no value of the schema.
     *  Types are public, and no value is looked at. */
    void check_booleans(const NamedTable &table, bool of_label) const;

    /** Error(DPA_E_FORMAT) if a name or a level is not UTF-8, which a model file cannot hold. */
    void check_texts() const;

    [[nodiscard]] std::vector<std::uint8_t> write() const;
    /** Error(DPA_E_FORMAT) for anything that write() did not return. */
    [[nodiscard]] static LabelledSchema read(std::span<const std::uint8_t> bytes);
};

/** Learns from public rows by the table's hints; what is wrong with them is an Error that names the
 *  cell.
 *  @param asked  What the loss says about labels. */
[[nodiscard]] LabelledSchema learn_named(const NamedTable &table, const std::string &label,
                                         const Hints &asked);

/** Where the table has that column; Error(DPA_E_INVALID_ARGUMENT) if it has none. */
[[nodiscard]] std::size_t place_of(const NamedTable &table, const std::string &name);

}  // namespace dpadapt::schema
