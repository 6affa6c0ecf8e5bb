// A short audit; the long one has the power to see a noise that is 10 % too small or far too large.
#include "privacy/audit.hpp"

using namespace dpadapt;

namespace {

void check_audit(const Audit &audit, double used, double least) {
    const Epsilons epsilon = epsilons(audit);
    check_true("the neighbours use what is claimed",
               audit.true_mu <= audit.claimed_mu && audit.true_mu > used * audit.claimed_mu);
    check_true("proven epsilon " + std::to_string(epsilon.lower) + " is not above the claimed " +
                   std::to_string(epsilon.claimed),
               epsilon.lower <= epsilon.claimed);
    check_true("proven epsilon " + std::to_string(epsilon.lower) + " is not far below it",
               epsilon.lower >= least * epsilon.claimed);
}

void audit(const OptionTexts &more, double least) {
    OptionTexts options = audited_options();
    for (const auto &[name, text] : more) options[name] = text;
    const bool taken_out = options.contains("neighbours");
    check_audit(Auditor(options, 1e6, taken_out)(10000, 1.0 - 1e-6), 0.99, least);
}

/** The metric of alpha = auto comes from them. */
void moments_of_adaptive_alpha() {
    check_audit(Auditor::of_moments(audited_moments())(10000, 1.0 - 1e-6), 0.9, 0.15);
}

void whole_person() {
    check_audit(Auditor::of_persons(audited_options(), 1e6)(10000, 1.0 - 1e-6), 0.99, 0.15);
}

void adaptive_alpha() { audit({}, 0.15); }
void fixed_alpha() { audit({{"alpha", "0.3"}, {"discrepancy", "0"}}, 0.15); }

void record_taken_out() { audit({{"neighbours", "zero_out"}}, 0.15); }

/** A discrepancy with Gaussian noise, seen from outside: how often its value passes a threshold for
 *  two neighbours, and what mu that proves. */
void gaussian_discrepancy() {
    const OptionTexts options = {{"epsilon", "4"},
                                 {"delta", "1e-3"},
                                 {"discrepancy_share", "0.8"},
                                 {"discrepancy_noise", "gaussian"}};
    constexpr int kDraws = 24000;  // the bounds of the two shares then cost 0.08 of mu
    NoControl control;
    const Settings settings = settings_of(options, Wanted::discrepancy);
    const Data source = make_data(40, 0.0, 1);
    const Sample source_sample = source.sample();
    std::vector<std::vector<double>> released;
    std::vector<double> before;
    double claimed = 0.0;
    double unit = 0.0;
    for (const double label : {1e6, 0.0}) {
        Data target = make_data(8, 0.5, 2);
        target.set(3, label == 0.0 ? 0.0 : 2.0, label);
        const Sample sample = target.sample();
        PrivateCall call(source_sample, sample, settings, Wanted::discrepancy, control);
        claimed = call.plan().total.totals().mu;
        unit = call.plan().discrepancy->unit;
        check_true("Gaussian", call.plan().total.laplace == 0);
        released.emplace_back();
        for (int draw = 0; draw < kDraws; ++draw) {
            Recorder recorder;
            privacy::Ledger ledger;
            call.charge(ledger);
            released.back().push_back(call.release_discrepancy(&recorder));
            if (draw == 0)
                before.push_back(unit * static_cast<double>(recorder.entries.at(0).integers.at(0)));
        }
    }
    const double threshold = 0.5 * (before[0] + before[1]);
    const auto above = [&](const std::vector<double> &values) {
        return static_cast<double>(std::count_if(values.begin(), values.end(),
                                                 [&](double value) { return value > threshold; }));
    };
    using Binomial = boost::math::binomial_distribution<>;
    const boost::math::normal normal;
    const double larger = above(before[0] > before[1] ? released[0] : released[1]);
    const double smaller = above(before[0] > before[1] ? released[1] : released[0]);
    const double proven =
        boost::math::quantile(normal, Binomial::find_lower_bound_on_p(kDraws, larger, 5e-7)) -
        boost::math::quantile(normal, Binomial::find_upper_bound_on_p(kDraws, smaller, 5e-7));
    const double there = std::abs(before[0] - before[1]) / (unit * 0x1p32);
    check_true("the neighbours use what is claimed: " + std::to_string(there / claimed),
               there <= claimed && there > 0.4 * claimed);
    check_true("proven mu " + std::to_string(proven) + " is not above the claimed " +
                   std::to_string(claimed),
               proven <= claimed);
    check_true("proven mu " + std::to_string(proven) + " is not far below " + std::to_string(there),
               proven >= there - 0.15);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(adaptive_alpha),       core_test(fixed_alpha),
        core_test(record_taken_out),     core_test(moments_of_adaptive_alpha),
        core_test(gaussian_discrepancy), core_test(whole_person)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
