#pragma once

#include "problem/settings.hpp"

namespace dpadapt {

/** The public numbers that a plan depends on; what only public data could tell may be unknown
 *  (NaN). */
struct PlanFacts {
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    std::size_t dimension = 0;
    double alpha = 0.0;
    double radius = privacy::kUnknown;         ///< Lambda
    double record_radius = privacy::kUnknown;  ///< bound on ||z||
    double label_bound = privacy::kUnknown;
    double center_norm = 0.0;  ///< of the ball over which the discrepancy is taken

    std::size_t parameters = 0;  ///< of the loss
    loss::Bounds bounds{privacy::kUnknown, privacy::kUnknown, privacy::kUnknown};
    double general_bound = privacy::kUnknown;  ///< B of a discrepancy over a finite set
};

/** Factor of C in the bound of a record's whole term when kappa_2 or kappa_inf couple the weights:
 *  two more coordinates, each of at most C/2. */
constexpr double kCoupledTerm = 1.224744871391589;  // sqrt(1 + 1/4 + 1/4)

/** Of epsilon, for the discrepancy where a fit needs one. */
constexpr double kDiscrepancyShare = 0.1;

/** What the caller wants to be released. */
enum class Wanted { discrepancy, fit, fit_with_given_discrepancy };

/** Whether the share of the source is chosen by the data: alpha = auto with a public source. */
[[nodiscard]] bool adapts_alpha(const Settings &settings);

/** Whether no weight can change, so that the discrepancy has no use: linear penalty with lambda_1 =
 *  auto. */
[[nodiscard]] bool keeps_reference(const Settings &settings);

/** Whether the discrepancy of that loss is a trust-region problem, solved exactly; of others it is
 *  taken over a finite set. */
[[nodiscard]] inline bool has_exact_discrepancy(loss::Kind kind) {
    return kind == loss::Kind::squared;
}

/** Whether the metric of private steps is that of the Hessian, a matrix of dimension x dimension: for
 *  linear scores, unless told otherwise. */
[[nodiscard]] bool uses_hessian(const Settings &settings);

/** Whether that call releases the discrepancy. */
[[nodiscard]] bool releases_discrepancy(const Settings &settings, Wanted wanted);

/** Whether records must be clipped to known bounds: only then is the loss, or its gradient,
 *  bounded. */
[[nodiscard]] bool needs_bounds(const Settings &settings, Wanted wanted);

/** B, the largest squared loss (labelled) or squared difference of two predictions (unlabelled)
 *  over the ball of the discrepancy; of the general form the bound to which losses are clipped. */
[[nodiscard]] double discrepancy_bound(const Settings &settings, const PlanFacts &facts);

/** The bounds of that loss over the ball of predictors and the records that are clipped to the
 *  facts' bounds. */
[[nodiscard]] loss::Bounds loss_bounds(const loss::Loss &loss, const PlanFacts &facts);

[[nodiscard]] privacy::PlanRequest plan_request(const Settings &settings, const PlanFacts &facts,
                                                Wanted wanted);

}  // namespace dpadapt
