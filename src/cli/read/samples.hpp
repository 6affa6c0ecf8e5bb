#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/read/arguments.hpp"
#include "cli/read/columns.hpp"
#include "cli/read/files.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/settings.hpp"
#include "schema/learn.hpp"

namespace dpadapt::cli {

class SampleSink;

/** Both samples, with the same features in the same order. */
struct Samples {
    schema::Schema schema;
    std::vector<std::string> features;  // of the schema
    Sample source;
    Sample target;
    std::size_t source_elsewhere = 0;   // rows of a public source that is not here; 0: it is here
    std::vector<std::int64_t> sources;  // of the source's rows; empty: there is one
};

/** The columns that they want; those of source rows are made by the map, which must outlive it. */
[[nodiscard]] ColumnChoice choice_of(const DataArguments &arguments, const ColumnMap &map = kNoMap);

/** Columns that only the other file has are not used, which its header says and no row. */
void note_unused(const SampleSink &file, std::vector<std::string> known, schema::Schema &schema);

/** Reads both samples, by a schema that is learnt from the public one (the source if both are; if
 *  none is, cells must be numbers). A public cell that does not fit is a Failure(kBadData) with its
 *  place; a private one silently counts as missing, because a message would reveal it. Nothing but
 *  the number of lines, or --rows, decides how many private rows there are.
 *  @param baseline  Its name, or empty: what labels must be depends on it and on the loss. */
[[nodiscard]] Samples read_samples(const DataArguments &arguments, const Settings &settings,
                                   const std::string &baseline = {});

/** Reads the source alone.
 *  @param memory  Where it is public and its rows need more than half of that, some of them teach
 *                 the schema, and only their number is there; 0: as much as they need. */
[[nodiscard]] Samples read_source(const DataArguments &arguments, const Settings &settings,
                                  std::size_t memory = 0);

/** Reads labelled rows of one sample, of which the same holds, and tells their unknown levels;
 *  private ones have no weights, and public ones no groups.
 *  @param rows  How many it has; 0 where the file decides. */
[[nodiscard]] Sample read_sample(const std::string &path, const schema::Schema &schema,
                                 const ColumnUses &columns, bool is_private, std::size_t rows);

/** Rows to predict for. */
struct Rows {
    std::vector<double> x;              // row by row; a cell that does not fit counts as missing
    std::vector<double> scores;         // of a given model; empty: there are none
    std::vector<std::string> kept;      // texts of the kept columns, row by row
    std::vector<std::string> problems;  // the places of some cells that do not fit
    std::vector<std::string> unknown;   // as in Sample
};
[[nodiscard]] Rows read_rows(const std::string &path, const schema::Schema &schema,
                             const std::vector<std::string> &kept, const std::string &scores);

/** Tells of public rows, on standard error, what Sample::unknown says. */
void tell_unknown(const std::vector<std::string> &lines);

/** Failure(kUsage) if a public file is the private one: what is told of public rows, such as their
 *  digest, would tell of private ones. */
void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open);

}  // namespace dpadapt::cli
