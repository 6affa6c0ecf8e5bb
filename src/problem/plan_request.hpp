#pragma once

#include "privacy/ledger_bytes.hpp"
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

/** Factor of C in the bound of a record's whole term when kappa_2 or kappa_inf couple the weights:
 *  two more coordinates, each in [-C/4, C/4]. */
constexpr double kCoupledTerm = 1.0606601717798214;  // sqrt(1 + 1/16 + 1/16), rounded up

/** What the caller wants to be released. */
enum class Wanted { discrepancy, fit, fit_with_given_discrepancy, baseline };

/** Whether the share of the source is chosen by the data: alpha = auto with one public sample. */
[[nodiscard]] bool adapts_alpha(const Settings &settings);

/** Whether no weight can change, so that the discrepancy has no use: linear penalty with lambda_1 =
 *  auto. */
[[nodiscard]] bool keeps_reference(const Settings &settings);

/** What private steps fit. Of a perceptron the last layer where alpha is chosen by the data, unless
 *  `metric` asks for that of all gradients. Of linear scores, where both samples together have
 *  fewer
 *  rows than features, a predictor in the span of the public rows: in all other directions the
 *  noise of so few records hides what they show, and a private step costs rows x rows x
 *  features. */
[[nodiscard]] Part private_part(const Settings &settings, const privacy::SampleSizes &sizes);

/** Whether it is the last layer, whatever the sizes. */
[[nodiscard]] bool fits_last_layer(const Settings &settings);

/** Whether the metric of private steps is that of the Hessian, a matrix of dimension x dimension:
 *  for linear scores, those of a last layer among them, unless told otherwise. */
[[nodiscard]] bool uses_hessian(const Settings &settings);

/** Whether private steps may start from another public predictor than the public fit, which a
 *  release of mean losses decides. */
[[nodiscard]] bool compares_anchors(const Settings &settings);

/** What private steps may count: of two private samples short gradients, by which they shorten a
 *  clip that is a guess; of a private target records, unless their number is known. */
[[nodiscard]] privacy::Counted counted(const Settings &settings);

/** Whether scores are one number, linear in the features. */
[[nodiscard]] bool has_one_linear_score(const Settings &settings);

/** Whether a private fit releases what intervals of its coefficients need. */
[[nodiscard]] bool releases_inference(const Settings &settings);

/** Throws Error(DPA_E_UNSUPPORTED) with the reason where `inference` = yes asks for what is not
 *  there. */
void check_inference(const Sample &target, const Settings &settings, Wanted wanted);

/** Whether that call releases the discrepancy. */
[[nodiscard]] bool releases_discrepancy(const Settings &settings, Wanted wanted);

/** Share of epsilon for the discrepancy that the call releases, or has been given.
 *  @param gradients  Whether something else is released as well. */
[[nodiscard]] double discrepancy_share(const Settings &settings, Wanted wanted, bool gradients);

/** The epsilon that options keep for a discrepancy which the call does not release; 0: none. */
[[nodiscard]] double unused_discrepancy_epsilon(const Settings &settings, Wanted wanted);

/** Refuses to keep any, where no other call could spend it. */
void check_discrepancy_share(const Settings &settings, Wanted wanted);

/** Whether the weights of records depend on each other through kappa_2, kappa_inf, lambda_2 or
 *  lambda_inf. */
[[nodiscard]] bool couples_weights(const Settings &settings);

/** Whether private records have weights of the user's whose sum is not told. */
[[nodiscard]] bool sums_weights(const Settings &settings);

/** Throws Error(DPA_E_UNSUPPORTED) with the reason for a call that can protect records only, where
 *  those of the target belong to persons. */
void check_persons(const Sample &target, const Settings &settings, Wanted wanted);

/** Whether records must be clipped to known bounds: only then is the loss, or its gradient,
 *  bounded. */
[[nodiscard]] bool needs_bounds(const Settings &settings, Wanted wanted);

/** B, the largest squared loss (labelled) or squared difference of two predictions (unlabelled)
 *  over the ball of the discrepancy; of the general form the bound to which losses are clipped. */
[[nodiscard]] double discrepancy_bound(const Settings &settings, const PlanFacts &facts);

/** What the call would release; of a baseline what its method does not decide. */
[[nodiscard]] privacy::PlanRequest plan_request(const Settings &settings, const PlanFacts &facts,
                                                Wanted wanted);

}  // namespace dpadapt
