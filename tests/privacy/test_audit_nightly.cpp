// 10^5 fits a side: the lower bound on epsilon (95 %) lies below what is claimed and not far
// below it, so that neither too little nor far too much noise is added.
#include "privacy/audit.hpp"

namespace {

void check_audit(const Audit &audit, double used, double least) {
    const Epsilons epsilon = epsilons(audit);
    std::printf("claimed epsilon %.4f, proven %.4f at delta = 1e-5\n", epsilon.claimed,
                epsilon.lower);
    check_close("claimed mu", audit.claimed_mu, 0.5, 1e-4);
    check_true("the neighbours use it", audit.true_mu >= used * audit.claimed_mu);
    check_true("proven epsilon is not above the claimed", epsilon.lower <= epsilon.claimed);
    check_true("proven epsilon is not far below it", epsilon.lower > least * epsilon.claimed);
}

void hundred_thousand_fits() {
    check_audit(Auditor(audited_options(), 1e6)(100000, 0.95), 0.99, 0.75);
}

void hundred_thousand_releases_of_moments() {
    check_audit(Auditor::of_moments(audited_moments())(100000, 0.95), 0.9, 0.7);
}

void hundred_thousand_fits_to_persons() {
    check_audit(Auditor::of_persons(audited_options(), 1e6)(100000, 0.95), 0.99, 0.75);
}

/** The audit must be able to fail: noise made for mu = 0.625 and claimed as 0.5 is found out. */
void too_little_noise_is_found() {
    OptionTexts options = audited_options();
    options["noise_multiplier"] = std::to_string(4.4721359549995796 / 1.25);
    options["epsilon"] = "4";
    const Audit audit = Auditor(options, 1e6)(100000, 1.0 - 1e-6);
    check_true("lower bound above 0.5", audit.lower_mu > 0.5);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(hundred_thousand_fits), core_test(hundred_thousand_releases_of_moments),
        core_test(hundred_thousand_fits_to_persons), core_test(too_little_noise_is_found)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
