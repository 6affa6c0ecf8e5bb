#pragma once

#include <dpadapt/dpadapt.h>

#include <memory>

namespace dpadapt::cli {

/** Releases a handle of the library by its destroy function. */
template <auto destroy>
struct Destroyer {
    template <typename Handle>
    void operator()(Handle *handle) const noexcept {
        destroy(handle);
    }
};

using OptionsHandle = std::unique_ptr<dpa_options, Destroyer<dpa_options_destroy>>;
using ProblemHandle = std::unique_ptr<dpa_problem, Destroyer<dpa_problem_destroy>>;
using DiscrepancyHandle = std::unique_ptr<dpa_discrepancy, Destroyer<dpa_discrepancy_destroy>>;
using PlanHandle = std::unique_ptr<dpa_plan, Destroyer<dpa_plan_destroy>>;
using LedgerHandle = std::unique_ptr<dpa_ledger, Destroyer<dpa_ledger_destroy>>;
using SolutionHandle = std::unique_ptr<dpa_solution, Destroyer<dpa_solution_destroy>>;
using SchemaHandle = std::unique_ptr<dpa_schema, Destroyer<dpa_schema_destroy>>;
using SearchHandle = std::unique_ptr<dpa_search, Destroyer<dpa_search_destroy>>;
using EvaluationHandle = std::unique_ptr<dpa_evaluation, Destroyer<dpa_evaluation_destroy>>;
using CancelHandle = std::unique_ptr<dpa_cancel, Destroyer<dpa_cancel_destroy>>;

}  // namespace dpadapt::cli
