#pragma once

#include <span>
#include <string>

#include "schema/labelled_schema.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** A predictor, and what turns rows of a table into its features. */
struct Model {
    schema::LabelledSchema schema;
    Solution solution;
};

/** A model file: an object of JSON. Its members "schema" and "model" hold the bytes of both in
 *  base64; what people read beside them follows from these. */
[[nodiscard]] std::string write_model(const Model &model);

/** Reads one from any source. Throws Error(DPA_E_FORMAT), which names the member that is missing,
 *  unknown, there twice, damaged, or not what the bytes say. */
[[nodiscard]] Model read_model(std::span<const std::uint8_t> text);

/** Whether these are no saved bytes, but may be a model file, which has such inside. */
[[nodiscard]] bool is_model_file(std::span<const std::uint8_t> data);

}  // namespace dpadapt
