#pragma once

#include <span>
#include <string_view>

#include "baseline/method.hpp"
#include "engine/forecast.hpp"
#include "engine/problem.hpp"
#include "paper/blocks.hpp"
#include "privacy/report.hpp"

namespace dpadapt::engine {

/** The private rows that each pass reads. */
struct PassSize {
    std::size_t rows = 0;
    std::size_t features = 0;

    [[nodiscard]] double bytes() const;
    /** On one thread of this machine, as a short run on made-up rows tells. */
    [[nodiscard]] double seconds() const;
};

[[nodiscard]] PassSize private_rows(privacy::Domains domains, std::size_t source_rows,
                                    std::size_t target_rows, std::size_t features);

/** What a private fit will pay, and what a report says of it. */
struct Plan {
    privacy::Plan plan;
    privacy::ReportFacts facts;
    Forecast forecast;                         ///< without cells: none
    std::optional<paper::Convergence> theory;  ///< of `method` = paper and a private target
    PassSize pass;
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

/** A budget, and the samples that it is for. */
struct PaidBudget {
    privacy::Domains domains;
    privacy::Budget budget;
    std::optional<privacy::Unit> unit;  ///< if the options say it
};

/** What the options say about a budget; throws Error(DPA_E_OPTION). */
[[nodiscard]] PaidBudget make_budget(const OptionValues &values);

/** Fixes the budget of a problem, divided as the options say. */
void set_budget(Problem &problem, const OptionValues &values);

/** A number of the problem's budget, of what is spent or of what is left, by the name that
 *  privacy.h documents. Throws Error(DPA_E_OPTION_NAME) for other names, Error(DPA_E_STATE) where
 *  it needs a budget and there is none yet. Any thread, at any time. */
[[nodiscard]] double budget_number(const Problem &problem, std::string_view name);

/** Throws Error(DPA_E_BUDGET) if the ledger, with that budget unless it has one, does not allow
 *  these releases. */
void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases);

}  // namespace dpadapt::engine
