#pragma once

#include <cstddef>

#include "cli/samples.hpp"

namespace dpadapt::cli {

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
