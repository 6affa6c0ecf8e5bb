#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Adds the arguments that name the data and the columns. */
void add_data_arguments(CLI::App &command, DataArguments &arguments);

/** Adds --set; the values are for Settings. */
void add_settings(CLI::App &command, std::vector<std::string> &assignments);

/** Throws Failure(kUsage) when files are missing or a column is given two uses. */
void check_arguments(const DataArguments &arguments);

}  // namespace dpadapt::cli
