#pragma once

#include <string>
#include <vector>

#include "cli/read/failure.hpp"
#include "schema/schema.hpp"

namespace dpadapt::cli {

/** A fitted predictor with what turns rows of a file into its features. */
struct Model {
    std::string label;
    schema::Schema schema;
    SolutionHandle solution;
    bool keeps_weights = false;  // of the records, when it is saved
    std::string scores{};        // column of a given model's scores, which it corrects
};

/** The content of a model file: what dpa_schema_model writes. */
[[nodiscard]] std::string model_text(const Model &model);

/** Reads a model file from any source; damage is Failure(kBadData). */
[[nodiscard]] Model read_model(const std::string &path);

}  // namespace dpadapt::cli
