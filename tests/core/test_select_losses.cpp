// What candidates are compared by: losses by hand, records that have none, and the rule of auto.

#include "base/error.hpp"
#include "core/core.hpp"
#include "select/private_selection.hpp"

using namespace dpadapt;

namespace {

/** Scores 2 a - b + k/4 for output k. */
Solution predictor(const loss::Choice &choice) {
    Solution solution;
    solution.loss = choice;
    solution.coordinates.center = {0.0, 0.0};
    for (std::size_t k = 0; k < solution.outputs(); ++k) {
        solution.coefficients.insert(solution.coefficients.end(), {2.0, -1.0});
        solution.intercept.push_back(0.25 * static_cast<double>(k));
    }
    return solution;
}

const loss::Choice kSquared{.kind = loss::Kind::squared};
const loss::Choice kLogistic{.kind = loss::Kind::logistic};
const loss::Choice kQuantile{
    .kind = loss::Kind::pinball, .quantile_level = 0.75, .quantile_smoothing = 1.0};
const loss::Choice kSoftmax{.kind = loss::Kind::softmax, .classes = 3};

struct Rows {
    std::vector<double> x;
    std::vector<double> y;
    [[nodiscard]] Sample sample(bool row_major = true) const {
        return Sample::lend({x.data(), y.size(), 2, row_major ? 2 : y.size(), row_major}, y.data());
    }
};

std::vector<double> losses(const loss::Choice &choice, const Rows &rows, SelectionLoss loss,
                           Evaluation evaluation = Evaluation::one_by_one) {
    return validation_losses(predictor(choice), rows.sample(), loss, evaluation);
}

void check_values(const std::string &what, const std::vector<double> &got,
                  const std::vector<double> &wanted) {
    check_true(what + ": length", got.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (std::isnan(wanted[i]))
            check_true(what + ": none", std::isnan(got[i]));
        else if (std::isinf(wanted[i]))
            check_true(what + ": infinite", got[i] == wanted[i]);
        else
            check_close(what, got[i], wanted[i], 1e-14);
    }
}

void losses_by_hand() {
    const Rows rows{{1, 0, 0, 2, 1, 1}, {1, -1, -1}};  // scores 2, -2, 1
    check_values("squared", losses(kSquared, rows, SelectionLoss::squared), {1, 1, 4});
    check_values("error", losses(kLogistic, rows, SelectionLoss::error), {0, 0, 1});
    check_values("pinball", losses(kQuantile, rows, SelectionLoss::pinball), {0.25, 0.75, 0.5});
    check_values(
        "logistic", losses(kLogistic, rows, SelectionLoss::logistic),
        {std::log1p(std::exp(-2.0)), std::log1p(std::exp(-2.0)), std::log1p(std::exp(1.0))});
    // All classes have the same score but for k/4: probabilities do not depend on the row.
    const Rows counted{{1, 0, 0, 2}, {0, 2}};
    const double sum = 1.0 + std::exp(0.25) + std::exp(0.5);
    check_values("softmax", losses(kSoftmax, counted, SelectionLoss::logistic),
                 {std::log(sum), std::log(sum) - 0.5});
    check_values("class", losses(kSoftmax, counted, SelectionLoss::error), {1, 0});
}

void records_without_a_loss() {
    const Rows rows{{kNan, 0, 0, kInf, 1e308, -1e308, 1, 0, 1, 0}, {1, 1, 1, kNan, 0.5}};
    check_values("squared", losses(kSquared, rows, SelectionLoss::squared),
                 {kNan, kNan, kInf, kNan, 2.25});
    check_values("error", losses(kLogistic, rows, SelectionLoss::error), {kNan, kNan, 0, kNan, 1});
    check_values("logistic", losses(kLogistic, rows, SelectionLoss::logistic),
                 {kNan, kNan, kNan, kNan, kNan});
    const Rows beyond{{1, 0, 1, 0, 1, 0}, {3, -1, 1e300}};
    check_values("no such class", losses(kSoftmax, beyond, SelectionLoss::logistic),
                 {kNan, kNan, kNan});
}

/** Also where another record is spoilt. */
void a_loss_depends_on_its_own_record() {
    Random random(3);
    Rows rows;
    for (int i = 0; i < 1201; ++i) {
        rows.x.insert(rows.x.end(), {random.normal(), random.normal()});
        rows.y.push_back(random.normal() > 0.0 ? 1.0 : -1.0);
    }
    for (const SelectionLoss loss : {SelectionLoss::error, SelectionLoss::logistic}) {
        const std::vector<double> alone = losses(kLogistic, rows, loss);
        check_values("in blocks", losses(kLogistic, rows, loss, Evaluation::in_blocks), alone);
        Rows spoilt = rows;
        spoilt.x[2 * 600] = kNan;
        std::vector<double> others = losses(kLogistic, spoilt, loss);
        check_true("spoilt", std::isnan(others[600]));
        others[600] = alone[600];
        check_true("same bits", others == alone);
    }
}

void one_measure_for_all() {
    using select::common_loss;
    const loss::Choice huber{.kind = loss::Kind::huber};
    const loss::Choice custom{.kind = loss::Kind::custom};
    const loss::Choice votes{.kind = loss::Kind::votes};
    const auto of = [](const std::vector<loss::Choice> &list,
                       SelectionLoss wanted = SelectionLoss::automatic) {
        return common_loss(list, wanted);
    };
    check_true("numbers", of({kSquared, huber}) == SelectionLoss::squared);
    check_true("classes", of({kLogistic, kSoftmax, votes}) == SelectionLoss::error);
    check_true("both", status_of([&] { return of({kSquared, kLogistic}); }) == DPA_E_OPTION);
    check_true("given", of({kSquared, kLogistic}, SelectionLoss::error) == SelectionLoss::error);
    check_true("no probabilities", status_of([&] {
                                       return of({kSquared}, SelectionLoss::logistic);
                                   }) == DPA_E_UNSUPPORTED);
    check_true("custom", status_of([&] { return of({custom}); }) == DPA_E_UNSUPPORTED);
    const loss::Choice times{.kind = loss::Kind::survival};
    check_true("times", of({times, times}) == SelectionLoss::logistic);
    for (const loss::Choice &second : {kSquared, kLogistic})
        check_true("others", status_of([&] { return of({times, second}); }) == DPA_E_UNSUPPORTED);
    check_true("not their own",
               status_of([&] { return of({times}, SelectionLoss::squared); }) == DPA_E_UNSUPPORTED);
    loss::Choice other = kQuantile;
    other.quantile_level = 0.5;
    check_true("quantiles", of({kQuantile, kQuantile}) == SelectionLoss::pinball);
    for (const loss::Choice &second : {other, kSquared, kLogistic}) {
        const std::vector<loss::Choice> list{kQuantile, second};
        check_true("not one", status_of([&] { return of(list); }) == DPA_E_OPTION);
        check_true("given", of(list, SelectionLoss::squared) == SelectionLoss::squared);
        check_true("no level", status_of([&] { return of(list, SelectionLoss::pinball); }) ==
                                   DPA_E_UNSUPPORTED);
    }
}

void the_first_of_the_least() {
    check_true("ties", select::least_mean(std::vector{3.0, 1.0, 2.0, 1.0}) == 1);
    check_true("infinite loses", select::least_mean(std::vector{kInf, 9.0}) == 1);
    check_true("none", status_of([] {
                           return select::least_mean(std::vector{kInf, kInf});
                       }) == DPA_E_NUMERICAL);
    const Rows rows{{1, 0, 0, 2, 1, 1}, {1, -1, -1}};
    check_close("mean",
                select::mean_loss(predictor(kSquared), rows.sample(), SelectionLoss::squared), 2.0,
                1e-15);
    const Rows bad{{1, 0}, {0.5}};
    check_true("label", status_of([&] {
                            return select::mean_loss(predictor(kLogistic), bad.sample(),
                                                     SelectionLoss::logistic);
                        }) == DPA_E_LABEL);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(losses_by_hand),
        core_test(records_without_a_loss),
        core_test(a_loss_depends_on_its_own_record),
        core_test(one_measure_for_all),
        core_test(the_first_of_the_least),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
