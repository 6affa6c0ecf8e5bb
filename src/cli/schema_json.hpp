#pragma once

#include "cli/report.hpp"
#include "schema/schema.hpp"

namespace dpadapt::cli {

/** A schema as a member of a model file or of a report. */
[[nodiscard]] Json schema_json(const schema::Schema &schema);

/** Reads it again; damage is a Json::exception or a Failure(kBadData). */
[[nodiscard]] schema::Schema parse_schema(const Json &json);

/** Names of columns, and what is to be said about them to people. */
[[nodiscard]] std::vector<std::pair<std::string, std::string>> schema_lines(const Json &json);

}  // namespace dpadapt::cli
