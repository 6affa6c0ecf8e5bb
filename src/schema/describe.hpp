#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/schema.hpp"

namespace dpadapt::schema {

/** Names of columns, and what is to be said about them to people; "(label)" for the labels. */
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe(const Schema &schema);

}  // namespace dpadapt::schema
