// A short audit; the long one has the power to see a noise that is 10 % too small or far too large.
#include "privacy/audit.hpp"

namespace {

void audit(const OptionTexts &more, double least) {
    OptionTexts options = audited_options();
    for (const auto &[name, text] : more) options[name] = text;
    const Audit audit = Auditor(options, 1e6)(10000, 1.0 - 1e-6);
    const Epsilons epsilon = epsilons(audit);
    check_true("the neighbours use what is claimed",
               audit.true_mu <= audit.claimed_mu && audit.true_mu > 0.99 * audit.claimed_mu);
    check_true("proven epsilon " + std::to_string(epsilon.lower) + " is not above the claimed " +
                   std::to_string(epsilon.claimed),
               epsilon.lower <= epsilon.claimed);
    check_true("proven epsilon " + std::to_string(epsilon.lower) + " is not far below it",
               epsilon.lower >= least * epsilon.claimed);
}

void adaptive_alpha() { audit({}, 0.15); }
void fixed_alpha() { audit({{"alpha", "0.3"}, {"discrepancy", "0"}}, 0.15); }

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(adaptive_alpha), core_test(fixed_alpha)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
