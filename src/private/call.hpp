#pragma once

#include <optional>

#include "discrepancy/general_private_estimate.hpp"
#include "privacy/release_trace.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** A private call up to the moment when private records are read: all that public data decide, the
 *  price included. */
class PrivateCall final : public records::ProblemCall {
  public:
    /** Borrows samples and control. Throws Error(DPA_E_OPTION) when the budget does not allow the
     *  releases. */
    PrivateCall(const Sample &source, const Sample &target, const Settings &settings, Wanted wanted,
                Control &control);

    [[nodiscard]] const privacy::PlanRequest &request() const { return request_; }

    /** Releases the discrepancy of the plan. */
    [[nodiscard]] double release_discrepancy(privacy::ReleaseTrace *trace) const;

  private:
    /** Of the metric while it is made. */
    [[nodiscard]] double further_numbers() const override;

    std::optional<FiniteDiscrepancy> finite_;  ///< where one is released that has no exact solver
    privacy::PlanRequest request_;
};

}  // namespace dpadapt
