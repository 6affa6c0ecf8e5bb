// Errors of solutions on rows of any doubles, twice with other private rows: intervals around
// estimates, the price of the budget or none, and a status that no private row decides.
#include "fuzz/problem.hpp"
#include "fuzz/settings.hpp"
#include "fuzz/solution_calls.hpp"

using fuzz::Problem;
using fuzz::Sample;

namespace {

constexpr std::size_t kMostFits = 2;

/** Fits to rows of any doubles, those that succeed. */
class Fits {
  public:
    Fits(const Problem &problem, fuzz::Options &options, fuzz::Input &input) {
        for (std::size_t left = 1 + input.below(kMostFits); left > 0; --left) {
            dpa_solution *solution = nullptr;
            const dpa_status status = dpa_solve(problem.get(), nullptr, options.get(), &solution);
            REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (solution != nullptr));
            if (solution != nullptr) list_.push_back(solution);
            (void)dpa_options_parse(options.get(), "alpha", "0.5");
        }
    }
    Fits(const Fits &) = delete;
    Fits &operator=(const Fits &) = delete;
    ~Fits() {
        for (dpa_solution *solution : list_) dpa_solution_destroy(solution);
    }

    [[nodiscard]] std::size_t count() const { return list_.size(); }
    [[nodiscard]] const dpa_solution *const *get() const { return list_.data(); }

  private:
    std::vector<dpa_solution *> list_;
};

void use(const dpa_evaluation *evaluation, std::size_t fits) {
    std::size_t count = 0;
    for (dpa_measure one{};; ++count) {
        REQUIRE(dpa_evaluation_measure(evaluation, count, &one) == DPA_OK);
        if (one.name == nullptr) break;
        REQUIRE(one.solution < fits);
        const bool is_bin = one.name == std::string("calibration");
        REQUIRE(is_bin ? one.from <= one.to : one.from == 0.0 && one.to == 0.0);
        REQUIRE(one.note == nullptr || *one.note != '\0');
        // Of rows of one class there is no such area, and of times without events no such pair.
        const std::string name = one.name;
        const bool none = (is_bin || name == "roc_area" || name == "concordance") &&
                          std::isnan(one.estimate) && one.lower == 0.0 && one.upper == 1.0;
        REQUIRE(none || (std::isfinite(one.estimate) && one.lower <= one.estimate &&
                         one.estimate <= one.upper));
    }
    REQUIRE(count > 0);
    for (const std::int32_t form : {DPA_REPORT_JSON, DPA_REPORT_TEXT})
        (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_evaluation_report(evaluation, form, out, size, needed);
        });
}

dpa_status evaluate(const Problem &rows, const Fits &fits, const fuzz::Options &options) {
    dpa_evaluation *evaluation = nullptr;
    const dpa_status status =
        dpa_evaluate(rows.get(), fits.get(), fits.count(), options.get(), &evaluation);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (evaluation != nullptr));
    if (evaluation != nullptr) use(evaluation, fits.count());
    dpa_evaluation_destroy(evaluation);
    return status;
}

/** A calibration, in place of an evaluation. */
dpa_status calibrate(const Problem &rows, const Fits &fits, const fuzz::Options &options) {
    dpa_solution *made = nullptr;
    const dpa_status status =
        dpa_solution_calibrate(fits.get()[0], rows.get(), options.get(), &made);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (made != nullptr));
    if (made != nullptr) (void)fuzz::use(made);
    dpa_solution_destroy(made);
    return status;
}

/** Any numbers as answers of two teachers. */
void vote(const Problem &problem, const fuzz::Options &options, fuzz::Input &input) {
    std::vector<double> answers(4);
    for (double &answer : answers) answer = input.real();
    const dpa_matrix table{answers.data(), 2, 2, 2, DPA_ROW_MAJOR};
    double means[2];
    double counts[6];
    double deviation = -1.0;
    const double low = input.real();
    dpa_status status =
        dpa_votes_mean(problem.get(), table, low, input.real(), options.get(), means, 2, nullptr);
    REQUIRE(fuzz::is_documented(status));
    status = dpa_votes_count(problem.get(), table, 3, options.get(), counts, 6, &deviation);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (deviation >= 0.0));
    const std::int64_t ids[] = {input.byte(), -1, 7};
    REQUIRE(fuzz::is_documented(dpa_votes_shard(ids, 3, input.byte(), counts, 3)));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    static constexpr const char *kLosses[] = {"squared", "huber",   "pinball", "logistic",
                                              "softmax", "poisson", "gamma",   "survival"};
    const std::size_t loss = input.below(std::size(kLosses));
    fuzz::Options options;
    options.choose(input);
    options.limit_work();
    options.set("loss", kLosses[loss]);
    options.set("private_domain", "none");
    const std::size_t labels = loss < 3 || loss == 7 ? 0 : loss < 5 ? loss - 2 : loss - 3;
    const std::size_t features = 1 + input.below(3);
    const std::size_t m = 3 + input.below(10);
    const std::size_t n = 1 + input.below(12);
    const Sample source(input, m, features, labels);
    const Sample target(input, n, features, labels);
    Problem fitted(source, target);
    if (input.byte() % 8 == 1) fitted.group(false, m, input);
    if (input.byte() % 8 == 1) fitted.score(m, n, input);
    const Fits fits(fitted, options, input);
    if (fits.count() == 0) return 0;
    (void)evaluate(Problem(target), fits, options);
    (void)calibrate(Problem(target), fits, options);

    options.set("private_domain", "target");
    options.set("epsilon", input.byte() % 2 == 0 ? "2" : "300");
    options.set("delta", "1e-3");
    const Sample other(input, n, features, labels);
    const bool has_source = input.byte() % 2 == 0;
    const bool has_persons = input.byte() % 8 == 1;
    const bool calibrates = input.byte() % 4 == 1;
    const fuzz::Input ids = input;
    const auto measure = [&](const Sample &rows) {
        Problem problem(source, rows);
        Problem alone(rows);
        Problem &chosen = has_source ? problem : alone;
        fuzz::Input of_ids = ids;
        if (has_persons) chosen.group(true, n, of_ids);
        const dpa_status status =
            calibrates ? calibrate(chosen, fits, options) : evaluate(chosen, fits, options);
        const double spent = chosen.spent("spent_mu");
        REQUIRE(status != DPA_OK || spent > 0.0);
        return std::pair(status, spent);
    };
    REQUIRE(measure(target) == measure(other));
    vote(Problem(target), options, input);
    return 0;
}
