// What released gradients say on whether private records counted: sums of zeros pass for records as
// rarely as is promised, wherever the steps went, and records do not pass for zeros.
#include "core/core.hpp"
#include "private/shrink.hpp"

using dpadapt::Evidence;

namespace {

constexpr arma::uword kDimension = 5;
constexpr unsigned kSteps = 20;

/** Steps that follow a share of what they are told.
 *  @param hessian  Of the records: 0 where none counts.
 *  @param away     From the start to their optimum, in each coordinate. */
double evidence_of(double hessian, double away, double followed, std::mt19937 &engine) {
    std::normal_distribution<double> normal;
    const arma::vec start(kDimension, arma::fill::zeros);
    Evidence evidence(start, 1.0);
    arma::vec v = start;
    arma::vec mean(kDimension, arma::fill::zeros);
    for (unsigned step = 1; step <= kSteps; ++step) {
        arma::vec gradient(kDimension);
        for (double &entry : gradient) entry = normal(engine);
        gradient += hessian * (v - away);
        evidence.see(v, gradient);
        mean += (v - gradient - mean) / step;
        v = followed * mean;
    }
    return evidence();
}

void zeros_rarely_pass_for_records() {
    std::mt19937 engine(1);
    constexpr int kRuns = 20000;
    for (const double followed : {0.0, 0.6, 1.0}) {
        int often = 0;
        int rarely = 0;
        for (int run = 0; run < kRuns; ++run) {
            const double found = evidence_of(0.0, 0.0, followed, engine);
            often += found >= 1.0 ? 1 : 0;
            rarely += found >= 2.0 ? 1 : 0;
        }
        check_true("1 of 10", often <= kRuns / 10);
        check_true("1 of 100", rarely <= kRuns / 100);
    }
}

void records_are_seen() {
    std::mt19937 engine(2);
    for (const double followed : {0.0, 0.6, 1.0})
        for (const double hessian : {0.5, 1.0, 2.0})
            check_true("an optimum that is far away",
                       evidence_of(hessian, 3.0, followed, engine) >= 2.0);
    // Where the optimum is the start itself, noise moves the steps, and records draw them back.
    int seen = 0;
    for (int run = 0; run < 100; ++run)
        seen += evidence_of(1.0, 0.0, 1.0, engine) > evidence_of(0.0, 0.0, 1.0, engine) ? 1 : 0;
    check_true("the way back", seen >= 75);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(run_body<zeros_rarely_pass_for_records>),
        cmocka_unit_test(run_body<records_are_seen>),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
