// The accountant against tables: closed forms with 30 and more digits, and published values.
#include "privacy/privacy.hpp"

using namespace dpadapt;

namespace {

/** For published values with fewer digits: they agree to the last one. */
void check_digits(const std::string &what, double value, double printed, double unit) {
    check_true(what + ": " + std::to_string(value), std::abs(value - printed) <= unit);
}

void check_sigma(double epsilon, double delta, double exact) {
    check_above("sigma", privacy::sigma(epsilon, delta), exact, tolerance(epsilon, 0, 1 / exact));
}

void check_delta(const privacy::Totals &totals, double epsilon, double exact) {
    check_above("delta at " + std::to_string(epsilon), privacy::delta(epsilon, totals), exact,
                tolerance(epsilon, totals.laplace_epsilon, totals.mu));
}

void check_mu(double epsilon, double delta, double laplace_epsilon, double exact) {
    check_below("mu", privacy::mu(epsilon, delta, {laplace_epsilon}), exact,
                tolerance(epsilon, laplace_epsilon, exact));
}

void check_epsilon(double delta, const privacy::Totals &totals, double exact) {
    check_above("epsilon", privacy::epsilon(delta, totals), exact,
                tolerance(exact, totals.laplace_epsilon, totals.mu));
}

/** Analytic Gaussian mechanism: Balle and Wang, 2018. */
void sigma_of_the_gaussian() {
    check_sigma(0.1, 1e-9, 50.209818263015331);
    check_sigma(0.5, 1e-5, 7.0318266755824914);
    check_sigma(1, 1e-5, 3.7306316348159418);
    check_sigma(1, 1e-6, 4.2246788893268353);
    check_sigma(1, 1e-9, 5.4952661572382962);
    check_sigma(2, 1e-6, 2.2304762711864173);
    check_sigma(4, 1e-5, 1.0811618495202392);
    check_sigma(8, 1e-5, 0.60022907219895156);
    check_sigma(10, 0.01, 0.35009668624823209);
    check_sigma(50, 1e-10, 0.18029422294241373);
    check_sigma(std::log(3), 1e-5, 3.4246623979089508);
    check_sigma(16, 1e-5, 0.34417742849639353);
    check_sigma(1, 1e-200, 29.996379452149201);
    // Published by google/differential-privacy; the last is 25 queries of sensitivity 6.
    check_digits("ln 3", privacy::sigma(std::log(3), 1e-5), 3.42578, 1.2e-3);
    check_digits("16", privacy::sigma(16, 1e-5), 0.34418, 5e-6);
    check_digits("one", privacy::sigma(1, 0.12693674), 1, 3e-8);
    check_digits("a third", privacy::sigma(1, 0.78760074), 1.0 / 3, 3e-8);
    check_digits("25 queries", 5 * 6 * privacy::sigma(1, 0.78760074), 10, 1e-6);
}

void delta_of_gaussians() {
    check_delta({0, 1}, 0, 0.38292492254802621);
    check_delta({0, 1}, 1, 0.12693673750664395);
    check_delta({0, 1}, 2, 0.020923635821113731);
    check_delta({0, 1}, 5, 5.7937216919194941e-7);
    check_delta({0, 1}, 10, 9.8127058268469559e-23);
    check_delta({0, 3}, 1, 0.78760074136038453);
    check_delta({0, 0.5}, 1, 0.0068295949831145754);
    check_delta({0, 0.1}, 0.5, 6.8565824558387266e-9);
    check_delta({0, 0.01}, 0.1, 7.8576927710367994e-27);
    check_delta({0, 5}, 20, 0.047322964188519659);
    check_delta({0, 30}, 600, 2.4420846255665562e-7);
}

/** mu is the root of the summed squares of 1/sigma. */
void delta_of_composed_gaussians() {
    check_delta({0, std::sqrt(40) / 4}, 10, 3.3376275862304646e-9);
    check_delta({0, std::sqrt(400) / 20}, 3, 0.0015371853694009548);
    check_delta({0, std::sqrt(3) / std::sqrt(3)}, 1, 0.12693673750664395);
    check_delta({0, std::hypot(std::sqrt(50) / 10, std::sqrt(50) / 5)}, 4, 0.016455672864108927);
}

void laplace_alone() {
    check_delta({2}, 0.5, 0.52763344725898529);
    check_delta({1}, 0.5, 0.22119921692859513);
    check_epsilon(1e-5, {1}, 0.99997999989999933);
    check_epsilon(0.1, {0.5}, 0.2892789686843474);
    check_true("epsilon 0", privacy::epsilon(0.3, {0.5}) == 0);
    check_true("pure", privacy::delta(2, {2}) == 0 && privacy::epsilon(0, {2}) == 2);
    check_digits("5 queries of sensitivity 2.1, scale 3.5", privacy::epsilon(0, {5 * 2.1 / 3.5}), 3,
                 1e-15);
}

void delta_of_laplace_with_gaussians() {
    check_delta({0.5, 0.3}, 1, 0.0039978916796239457);
    check_delta({0.5, 0.5}, 1, 0.02928915721293497);
    check_delta({1, 0.4}, 2, 0.00068882884250549635);
    check_delta({0.5, 1}, 5, 3.2354481323297349e-6);
    check_delta({5, 1.5}, 10, 0.0009469711935845717);
    check_delta({3.9, 0.05}, 4, 0.00022499060498294247);
    check_delta({1, 0.5}, 0, 0.41442960683129682);
    check_delta({0.1, 0.25}, 1, 8.0505075318639023e-6);
    check_delta({0.5, 0.15}, 1, 1.0966344368285844e-5);
    check_delta({0.5, 0.0995568}, 1, 3.0556194621305087e-9);
    check_delta({0.2, 0.4}, 2, 3.4997507231656926e-7);
    check_delta({10, 3}, 15, 0.24480165753471242);
    check_delta({0.05, 5}, 20, 0.047354812923972075);
    check_delta({0.5, std::sqrt(0.5)}, 3, 6.4262272310108515e-5);
    check_delta({1e-9, 0.5}, 1, 0.0068295949831145755);
}

void negative_epsilon() {
    check_delta({0.5, 0.7}, -1, 0.65902352897932981);
    check_delta({1, 0.5}, -3, 0.95021317930670819);
    check_delta({0.1, 0.25}, -0.2, 0.21334361309855068);
}

void deep_tails() {
    check_delta({0, 1}, 30.5, 1.5794797074175365e-199);
    check_delta({0.5, 1}, 31, 8.0264496042798535e-200);
    check_delta({0.1, 0.01}, 0.4, 9.4817726464118985e-202);
    check_delta({0, 17}, 600, 7.3338145267408441e-159);
    check_delta({3, 0.0007}, 3.02, 9.3933247254290061e-185);
    check_delta({100, 2}, 150, 5.5435491499388069e-129);
    check_delta({0, 1e-4}, 1e-3, 7.4782984600195642e-29);
    check_epsilon(1e-200, {0.5, 1}, 31.069193114838715);
    check_epsilon(1e-100, {0, 0.1}, 2.107068131290992);
    check_epsilon(1e-250, {0, 10}, 387.55890355504826);
    check_epsilon(1e-290, {20, 3}, 133.49608732242968);
    check_mu(1, 1e-200, 0.5, 0.016698965656241716);
    check_mu(100, 1e-250, 50, 1.4529901071998495);
    check_mu(0.01, 1e-100, 0.001, 0.00043418121298960983);
}

/** Of budgets that are hardly any. */
void tiny_mu() {
    check_delta({0, 2.374489004974711e-07}, 2.165514454548365e-06, 9.5648980517688842e-28);
    check_delta({0, 1e-08}, 0, 3.9894228040143268e-9);
    check_delta({0, 1e-08}, 1e-08, 8.3315471004263653e-10);
    check_delta({0, 1e-08}, 3e-07, 1.6319569788850271e-207);
    check_delta({0, 1e-07}, -1e-07, 1.0833154164219144e-7);
    check_delta({0.001, 1e-06}, 0.001, 1.9947120270070802e-7);
    check_delta({0.01, 1e-05}, 0.0099, 4.9998762520207786e-5);
    check_delta({0.01, 1e-07}, 0.0100002, 4.2453518049968392e-10);
    check_delta({0, 2.1e-05}, 0.0001, 3.9188699396487094e-12);
    check_epsilon(2.2e-13, {0, 2.397e-05}, 0.00012751277386702282);
    check_epsilon(1e-09, {0, 1e-06}, 2.7178059287972226e-6);
    check_epsilon(1e-20, {0.001, 1e-05}, 0.0010759252360068051);
    check_mu(0.0001, 1e-06, 0, 5.8000911693203371e-5);
    check_mu(1e-06, 1e-09, 0, 4.104403020248586e-7);
    check_mu(0.01, 1e-06, 0.0099, 6.7020398211492388e-5);
}

/** The exact value of (0.5, 1e-9) is 0.1175030974154046. */
void small_mu_counts_as_the_least() {
    const double counted = privacy::delta(0.25, {0.5, 1e-9});
    check_true("above the exact value", counted >= 0.1175030974154046);
    check_true("as the least", counted == privacy::delta(0.25, {0.5, privacy::kLeastMu}));
    check_true("not as none", counted > privacy::delta(0.25, {0.5, 0}));
}

void delta_with_a_pure_release() {
    check_delta({0.2, 0.3, 0.3}, 1, 0.0023401317097106147);
    check_delta({0.1, 0.25, 0.5}, 2, 2.8870170466792914e-10);
    check_delta({0.1, 0.25, 0.5}, 0.4, 0.097371655408227297);
    check_delta({0, 0.3, 0.2}, 1, 0.0002897652478147997);
    // epsilon - pure_epsilon is no double here; rounded to nearest it would give too small a delta.
    check_above("delta", privacy::delta(303.1731, {257.14, 1e-4, 46.03}), 4.3449134511600824e-217,
                2e-8);
    check_above("delta", privacy::delta(313.6006, {269.69, 1e-4, 43.91}), 7.8202552566464911e-15,
                4e-9);
}

void largest_mu() {
    check_mu(1, 1e-5, 0.5, 0.14900520715088236);
    check_mu(1, 1e-5, 0.1, 0.25348234955061452);
    check_mu(1, 1e-6, 0.1, 0.22192327134510047);
    check_mu(4, 1e-5, 0.4, 0.86908244408520507);
    check_mu(10, 0.01, 1, 2.7391844470314611);
    check_mu(0.5, 1e-6, 0.05, 0.11665113094018339);
    check_mu(2, 1e-9, 0.2, 0.32449253876981471);
}

void smallest_epsilon() {
    check_epsilon(1e-5, {0.5, 0.3}, 1.5823771729613543);
    check_epsilon(1e-6, {0.1, 1}, 4.9124902506947474);
    check_epsilon(0.01, {5, 1.48}, 8.6467988705708213);
    check_epsilon(1e-5, {0.5, 0.0995568}, 0.82101381102053098);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(sigma_of_the_gaussian),
        core_test(delta_of_gaussians),
        core_test(delta_of_composed_gaussians),
        core_test(laplace_alone),
        core_test(delta_of_laplace_with_gaussians),
        core_test(negative_epsilon),
        core_test(deep_tails),
        core_test(tiny_mu),
        core_test(small_mu_counts_as_the_least),
        core_test(delta_with_a_pure_release),
        core_test(largest_mu),
        core_test(smallest_epsilon),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
