#include "records/paid_call.hpp"

#include "base/memory.hpp"

namespace dpadapt::records {

void PaidCall::charge(privacy::Ledger &ledger) {
    check_memory(further_numbers());
    payment_.charge(plan_, settings_.privacy.domains, settings_.privacy.unsafe_seed, ledger);
}

ProblemCall::ProblemCall(const Sample &source, const Sample &target, const Settings &settings,
                         Control &control, Part part)
    : PaidCall(settings),
      control_(control),
      problem_(source, target, this->settings(), control, part),
      facts_(plan_facts(problem_)) {}

}  // namespace dpadapt::records
