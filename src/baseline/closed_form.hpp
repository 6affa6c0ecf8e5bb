#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** A predictor that was found at once, as a solution in which source rows have the weight alpha
 *  together and target rows the rest; no objective and no gap are known of it. */
[[nodiscard]] Solution closed_form(const PreparedProblem &problem, const arma::vec &theta,
                                   double alpha);

/** Throws Error(DPA_E_OPTION) unless the loss is squared. */
void check_squared(const PreparedProblem &problem, const char *method);

}  // namespace dpadapt::baseline
