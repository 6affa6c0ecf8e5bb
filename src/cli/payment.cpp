#include "cli/payment.hpp"

#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

bool has_paid(const ProblemHandle &problem) {
    for (const char *part : {"spent_mu", "spent_laplace_epsilon", "spent_pure_epsilon"}) {
        double spent = 0.0;
        check(dpa_problem_budget(problem.get(), part, &spent));
        if (spent > 0.0) return true;
    }
    return false;
}

}  // namespace

void pay(const ProblemHandle &problem, const std::string &what, const std::function<void()> &call) {
    try {
        call();
    } catch (const Failure &failure) {
        if (failure.code() != kInterrupted || !has_paid(problem)) throw;
        throw Failure(kInterrupted, "interrupted; " + what + " is paid for and gives no result");
    }
}

}  // namespace dpadapt::cli
