#pragma once

#include "base/document.hpp"
#include "privacy/release_trace.hpp"
#include "records/paid_call.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** A baseline that protects the target, the source being public: all that public data decide, the
 *  price included, then the payment, then the result. */
class PrivateBaseline : public records::ProblemCall {
  public:
    /** Borrows samples and control. Throws Error(DPA_E_OPTION) where not just the target is
     *  private. */
    PrivateBaseline(const Sample &source, const Sample &target, const Settings &settings,
                    Control &control);

    /** The result; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] virtual Solution solve(privacy::ReleaseTrace *trace) const = 0;

    /** Adds what a report says of the method: its units, its public numbers and what leaves. */
    virtual void describe(Document &document) const = 0;

    /** A solution with that predictor, that share of the source and `steps` private steps; no value
     *  of an objective. */
    [[nodiscard]] Solution solution(const arma::vec &theta, double alpha, std::size_t steps) const;

  protected:
    /** The part of a request that does not depend on the method. */
    [[nodiscard]] privacy::PlanRequest request() const {
        return plan_request(settings(), facts(), Wanted::baseline);
    }
};

}  // namespace dpadapt::baseline
