#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/column.hpp"
#include "schema/expression.hpp"
#include "schema/labels.hpp"

namespace dpadapt::schema {

/** A column that is not used, and why. */
struct Dropped {
    std::string name;
    std::string reason;
};

/** How the rows of a table become features and labels. It is learnt from public rows and is
 *  applied to each record by itself, whatever the others hold. */
struct Schema {
    std::vector<Column> columns;
    std::vector<Computed> computed;  ///< features behind those of the columns
    Labels labels = Labels::numbers();
    std::vector<Dropped> dropped;
    std::vector<std::string> missing;  ///< words for a missing value
    std::vector<std::string> notes;    ///< what a user may have meant otherwise

    /** Columns of numbers in which nothing may be missing, and labels that are numbers. */
    [[nodiscard]] static Schema plain(const std::vector<std::string> &names);

    /** The names of the columns. */
    [[nodiscard]] std::vector<std::string> names() const;
    /** The names of the features. */
    [[nodiscard]] std::vector<std::string> features() const;
    /** Whether each column is its own feature, and nothing stands for a missing value. */
    [[nodiscard]] bool is_plain() const;
    /** Number of columns and computed features, each of which may not fit. */
    [[nodiscard]] std::size_t uses() const { return columns.size() + computed.size(); }
    /** The name of one of them. */
    [[nodiscard]] const std::string &use(std::size_t place) const;
    /** Writes the features of a record, and how each cell was for its use. */
    void encode(std::span<const Cell> cells, std::span<double> features, std::span<Fit> fits) const;
};

/** 64 bits that stand for the person of an id. Ids that differ in spelling alone, by blanks at
 *  their
 *  ends, capitals or the notation of a number, are one person, as are all missing ones: of two
 *  persons that are taken for one, both are protected. */
[[nodiscard]] std::int64_t person_of(std::string_view id);

/** Names of columns, and what is to be said about them to people; "(label)" for the labels. */
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe(const Schema &schema);

}  // namespace dpadapt::schema
