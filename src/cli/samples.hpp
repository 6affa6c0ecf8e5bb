#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/handles.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {

/** Records of one domain: features row by row, and labels. */
struct Sample {
    bool is_private = false;
    std::vector<double> x;
    std::vector<double> y;
    std::vector<std::int64_t> groups;  // whose rows they are; empty: each is for itself
};

/** Both samples, with the same features in the same order. */
struct Samples {
    std::vector<std::string> features;
    Sample source;
    Sample target;
};

/** What the data arguments of the command line say. */
struct DataArguments {
    std::string source;
    std::string target;
    std::string data;  // both samples in one file; then source and target are empty
    std::string domain = "domain";
    std::string label;
    std::vector<std::string> features;  // empty: all columns but label, domain and ignored ones
    std::vector<std::string> ignored;
    std::string group;              // column of the persons to whom the target's rows belong
    std::vector<std::string> rows;  // --rows: how many records the private samples have
};

/** Reads both samples. Public rows must be finite numbers, or Failure(kBadData) names the place; a
 *  private row that is not is silently NaN, because the message would reveal it. Nothing but the
 *  number of lines, or --rows, decides how many private rows there are. */
[[nodiscard]] Samples read_samples(const DataArguments &arguments, const Settings &settings);

/** Reads the source alone. */
[[nodiscard]] Samples read_source(const DataArguments &arguments, const Settings &settings);

/** Reads labelled rows of one sample, of which the same holds.
 *  @param rows  How many it has; 0 where the file decides. */
[[nodiscard]] Sample read_sample(const std::string &path, const std::vector<std::string> &features,
                                 const std::string &label, bool is_private, std::size_t rows);

/** Moves round(share n) of the sample's n rows into another sample, chosen by their numbers with
 *  public random numbers; Failure(kUsage) when one of the two would be empty. */
[[nodiscard]] Sample divide(Sample &sample, double share, std::uint64_t seed);

/** The named columns of a file, row by row; they may be NaN or infinite. */
[[nodiscard]] std::vector<double> read_features(const std::string &path,
                                                const std::vector<std::string> &features);

/** A problem that borrows the samples, which must outlive it. */
[[nodiscard]] ProblemHandle make_problem(const Samples &samples);

/** A problem with that source alone; it borrows it. */
[[nodiscard]] ProblemHandle make_source_problem(const Samples &samples);

/** A problem with these rows as its target alone; it borrows them. */
[[nodiscard]] ProblemHandle make_validation(const Sample &rows, std::size_t features);

}  // namespace dpadapt::cli
