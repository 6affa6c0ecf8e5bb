#pragma once

#include <string_view>

#include "baseline/method.hpp"
#include "engine/forecast.hpp"
#include "engine/options.hpp"
#include "engine/problem.hpp"
#include "paper/convergence.hpp"
#include "privacy/report.hpp"

namespace dpadapt::engine {

/** What a private fit will pay, and what a report says of it. */
struct Plan {
    privacy::Plan plan;
    privacy::ReportFacts facts;
    Forecast forecast;                         ///< without cells: none
    std::optional<paper::Convergence> theory;  ///< of `method` = paper and a private target
};

/** Of a fit to a problem; no private record is read.
 *  @param method  A baseline; null: the adaptation. */
[[nodiscard]] Plan plan_fit(const Problem &problem, const baseline::MethodSpec *method,
                            const OptionValues &values, Control &control);

/** The same of a problem that the caller holds. */
[[nodiscard]] Plan plan_fit_held(const Problem &problem, const baseline::MethodSpec *method,
                                 const OptionValues &values, Control &control);

/** Of an adaptation to samples of these sizes. Numbers that public data would decide are unknown
 *  (NaN). */
[[nodiscard]] Plan plan_fit(std::size_t source_rows, std::size_t target_rows, std::size_t features,
                            const OptionValues &values);

/** Of an adaptation to a target of that size, which nobody has read, with its forecast. */
[[nodiscard]] Plan plan_forecast(const Problem &problem, std::size_t target_rows,
                                 const OptionValues &values, Control &control);

/** A number of the plan by name; throws Error(DPA_E_OPTION_NAME) for others, Error(DPA_E_STATE) for
 *  one that is unknown. */
[[nodiscard]] double plan_value(const Plan &plan, std::string_view name);

}  // namespace dpadapt::engine
