#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "baseline/private_baseline.hpp"
#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

/** One row of the table of baselines. */
struct MethodSpec {
    const char *name;
    const char *doc;
    bool is_private;  ///< whether it protects the target; else it needs private_domain = none
};

[[nodiscard]] std::span<const MethodSpec> methods();

/** Row of that name; throws Error(DPA_E_OPTION_NAME). */
[[nodiscard]] const MethodSpec &find_method(std::string_view name);

/** A method without privacy. Where it is about weights, objective and duality gap of the solution
 *  are those of the problem that defines the weights; its predictor is a weighted fit
 *  (fit_weighted) of the source. */
[[nodiscard]] Solution solve_without_privacy(const MethodSpec &method,
                                             const PreparedProblem &problem,
                                             const Settings &settings, Control &control);

/** The call of a private method up to the payment: no private record is read. Throws
 *  Error(DPA_E_OPTION) for options that the method cannot follow. */
[[nodiscard]] std::unique_ptr<PrivateBaseline> prepare_private(const MethodSpec &method,
                                                               const Sample &source,
                                                               const Sample &target,
                                                               const Settings &settings,
                                                               Control &control);

}  // namespace dpadapt::baseline
