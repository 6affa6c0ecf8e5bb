#include "cli/contest.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/evaluation.hpp"
#include "cli/failure.hpp"
#include "cli/ledger.hpp"
#include "cli/privacy_report.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kDifference = "_difference";

std::string short_number(const Json &value) {
    std::array<char, 32> text{};
    if (!value.is_number()) return "-";
    std::snprintf(text.data(), text.size(), "%.4g", value.get<double>());
    return text.data();
}

std::string with_interval(const Json &measure) {
    return short_number(measure["estimate"]) + " [" + short_number(lower_end(measure)) + ", " +
           short_number(upper_end(measure)) + ']';
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

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

std::string main_measure(const Json &measures) {
    for (const char *name : {"log_loss", "quantile_loss"})
        for (const Json &measure : measures)
            if (measure["name"] == name) return name;
    return "squared_error";
}

Json verdicts(const Json &measures) {
    const std::string main = main_measure(measures);
    Json list = Json::array();
    for (const Json &measure : measures) {
        if (measure["name"] != main + kDifference) continue;
        const std::string name = measure["model"];
        const std::string against = measure["against"];
        const double upper = upper_end(measure);
        const double lower = lower_end(measure);
        const std::string numbers = ": difference of " + main + ' ' + with_interval(measure) + '.';
        list.push_back(upper < 0.0   ? name + " is better than " + against + numbers
                       : lower > 0.0 ? name + " is worse than " + against + numbers
                                     : "Between " + name + " and " + against +
                                           " these rows show no difference" + numbers);
    }
    return list;
}

std::string contest_table(const Json &measures) {
    std::vector<std::string> lines{""};
    std::vector<std::string> columns{""};  // names of lines: the candidates, under a header
    for (const Json &measure : measures) {
        const std::string name = measure["name"];
        if (name.ends_with(kDifference)) continue;
        const std::string model = measure["model"];
        if (std::find(columns.begin(), columns.end(), model) == columns.end()) {
            columns.push_back(model);
            lines.push_back(model);
        }
    }
    std::vector<std::string> shown;
    for (const Json &header : measures) {
        const std::string name = header["name"];
        if (name.ends_with(kDifference) ||
            std::find(shown.begin(), shown.end(), name) != shown.end())
            continue;
        shown.push_back(name);
        std::size_t width = 0;
        for (const std::string &line : lines) width = std::max(width, line.size());
        for (std::string &line : lines) line = padded(line, width + 2);
        lines.front() += name;
        for (const Json &measure : measures) {
            if (measure["name"] != name) continue;
            const auto at = std::find(columns.begin(), columns.end(), measure["model"]);
            lines[static_cast<std::size_t>(at - columns.begin())] += with_interval(measure);
        }
    }
    std::string text;
    for (const std::string &line : lines) text += line + '\n';
    return text;
}

}  // namespace dpadapt::cli
