#pragma once

#include "base/control.hpp"
#include "privacy/payment.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"

namespace dpadapt::records {

/** A call that reads private records: first its plan, which public data decide, then the payment,
 *  and the noise only for that. */
class PaidCall {
  public:
    explicit PaidCall(Settings settings) : settings_(std::move(settings)) {}
    PaidCall(const PaidCall &) = delete;
    PaidCall &operator=(const PaidCall &) = delete;
    virtual ~PaidCall() = default;

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }

    /** Pays: enters all releases into the ledger, whose budget the first call fixes, and takes the
     *  key of the noise. Throws Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), std::bad_alloc where the
     *  call will find no memory, and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** Noise of the call; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] const random::Key &key() const {
        return paid_ != nullptr ? paid_->key() : payment_.key();
    }

  protected:
    void set_plan(privacy::Plan plan) { plan_ = std::move(plan); }

    /** The rest of a call that has paid for both, and outlives it: its plan and its noise. */
    void continue_call(const PaidCall &paid) {
        plan_ = paid.plan_;
        paid_ = &paid;
    }

    /** Doubles that the call takes besides its releases. */
    [[nodiscard]] virtual double further_numbers() const { return 0.0; }

  private:
    Settings settings_;
    privacy::Plan plan_;
    privacy::Payment payment_;
    const PaidCall *paid_ = nullptr;
};

/** One about two samples. */
class ProblemCall : public PaidCall {
  public:
    /** Borrows the samples and the control, and reads no private record. */
    ProblemCall(const Sample &source, const Sample &target, const Settings &settings,
                Control &control, Part part = Part::whole);

    [[nodiscard]] const PrivateProblem &problem() const { return problem_; }
    [[nodiscard]] const PlanFacts &facts() const { return facts_; }
    [[nodiscard]] Control &control() const { return control_; }

  protected:
    /** For what only some calls need to know. */
    [[nodiscard]] PlanFacts &own_facts() { return facts_; }

  private:
    Control &control_;
    PrivateProblem problem_;
    PlanFacts facts_;
};

}  // namespace dpadapt::records
