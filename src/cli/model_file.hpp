#pragma once

#include <string>
#include <vector>

#include "cli/handles.hpp"
#include "schema/schema.hpp"

namespace dpadapt::cli {

/** A fitted predictor with what turns rows of a file into its features. */
struct Model {
    std::string label;
    schema::Schema schema;
    SolutionHandle solution;
};

/** The content of a model file: a JSON object. Its "model" member holds the bytes of
 *  dpa_solution_serialize in base64 and is what read_model uses; the rest is for readers. */
[[nodiscard]] std::string model_text(const Model &model);

/** Reads a model file from any source; damage is Failure(kBadData). */
[[nodiscard]] Model read_model(const std::string &path);

}  // namespace dpadapt::cli
