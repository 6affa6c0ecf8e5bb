#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/schema.hpp"
#include "schema/table.hpp"

namespace dpadapt::schema {

/** What a user says about the columns. */
struct Hints {
    LabelKind labels = LabelKind::numbers;
    std::string positive;                 ///< the value of the label that is +1; empty: chosen
    std::vector<std::string> classes;     ///< of the label, in their order; empty: it is chosen
    std::vector<std::string> categories;  ///< columns that must be categories
    std::vector<std::string> texts;       ///< columns that are categories even if they are numbers
    std::vector<std::string> booleans;    ///< columns of a named table whose type is boolean
    std::vector<std::string> ignored;     ///< columns that are no features
    std::vector<Computed> computed;       ///< features beside those of the columns
    std::vector<std::string> missing;     ///< words for a missing value
    bool keeps_numbers = false;           ///< numbers are features even if they are constant or ids
    bool knows_classes = false;           ///< the number of classes is given, so they are numbered

    [[nodiscard]] bool ignores(const std::string &column) const;
    /** Whether a computed feature reads it. */
    [[nodiscard]] bool computes_from(const std::string &column) const;
};

/** A cell that a column cannot use. */
struct InvalidCell {
    std::size_t row;
    std::size_t column;        ///< the number of columns stands for the label
    std::string reason;        ///< empty: it is no number
    bool is_computed = false;  ///< a feature computed from it has no finite value
};

struct LearntSchema {
    Schema schema;
    std::vector<Dropped> unusable;     ///< those of Hints::categories that cannot be any
    std::vector<InvalidCell> invalid;  ///< if there are any, the schema is of no use
};

/** The note on public rows without a label; empty if there are none. */
[[nodiscard]] std::string left_out(std::size_t rows);

/** Learns from public rows.
 *  @param names   of the columns
 *  @param table   those columns, and the label behind them */
[[nodiscard]] LearntSchema learn(const std::vector<std::string> &names, const Table &table,
                                 const Hints &hints);

/** What is seen fewer times than this is rare: 1 record in 100, and 10 records, or a quarter of
 *  very few. */
[[nodiscard]] std::size_t common_from(std::size_t rows);

/** Adds the computed features; Error(DPA_E_INVALID_ARGUMENT) without their columns, and for a name
 *  that another feature has. */
void add_computed(const Hints &hints, Schema &schema);

}  // namespace dpadapt::schema
