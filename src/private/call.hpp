#pragma once

#include <optional>

#include "discrepancy/private_estimate.hpp"
#include "privacy/release.hpp"
#include "problem/own_columns.hpp"
#include "records/paid_call.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** A private call up to the moment when private records are read: all that public data decide, the
 *  price included. */
class PrivateCall final : public records::ProblemCall {
  public:
    /** Borrows samples and control. Throws Error(DPA_E_OPTION) when the budget does not allow the
     *  releases. */
    PrivateCall(const Sample &source, const Sample &target, const Settings &settings, Wanted wanted,
                Control &control);

    /** The rest of a call that has been paid, with another public source: what the plan says
     *  depends on neither. */
    PrivateCall(const PrivateCall &paid, const Sample &source);

    [[nodiscard]] const Sample &source() const { return source_; }

    /** Null where the source's columns are taken as they are. */
    [[nodiscard]] const std::optional<OwnColumns> &own_columns() const { return own_columns_; }

    [[nodiscard]] const privacy::PlanRequest &request() const { return request_; }

    /** Releases the discrepancy of the plan. */
    [[nodiscard]] double release_discrepancy(privacy::ReleaseTrace *trace) const;

  private:
    /** Of the metric while it is made. */
    [[nodiscard]] double further_numbers() const override;

    const Sample &source_;
    const Sample &target_;
    std::optional<OwnColumns> own_columns_;
    std::optional<FiniteDiscrepancy> finite_;  ///< where one is released that has no exact solver
    privacy::PlanRequest request_;
};

/** The call's source with its constant columns by their regression on the others in the private
 *  target, whose second moments it releases. */
[[nodiscard]] Sample fill_own_columns(const PrivateCall &call, privacy::ReleaseTrace *trace);

/** Fits a predictor with the guarantee that the call has paid for. A discrepancy that was released
 *  before, or is public, is used as it is; without one the call releases its own if the method
 *  needs it. The solution holds what is released and what follows from it, nothing else; its
 *  privacy record is the caller's. */
[[nodiscard]] Solution solve_private(const PrivateCall &call, std::optional<double> discrepancy,
                                     privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt
