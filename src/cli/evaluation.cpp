#include "cli/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "cli/failure.hpp"
#include "cli/ledger.hpp"
#include "cli/privacy_report.hpp"

namespace dpadapt::cli {
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

std::string number(const Json &value) {
    if (!value.is_number()) return "-";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value.get<double>());
    return text.data();
}

std::string line(const Json &item, const std::string &name) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "  %-28s %12s  [%s, %s]", name.c_str(),
                  number(item["estimate"]).c_str(), number(lower_end(item)).c_str(),
                  number(upper_end(item)).c_str());
    return std::string(text.data()) +
           (item.contains("model") ? "  " + item["model"].get<std::string>() : "") + '\n';
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

double lower_end(const Json &item) {
    return item["lower"].is_number() ? item["lower"].get<double>() : -HUGE_VAL;
}

double upper_end(const Json &item) {
    return item["upper"].is_number() ? item["upper"].get<double>() : HUGE_VAL;
}

std::string counted(const Json &report) {
    const std::string units = report.contains("persons") ? "persons" : "rows";
    const std::string count = report[units].dump();
    return count + ' ' + (count == "1" ? units.substr(0, units.size() - 1) : units);
}

std::string notes_text(const Json &report) {
    if (!report.contains("notes")) return "";
    std::string text;
    for (const Json &item : report["notes"])
        text += (item.contains("model") ? item["model"].get<std::string>() + ": " : "") +
                item["note"].get<std::string>() + '\n';
    return text + '\n';
}

std::string evaluation_text(const Json &report) {
    std::string text = notes_text(report) + report["privacy"]["summary"].get<std::string>() +
                       "\n\nErrors on " + counted(report) + ", with intervals of level " +
                       number(report["measures"][0]["level"]) + '\n';
    for (const Json &item : report["measures"]) text += line(item, item["name"]);
    if (report.contains("calibration")) {
        text += "Share of positive labels where the probability is from ... to\n";
        for (const Json &item : report["calibration"])
            text += line(item, number(item["from"]) + " to " + number(item["to"]));
    }
    if (!report.contains("clipping")) return text;
    const Json &clipping = report["clipping"];
    text += "Sizes are clipped to " + number(clipping["bound"]) + " (" +
            clipping["origin"].get<std::string>() + ")\n";
    for (const Json &item : clipping["clipped_share"]) text += line(item, "share of clipped rows");
    return text;
}

}  // namespace dpadapt::cli
