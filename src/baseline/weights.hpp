#pragma once

#include <cstdint>
#include <vector>

#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Weights of the source rows with the certificate of the problem that defines them. */
struct Weights {
    std::vector<double> q;     ///< q >= 0, sum 1
    double objective = 0.0;    ///< of the method's own problem
    double duality_gap = 0.0;  ///< bound on its distance to the optimum, up to rounding
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
};

/** When to stop: relative gap, iterations; and the threads of a pass. */
struct Limits {
    double tolerance = 1e-6;
    std::size_t iterations = 0;
    std::size_t threads = 1;
};

}  // namespace dpadapt::baseline
