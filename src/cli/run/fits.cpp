#include "cli/run/fits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

std::string report(const LedgerHandle &ledger, bool json) {
    return report_by(dpa_ledger_report, static_cast<const dpa_ledger *>(ledger.get()),
                     json ? DPA_REPORT_JSON : DPA_REPORT_TEXT);
}

}  // namespace

LedgerHandle open_ledger_file(const std::string &path) {
    dpa_ledger *ledger = nullptr;
    check(dpa_ledger_open(path.c_str(), &ledger));
    return LedgerHandle(ledger);
}

Json ledger_facts(const LedgerHandle &ledger) { return Json::parse(report(ledger, true)); }

LedgerHandle open_ledger(const std::string &path, const Settings &settings) {
    if (path.empty()) return LedgerHandle();
    if (!settings.is_private())
        throw Failure(kUsage, "--ledger is for private records, but private_domain is none");
    return open_ledger_file(path);
}

void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger) {
    if (ledger) check(dpa_problem_use_ledger(problem.get(), ledger.get()));
}

namespace {

/** A part of a price, or of what a ledger has left. */
struct Price {
    double mu = 0.0;
    double laplace_epsilon = 0.0;
    double pure_epsilon = 0.0;

    explicit Price(const Json &report)
        : mu(report.at("mu")),
          laplace_epsilon(report.at("laplace_epsilon")),
          pure_epsilon(report.at("pure_epsilon")) {}

    void add(const Price &other) {
        mu = std::hypot(mu, other.mu);
        laplace_epsilon += other.laplace_epsilon;
        pure_epsilon += other.pure_epsilon;
    }
    /** Up to rounding: the library, which pays, counts in integers. */
    [[nodiscard]] bool within(const Price &left) const {
        constexpr double kRounding = 1.0 + 1e-9;
        return mu <= kRounding * left.mu && laplace_epsilon <= kRounding * left.laplace_epsilon &&
               pure_epsilon <= kRounding * left.pure_epsilon;
    }
};

/** A failure is that of the fit itself. */
Price price_of_fit(const Samples &samples, const LedgerHandle &ledger, Settings &settings) {
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_plan *made = nullptr;
    check(dpa_plan_for_problem(problem.get(), settings.options(), &made));
    settings.progress().finish();
    const PlanHandle plan(made);
    const Json report = Json::parse(
        report_by(dpa_plan_report, static_cast<const dpa_plan *>(plan.get()), DPA_REPORT_JSON));
    return Price(report["total"]);
}

/** All of epsilon and delta, as Gaussian releases. */
Price price_of_evaluation(const std::vector<std::string> &assignments) {
    const OptionsHandle options = parse_options(
        assignments, {"discrepancy_share=0", "laplace_epsilon=auto", "selection_epsilon=unset"});
    dpa_ledger *made = nullptr;
    check(dpa_ledger_create(options.get(), 0, &made));
    return Price(ledger_facts(LedgerHandle(made))["left"]);
}

}  // namespace

void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings) {
    if (!ledger || !settings.is_private("target")) return;
    const Price left(ledger_facts(ledger)["left"]);
    Price both = price_of_fit(samples, ledger, settings);
    if (!both.within(left)) return;  // the library tells it better, before the fit is paid
    both.add(price_of_evaluation(assignments));
    if (both.within(left)) return;
    throw Failure(kUsage,
                  "the fit and the evaluation together: the ledger has too little left for both, "
                  "each of which costs epsilon and delta (left is mu = " +
                      Json(left.mu).dump() + ", needed is mu = " + Json(both.mu).dump() +
                      "); nothing was paid");
}

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

namespace {

Candidate solved_baseline(const std::string &name, const ProblemHandle &problem,
                          const dpa_options *options) {
    dpa_solution *solution = nullptr;
    check(dpa_baseline_solve(problem.get(), name.c_str(), options, &solution));
    return {name, SolutionHandle(solution)};
}

}  // namespace

std::vector<std::string> without_privacy() {
    return {"private_domain=none", "epsilon=unset", "delta=unset", "selection_epsilon=unset"};
}

Candidate adapted(const Samples &samples, const LedgerHandle &ledger, const dpa_options *options) {
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_solution *solution = nullptr;
    pay(problem, "the fit", [&] { check(dpa_solve(problem.get(), nullptr, options, &solution)); });
    return {"adapted", SolutionHandle(solution)};
}

Candidate public_baseline(const std::string &name, const Samples &samples,
                          const dpa_options *options) {
    return solved_baseline(name, make_problem(samples), options);
}

Candidate public_only(const std::string &domain, const Samples &samples,
                      const dpa_options *options) {
    const Sample &rows = domain == "source" ? samples.source : samples.target;
    const ProblemHandle problem = make_validation(rows, samples.features.size());
    lend_source(problem, rows, samples.features.size());
    return solved_baseline(domain + "_only", problem, options);
}

std::vector<const dpa_solution *> handles(const std::vector<Candidate> &candidates) {
    std::vector<const dpa_solution *> list;
    list.reserve(candidates.size());
    for (const Candidate &candidate : candidates) list.push_back(candidate.solution.get());
    return list;
}

std::vector<std::string> names(const std::vector<Candidate> &candidates) {
    std::vector<std::string> list;
    list.reserve(candidates.size());
    for (const Candidate &candidate : candidates) list.push_back(candidate.name);
    return list;
}

namespace {

void add_names(const std::vector<std::string> &names, Json &list) {
    for (Json &item : list) {
        const std::size_t solution = item["solution"];
        item.erase("solution");
        if (names.empty()) continue;
        item["model"] = names[solution];
        const bool gap =
            item.contains("name") && item["name"].get<std::string>().ends_with("_difference");
        if (gap) item["against"] = names.front();
    }
}

}  // namespace

Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                       const std::vector<const dpa_solution *> &solutions,
                       const std::vector<std::string> &names, const Settings &settings) {
    const ProblemHandle problem = make_validation(*data.rows, data.features);
    if (data.reference != nullptr) lend_source(problem, *data.reference, data.features);
    use_ledger(problem, ledger);
    dpa_evaluation *made = nullptr;
    pay(problem, "the evaluation", [&] {
        check(dpa_evaluate(problem.get(), solutions.data(), solutions.size(), settings.options(),
                           &made));
    });
    const EvaluationHandle evaluation(made);
    Json report = Json::parse(report_by(dpa_evaluation_report,
                                        static_cast<const dpa_evaluation *>(evaluation.get()),
                                        DPA_REPORT_JSON));
    add_names(names, report["measures"]);
    for (const char *list : {"calibration", "notes"})
        if (report.contains(list)) add_names(names, report[list]);
    report["privacy"] = Json::parse(privacy_report(problem.get(), settings, DPA_REPORT_JSON));
    return report;
}

void tell_unweighed(const DataArguments &arguments, Json &report) {
    if (arguments.weights.empty()) return;
    Json item = Json::object();
    item["note"] = "Errors count every row alike: the weights of --weight are for the fit.";
    report["notes"].push_back(item);
}

}  // namespace dpadapt::cli
