#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/encoder.hpp"
#include "cli/handles.hpp"
#include "cli/settings.hpp"
#include "schema/learn.hpp"

namespace dpadapt::cli {

struct ColumnChoice;
struct ColumnMap;
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

/** What the data arguments of the command line say. */
struct DataArguments {
    std::string source;
    std::vector<std::string> more_sources;
    std::string source_map;  // file with the map of the source's columns to the target's
    std::string target;
    std::string data;  // both samples in one file; then source and target are empty
    std::string domain = "domain";
    std::string label;
    std::string scores;                 // column of a given model's scores; empty: there are none
    std::string weights;                // column of the rows' weights; empty: alike
    bool weighs_private = false;        // see ColumnChoice; set by read_samples()
    std::vector<std::string> features;  // empty: all columns but label, domain and ignored ones
    std::vector<std::string> ignored;
    std::vector<std::string> own;   // --own: NAME=VALUE of columns that the target alone has
    std::string group;              // column of the persons to whom the target's rows belong
    std::vector<std::string> rows;  // --rows: how many records the private samples have
    std::string positive;
    std::vector<std::string> categories;
    std::vector<std::string> missing;
};

/** The column of --domain, and its words for the rows of each sample. */
struct Domain {
    std::string column;
    std::string source;
    std::string target;
};
[[nodiscard]] Domain domain_of(const DataArguments &arguments);

/** The columns that they want. */
[[nodiscard]] ColumnChoice choice_of(const DataArguments &arguments);

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

/** The columns that they want of a file of source rows; the map must outlive it. */
[[nodiscard]] ColumnChoice source_choice(const DataArguments &arguments, const ColumnMap &map);

/** Reads labelled rows of one sample, of which the same holds; scores as in DataArguments.
 *  @param rows   How many it has; 0 where the file decides.
 *  @param group  As in DataArguments, of private rows. */
[[nodiscard]] Sample read_sample(const std::string &path, const schema::Schema &schema,
                                 const std::string &label, const std::string &scores,
                                 bool is_private, std::size_t rows, const std::string &group = {});

/** Moves round(share n) of the sample's n rows into another sample, chosen by their numbers with
 *  public random numbers; Failure(kUsage) when one of the two would be empty.
 *  @param flag  What asked for it, for the message. */
[[nodiscard]] Sample divide(Sample &sample, double share, std::uint64_t seed,
                            const std::string &flag = "--validation-share");

/** Moves the rows that are taken into a sample of their own; Failure(kUsage) where they belong to
 *  persons, who would be in both. */
[[nodiscard]] Sample move_rows(Sample &sample, const std::vector<bool> &taken);

/** The rows in an order of public random numbers. */
[[nodiscard]] Sample shuffled(const Sample &sample);

/** Rows to predict for. */
struct Rows {
    std::vector<double> x;          // row by row; a cell that does not fit counts as missing
    std::vector<double> scores;     // of a given model; empty: there are none
    std::vector<std::string> kept;  // texts of the kept columns, row by row
    std::string problems;  // the places of some cells that do not fit; empty: there are none
    std::vector<std::string> unknown;  // as in Sample
};
[[nodiscard]] Rows read_rows(const std::string &path, const schema::Schema &schema,
                             const std::vector<std::string> &kept, const std::string &scores);

/** Tells of public rows, on standard error, what Sample::unknown says. */
void tell_unknown(const std::vector<std::string> &lines);

/** A problem that borrows the samples, which must outlive it. */
[[nodiscard]] ProblemHandle make_problem(const Samples &samples);

/** Moves about that share of the sample's rows into another sample. Whether a row is moved depends
 *  on its number alone; Failure(kUsage) when one of the two would be empty. */
[[nodiscard]] Sample hold_out(Sample &sample, double share);

/** A problem with that source alone, which it borrows; without it where it is elsewhere. */
[[nodiscard]] ProblemHandle make_source_problem(const Samples &samples);

/** A problem with these rows as its target alone; it borrows them. */
[[nodiscard]] ProblemHandle make_validation(const Sample &rows, std::size_t features);

/** Adds these rows as its source, or as its target; it borrows them. */
void lend_source(const ProblemHandle &problem, const Sample &rows, std::size_t features);
void lend_target(const ProblemHandle &problem, const Sample &rows, std::size_t features);

}  // namespace dpadapt::cli
