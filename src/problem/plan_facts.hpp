#pragma once

#include "problem/private_problem.hpp"

namespace dpadapt {

/** The public numbers that a plan depends on; what only public data could tell may be unknown
 *  (NaN). */
struct PlanFacts {
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;  ///< or persons
    bool persons = false;         ///< whether they are protected, not records
    std::size_t dimension = 0;
    double alpha = 0.0;
    double radius = privacy::kUnknown;         ///< Lambda
    double record_radius = privacy::kUnknown;  ///< bound on ||z||
    double label_bound = privacy::kUnknown;
    double center_norm = 0.0;  ///< of the ball over which the discrepancy is taken

    std::size_t parameters = 0;  ///< of the loss
    loss::Bounds bounds{privacy::kUnknown, privacy::kUnknown, privacy::kUnknown};
    double general_bound = privacy::kUnknown;  ///< B of a discrepancy of the general form
};

/** Of a problem whose public data are known; without what belongs to the discrepancy. */
[[nodiscard]] PlanFacts plan_facts(const PrivateProblem &problem);

/** What options and sizes tell without data. */
[[nodiscard]] PlanFacts plan_facts(const Settings &settings, std::size_t source_rows,
                                   std::size_t target_rows, std::size_t features);

}  // namespace dpadapt
