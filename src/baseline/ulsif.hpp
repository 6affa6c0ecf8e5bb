#pragma once

#include <optional>

#include "base/control.hpp"
#include "baseline/density_ratio.hpp"

namespace dpadapt::baseline {

struct LeastSquaresOptions {
    std::optional<double> gamma;   ///< of the kernel; one of gamma_grid() if absent
    std::optional<double> lambda;  ///< penalty; one of 10^-3, 10^-2.5, .., 10 if absent
    double relative_alpha = 0.0;   ///< in [0, 1)
    std::size_t centers = 100;
    std::uint64_t seed = 0;  ///< of centers and left-out pairs; not for privacy
};

/** Least-squares importance fitting: uLSIF (Kanamori, Hido and Sugiyama 2009) for relative_alpha =
 *  0, else RuLSIF (Yamada, Suzuki, Kanamori, Hachiya and Sugiyama 2011), whose target is p_t /
 *  (alpha p_t + (1 - alpha) p_s) and never above 1 / alpha. w(x) = sum_l max(0, theta_l) k(x, c_l),
 *  with theta the minimizer of
 *
 *      1/2 theta'H theta - h'theta + lambda/2 ||theta||^2,
 *
 *  h and H the means of psi and of alpha psi psi' + (1 - alpha) phi phi' for psi, phi the kernel
 *  vectors of target and source rows. Objective and gap are those of theta before the clip. What is
 *  absent of gamma and lambda is selected by the exact leave-one-out score: source row i and target
 *  row i are left out together, i = 1 .. min(m, n), in random order. With a single row there is
 *  nothing to leave out: the default gamma and lambda = 0.1. */
[[nodiscard]] RatioFit ulsif(const PreparedSample &source, const PreparedSample &target,
                             const LeastSquaresOptions &options, const Limits &limits,
                             Control &control);

}  // namespace dpadapt::baseline
