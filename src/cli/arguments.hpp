#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/new_file.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Adds the arguments that name the data and the columns. */
void add_data_arguments(Command &command, DataArguments &arguments);

/** Adds --set and shorter forms of the most frequent options; the values are for Settings. */
void add_settings(Command &command, std::vector<std::string> &assignments);

/** The files that the data arguments name, the ledger and the key. */
[[nodiscard]] std::vector<NamedFile> input_files(const DataArguments &arguments,
                                                 const std::string &ledger, const std::string &key);

/** Throws Failure(kUsage) when files are missing or a column is given two uses. */
void check_arguments(const DataArguments &arguments);

/** The same of the columns alone. */
void check_columns(const DataArguments &arguments);

/** Says why a text is no finite number. */
[[nodiscard]] std::string why_no_number(std::string_view text);

/** The shortest text that reads back as the same double. */
[[nodiscard]] std::string to_text(double value);

}  // namespace dpadapt::cli
