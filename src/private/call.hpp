#pragma once

#include <optional>

#include "discrepancy/general_private_estimate.hpp"
#include "privacy/ledger.hpp"
#include "privacy/release_trace.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"
#include "records/payment.hpp"

namespace dpadapt {

/** A private call up to the moment when private records are read: all that public data decide, the
 *  price included. */
class PrivateCall {
  public:
    /** Borrows everything. Throws Error(DPA_E_OPTION) when the budget does not allow the
     *  releases. */
    PrivateCall(const Sample &source, const Sample &target, const Settings &settings, Wanted wanted,
                Control &control);

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] const PrivateProblem &problem() const { return problem_; }
    [[nodiscard]] const PlanFacts &facts() const { return facts_; }
    [[nodiscard]] const privacy::PlanRequest &request() const { return request_; }
    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }
    [[nodiscard]] Control &control() const { return control_; }

    /** Pays: enters all releases into the ledger, whose budget the first call fixes, and takes the
     *  key of the noise. Throws Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), std::bad_alloc where the
     *  metric of the steps or a release will find no memory, and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** Noise of the call; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] const random::Key &key() const { return payment_.key(); }

    /** Releases the discrepancy of the plan. */
    [[nodiscard]] double release_discrepancy(privacy::ReleaseTrace *trace) const;

  private:
    /** Doubles that the metric takes while it is made. */
    [[nodiscard]] double metric_numbers() const;

    const Settings &settings_;
    Control &control_;
    PrivateProblem problem_;
    PlanFacts facts_;
    std::optional<FiniteDiscrepancy> finite_;  ///< where one is released that has no exact solver
    privacy::PlanRequest request_;
    privacy::Plan plan_;
    Payment payment_;
};

}  // namespace dpadapt
