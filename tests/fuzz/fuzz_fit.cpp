// Calls on arbitrary doubles with arbitrary options: a documented status, and what every result
// promises: a gap that is none of a better point, weights between 0 and p, a price as planned.
#include "fuzz/problem.hpp"
#include "fuzz/settings.hpp"
#include "fuzz/solution_calls.hpp"

using fuzz::Problem;
using fuzz::Sample;

namespace {

double setting(const dpa_solution *solution, const char *name) {
    double value = 0.0;
    REQUIRE(dpa_solution_value(solution, name, &value) == DPA_OK);
    return value;
}

void check_weights(const std::vector<double> &weights, double p) {
    for (const double q : weights) REQUIRE(q >= 0.0 && q <= p * (1.0 + 1e-9) + 1e-300);
}

/** Of a fit by dpa_solve without privacy. */
void check_optimum(const Problem &problem, const dpa_solution *solution) {
    std::size_t m = 0;
    std::size_t n = 0;
    double objective = 0.0;
    double gap = 0.0;
    REQUIRE(dpa_solution_shape(solution, nullptr, nullptr, &m, &n) == DPA_OK);
    REQUIRE(dpa_solution_value(solution, "objective", &objective) == DPA_OK);
    REQUIRE(std::isfinite(objective));
    const dpa_status certified = dpa_solution_value(solution, "duality_gap", &gap);
    REQUIRE(certified == DPA_OK || certified == DPA_E_UNSUPPORTED);
    if (certified == DPA_OK) REQUIRE(gap >= -1e-8 * std::fabs(objective));
    const double alpha = setting(solution, "alpha");
    REQUIRE(alpha >= 0.0 && alpha <= 1.0);
    std::vector<double> source(m);
    std::vector<double> target(n);
    REQUIRE(dpa_solution_array(solution, "source_weights", source.data(), m) == DPA_OK);
    REQUIRE(dpa_solution_array(solution, "target_weights", target.data(), n) == DPA_OK);
    check_weights(source, alpha / problem.labelled(DPA_SOURCE));
    check_weights(target, (1.0 - alpha) / problem.labelled(DPA_TARGET));
}

dpa_status fit(const Problem &problem, const fuzz::Options &options, std::size_t method,
               bool is_private) {
    dpa_solution *solution = nullptr;
    const dpa_status status =
        method < fuzz::baseline_count()
            ? dpa_baseline_solve(problem.get(), dpa_baseline_text(method, "name"), options.get(),
                                 &solution)
            : dpa_solve(problem.get(), nullptr, options.get(), &solution);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (solution != nullptr));
    if (solution == nullptr) return status;
    (void)fuzz::use(solution);
    if (method >= fuzz::baseline_count() && !is_private) check_optimum(problem, solution);
    dpa_solution_destroy(solution);
    return status;
}

void estimate(const Problem &problem, const fuzz::Options &options) {
    dpa_discrepancy *estimate = nullptr;
    const dpa_status status = dpa_discrepancy_estimate(problem.get(), options.get(), &estimate);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (estimate != nullptr));
    if (estimate == nullptr) return;
    double value = -1.0;
    double lower = 0.0;
    double upper = 0.0;
    REQUIRE(dpa_discrepancy_value(estimate, "value", &value) == DPA_OK);
    REQUIRE(value >= 0.0 && std::isfinite(value));
    const dpa_status bounds = dpa_discrepancy_value(estimate, "lower", &lower);
    REQUIRE(dpa_discrepancy_value(estimate, "upper", &upper) == bounds);
    REQUIRE(bounds == DPA_OK || bounds == DPA_E_NOT_RELEASABLE);
    if (bounds == DPA_OK) REQUIRE(lower <= value && value <= upper);
    dpa_discrepancy_destroy(estimate);
}

/** A private call costs what its plan says or nothing, and whether it succeeds is no function of
 *  private rows. */
void fit_privately(const Problem &problem, const Problem &neighbour, const fuzz::Options &options,
                   std::size_t method) {
    dpa_plan *plan = nullptr;
    const dpa_status planned =
        method < fuzz::baseline_count()
            ? dpa_baseline_plan(problem.get(), dpa_baseline_text(method, "name"), options.get(),
                                &plan)
            : dpa_plan_for_problem(problem.get(), options.get(), &plan);
    REQUIRE(fuzz::is_documented(planned) && (planned == DPA_OK) == (plan != nullptr));
    double mu = 0.0;
    double laplace = 0.0;
    if (plan != nullptr) {
        REQUIRE(dpa_plan_value(plan, "mu", &mu) == DPA_OK);
        REQUIRE(dpa_plan_value(plan, "laplace_epsilon", &laplace) == DPA_OK);
    }
    dpa_plan_destroy(plan);
    const dpa_status status = fit(problem, options, method, true);
    const double spent_mu = problem.spent("spent_mu");
    const double spent_laplace = problem.spent("spent_laplace_epsilon");
    const bool paid = spent_mu > 0.0 || spent_laplace > 0.0;
    REQUIRE(planned == DPA_OK || (status != DPA_OK && !paid));
    REQUIRE(status != DPA_OK || paid);
    if (paid) REQUIRE(std::fabs(spent_mu - mu) <= 1e-9 * mu);
    if (paid) REQUIRE(std::fabs(spent_laplace - laplace) <= 1e-9 * laplace);
    REQUIRE(fit(neighbour, options, method, true) == status);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    fuzz::Options options;
    static constexpr const char *kDomains[] = {"none", "none", "target", "source"};
    const char *domain = kDomains[input.below(std::size(kDomains))];
    const std::size_t method = input.below(fuzz::baseline_count() + 8);
    if (std::strcmp(domain, "none") != 0) {
        options.set("epsilon", "2");
        options.set("delta", "1e-3");
    }
    options.choose(input);
    options.set("private_domain", domain);
    options.limit_work();
    const std::size_t features = 1 + input.below(4);
    const std::size_t m = 1 + input.below(10);
    const std::size_t n = 1 + input.below(10);
    const std::size_t labels = input.below(3);
    const Sample source(input, m, features, labels);
    const Sample target(input, n, features, labels);
    Problem problem(source, target);
    if (method == fuzz::baseline_count() + 7) {
        estimate(problem, options);
    } else if (std::strcmp(domain, "none") == 0) {
        (void)fit(problem, options, method, false);
    } else {
        const bool of_target = std::strcmp(domain, "target") == 0;
        const Sample other(input, of_target ? n : m, features, labels);
        Problem neighbour(of_target ? source : other, of_target ? other : target);
        if (input.byte() % 4 == 1) {
            if (input.byte() % 4 != 1) options.set("row_weight_bound", "2");
            for (Problem *one : {&problem, &neighbour})
                one->weigh(of_target, of_target ? n : m, input);
        }
        fit_privately(problem, neighbour, options, method);
    }
    if (input.byte() % 4 == 1) {
        const Problem mapped(source, Sample(input, n, 1 + input.below(4), labels), input);
        (void)fit(mapped, options, method, std::strcmp(domain, "none") != 0);
    }
    return 0;
}
