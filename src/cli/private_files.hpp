#pragma once

#include <cstddef>
#include <vector>

#include "cli/new_file.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Failure(kUsage) if a public file is the private one: what is told of public rows, such as their
 *  digest, would tell of private ones. */
void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open);

/** The same of the files of both samples, where one of the two is private. */
void check_private_files(const DataArguments &arguments, const Settings &settings);

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
