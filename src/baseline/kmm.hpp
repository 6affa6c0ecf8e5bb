#pragma once

#include <optional>

#include "base/control.hpp"
#include "baseline/weights.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt::baseline {

struct MatchingOptions {
    std::optional<double> gamma;          ///< of the kernel; default_gamma() if absent
    double weight_bound = 1000.0;         ///< B
    std::optional<double> sum_tolerance;  ///< epsilon; (sqrt m - 1) / sqrt m if absent
};

/** Kernel mean matching (Huang, Smola, Gretton, Borgwardt and Schoelkopf 2006): the weights b whose
 *  weighted mean of the source rows is nearest to the mean of the target rows in the Gaussian
 *  kernel's space, b of mean about 1,
 *
 *      min 1/2 b'Kb - kappa'b,  0 <= b_i <= B,  |sum b - m| <= m epsilon,  kappa_i = (m/n) sum_j
 *      k(x_i, x'_j).
 *
 *  q is b / sum b; equal rows get equal weights. Objective and gap are those of b, and the gap is
 *  computed with the exact kernel over all rows. A minimizer to this gap rests on few rows that are
 *  not at a bound, so the problem is solved on a changing set of them, by the active set method
 *  with a proximal ridge (many weights may have the same objective); no matrix over all rows is
 *  ever formed. Only the objective is unique where K is singular. Throws Error(DPA_E_OPTION) if the
 *  bounds exclude every b, Error(DPA_E_NUMERICAL) if no source row is within the kernel's reach of
 *  a target row. */
[[nodiscard]] Weights kernel_mean_matching(const PreparedSample &source,
                                           const PreparedSample &target,
                                           const MatchingOptions &options, const Limits &limits,
                                           Control &control);

}  // namespace dpadapt::baseline
