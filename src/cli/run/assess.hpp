#pragma once

#include <string>
#include <vector>

#include "cli/run/evaluate.hpp"

namespace dpadapt::cli {

/** Of the command that tells whether adaptation helps, whatever rows there are. */
struct AssessArguments : CallArguments {
    std::string test;  // rows of a comparison
    std::vector<std::string> test_rows;
    double holdout = 0.3;
    std::string by;  // which public rows play the target
    double share = 0.3;
    std::vector<std::string> epsilons{"0.5", "1", "4", "10"};
    std::vector<std::string> sizes;
    std::uint64_t repeats = 5;
    std::uint64_t target_rows = 0;  // of a target that does not exist yet
};

/** The plan of a private fit to so many target rows, with a forecast of its errors, from the rows
 *  of --source alone. */
[[nodiscard]] PlanHandle plan_with_forecast(const DataArguments &data, std::size_t target_rows,
                                            Settings &settings);

/** Fits with privacy to public rows that play the target: errors by rows and epsilon. */
void rehearse(const AssessArguments &arguments);

}  // namespace dpadapt::cli
