#pragma once

#include "base/document.hpp"
#include "privacy/release_trace.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"
#include "solution/solution.hpp"
#include "records/payment.hpp"

namespace dpadapt::baseline {

/** A baseline that protects the target, the source being public: all that public data decide, the
 *  price included, then the payment, then the result. */
class PrivateBaseline {
  public:
    /** Borrows everything and reads no private record. Throws Error(DPA_E_OPTION) where not just
     *  the target is private. */
    PrivateBaseline(const Sample &source, const Sample &target, const Settings &settings,
                    Control &control);
    PrivateBaseline(const PrivateBaseline &) = delete;
    PrivateBaseline &operator=(const PrivateBaseline &) = delete;
    virtual ~PrivateBaseline() = default;

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] const PrivateProblem &problem() const { return problem_; }
    [[nodiscard]] const PlanFacts &facts() const { return facts_; }
    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }
    [[nodiscard]] Control &control() const { return control_; }

    /** Pays: enters all releases into the ledger, whose budget the first call fixes, and takes the
     *  key of the noise. Throws Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** The result; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] virtual Solution solve(privacy::ReleaseTrace *trace) const = 0;

    /** Adds what a report says of the method: its units, its public numbers and what leaves. */
    virtual void describe(Document &document) const = 0;

    /** A solution with that predictor, that share of the source and `steps` private steps; no value
     *  of an objective. */
    [[nodiscard]] Solution solution(const arma::vec &theta, double alpha, std::size_t steps) const;

  protected:
    /** The part of a request that does not depend on the method. */
    [[nodiscard]] privacy::PlanRequest request() const;
    void set_plan(privacy::Plan plan) { plan_ = std::move(plan); }
    [[nodiscard]] const random::Key &key() const { return payment_.key(); }

  private:
    const Settings &settings_;
    Control &control_;
    PrivateProblem problem_;
    PlanFacts facts_;
    privacy::Plan plan_;
    Payment payment_;
};

}  // namespace dpadapt::baseline
