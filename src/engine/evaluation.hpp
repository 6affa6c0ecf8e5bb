#pragma once

#include "base/control.hpp"
#include "engine/problem.hpp"
#include "evaluate/evaluation.hpp"

namespace dpadapt::engine {

/** The errors of the solutions on the target sample of `rows`; private rows are paid for. */
[[nodiscard]] evaluate::Measured evaluate_solutions(Problem &rows,
                                                    std::span<const Solution *const> solutions,
                                                    const OptionValues &values, Control &control);

/** The solution, with a calibration by the target sample of `rows`; private rows are paid for. */
[[nodiscard]] Solution calibrate(Problem &rows, const Solution &solution,
                                 const OptionValues &values, Control &control);

}  // namespace dpadapt::engine
