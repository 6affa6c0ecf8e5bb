#pragma once

#include <string>
#include <vector>

#include "cli/read/columns.hpp"
#include "schema/expression.hpp"

namespace dpadapt::cli {

/** What the data arguments of the command line say. */
struct DataArguments : ColumnUses {
    std::string source;
    std::vector<std::string> more_sources;
    std::string source_map;  // file with the map of the source's columns to the target's
    std::string target;
    std::string data;  // both samples in one file; then source and target are empty
    std::string domain = "domain";
    std::vector<std::string> features;  // empty: all columns but label, domain and ignored ones
    std::vector<std::string> ignored;
    std::vector<std::string> own;   // --own: NAME=VALUE of columns that the target alone has
    std::vector<std::string> rows;  // --rows: how many records the private samples have
    std::string positive;
    std::vector<std::string> categories;
    std::vector<std::string> missing;
    std::vector<std::string> computed;  // --compute: NAME = EXPRESSION
};

/** What --compute says. Failure(kUsage) for what cannot be read. */
[[nodiscard]] std::vector<schema::Computed> computed_features(const DataArguments &arguments);

/** Columns that are read for them alone. */
[[nodiscard]] std::vector<std::string> hidden_columns(const DataArguments &arguments);

/** What --domain says. */
[[nodiscard]] Domain domain_of(const DataArguments &arguments);

/** Throws Failure(kUsage) when files are missing or a column is given two uses. */
void check_arguments(const DataArguments &arguments);

/** The same of the columns alone. */
void check_columns(const DataArguments &arguments);

/** The number of records of each sample, where the command line fixes it; else 0. */
struct FixedRows {
    std::size_t source = 0;
    std::size_t target = 0;
};

/** What --rows, or such a flag, says: nothing, a number for the private sample, or two when both
 *  are private. Failure(kUsage) for anything else. */
[[nodiscard]] FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                                   bool private_target, const std::string &flag = "--rows");

}  // namespace dpadapt::cli
