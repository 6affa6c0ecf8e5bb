#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/read/sample_sink.hpp"
#include "cli/read/samples.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::cli {

/** JSON with the keys in the order of insertion; numbers are written so that they read back
 * exactly. */
using Json = nlohmann::ordered_json;

/** A schema as a member of a model file or of a report. */
[[nodiscard]] Json schema_json(const schema::Schema &schema);

/** What the arguments and the loss (or the baseline) say about columns and labels. */
[[nodiscard]] schema::Hints schema_hints(const DataArguments &arguments, const Settings &settings,
                                         const std::string &baseline);

/** Columns of numbers and what is computed from them, where no row is public. Failure(kBadData). */
[[nodiscard]] schema::Schema plain_schema(const std::vector<std::string> &names,
                                          const schema::Hints &hints);

/** Learns from public rows of a file; what is wrong with it is a Failure(kBadData).
 *  @param names  of the columns */
[[nodiscard]] schema::Schema learn_schema(const std::vector<std::string> &names,
                                          const TableSink &rows, const SampleSink &file,
                                          const schema::Hints &hints);

/** A fitted predictor with what turns rows of a file into its features. */
struct Model : schema::LabelledSchema {
    SolutionHandle solution;
    bool keeps_weights = false;  // of the records, when it is saved
};

/** The content of a model file: what dpa_schema_model writes. */
[[nodiscard]] std::string model_text(const Model &model);

/** Reads a model file from any source; damage is Failure(kBadData). */
[[nodiscard]] Model read_model(const std::string &path);

}  // namespace dpadapt::cli
