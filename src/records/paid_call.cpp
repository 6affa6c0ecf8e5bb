#include "records/paid_call.hpp"

#include "base/memory.hpp"

namespace dpadapt::records {

void PaidCall::charge(privacy::Ledger &ledger) {
    check_memory(further_numbers());
    payment_.charge(plan_, settings_.privacy, ledger);
}

ProblemCall::ProblemCall(const Sample &source, const Sample &target, const Settings &settings,
                         Control &control)
    : PaidCall(settings), control_(control), problem_(source, target, this->settings(), control) {
    facts_.source_rows = source.rows();
    facts_.target_rows = target.rows();
    facts_.dimension = problem_.dimension();
    facts_.alpha = problem_.hyperparameters().alpha;
    facts_.radius = problem_.hyperparameters().radius;
    facts_.record_radius = problem_.record_radius();
    facts_.label_bound = problem_.clipping().label_bound;
    facts_.parameters = problem_.loss().parameters(problem_.dimension());
    facts_.bounds = loss_bounds(problem_.loss(), facts_);
}

}  // namespace dpadapt::records
