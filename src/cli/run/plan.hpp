#pragma once

#include "cli/run/call.hpp"

namespace dpadapt::cli {

/** The plan of a private fit to so many target rows, with a forecast of its errors, from the rows
 *  of --source alone. */
[[nodiscard]] PlanHandle plan_with_forecast(const DataArguments &data, std::size_t target_rows,
                                            Settings &settings);

}  // namespace dpadapt::cli
