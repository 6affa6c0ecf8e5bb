#pragma once

#include <string>
#include <vector>

#include "cli/read/samples.hpp"
#include "cli/run/command_line.hpp"

namespace dpadapt::cli {

/** Adds the arguments that name the data and the columns. */
void add_data_arguments(Command &command, DataArguments &arguments);

/** Adds --set and shorter forms of the most frequent options; the values are for Settings. */
void add_settings(Command &command, std::vector<std::string> &assignments);

/** Adds --ledger. */
Argument add_ledger_argument(Command &command, std::string &path);

/** Where the privacy report of a command goes, and whose key signs it. */
struct ReportArguments {
    std::string path;
    std::string key;
};

/** Adds --report and --sign. */
void add_report_arguments(Command &command, ReportArguments &arguments);

// Bytes that a result will need at most, as far as public facts tell it: options, names and numbers
// of columns, labels and rows. They are reserved before a payment.

/** @param keeps_weights  As in Model. */
[[nodiscard]] std::size_t room_for_model(const Samples &samples, const Settings &settings,
                                         bool keeps_weights);

/** A report in any form, printed or saved. */
[[nodiscard]] std::size_t room_for_report(const Samples &samples, const Settings &settings,
                                          bool has_weights);

/** Of an evaluation, whose rows are not told. */
[[nodiscard]] std::size_t room_for_evaluation(std::size_t models);

}  // namespace dpadapt::cli
