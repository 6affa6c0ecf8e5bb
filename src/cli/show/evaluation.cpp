#include <algorithm>

#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

constexpr const char *kDifference = "_difference";

/** The ends of an item's interval: null is an open end, infinitely far away. */
std::pair<double, double> ends_of(const Json &item) {
    return {item["lower"].is_number() ? item["lower"].get<double>() : -HUGE_VAL,
            item["upper"].is_number() ? item["upper"].get<double>() : HUGE_VAL};
}

std::string interval(const Json &item, int digits) {
    const auto [lower, upper] = ends_of(item);
    return '[' + in_digits(lower, digits) + ", " + in_digits(upper, digits) + ']';
}

std::string with_interval(const Json &measure, int digits = 4) {
    return in_digits(measure["estimate"], digits) + ' ' + interval(measure, digits);
}

std::vector<std::string> line(const Json &item, const std::string &name) {
    return {name, in_digits(item["estimate"], 6), interval(item, 6), item.value("model", "")};
}

/** One of the budgets of a line: epsilon 1, or else the first. */
std::size_t usual_budget(const Json &row) {
    const Json &budgets = row["private"];
    for (std::size_t k = 0; k < budgets.size(); ++k)
        if (budgets[k]["epsilon"] == 1.0) return k;
    return 0;
}

}  // namespace

std::string counted(const Json &report) {
    const std::string units = report.contains("persons") ? "persons" : "rows";
    const std::string count = report[units].dump();
    return count + ' ' + (count == "1" ? units.substr(0, units.size() - 1) : units);
}

void add_notes(const schema::Schema &schema, Json &report) {
    for (const std::string &note : schema.notes) report["notes"].push_back(Json{{"note", note}});
}

std::string notes_text(const Json &report) {
    if (!report.contains("notes")) return "";
    std::string text;
    for (const Json &item : report["notes"])
        text += (item.contains("model") ? shown(item["model"]) + ": " : "") + shown(item["note"]) +
                '\n';
    return text + '\n';
}

std::string evaluation_text(const Json &report) {
    std::string text = notes_text(report) + shown(report["privacy"]["summary"]) + "\n\nErrors on " +
                       counted(report) + ", with intervals of level " +
                       in_digits(report["measures"][0]["level"], 6) + '\n';
    Lines lines;
    for (const Json &item : report["measures"]) lines.push_back(line(item, item["name"]));
    text += table(lines);
    if (report.contains("calibration")) {
        lines.clear();
        for (const Json &item : report["calibration"])
            lines.push_back(
                line(item, in_digits(item["from"], 6) + " to " + in_digits(item["to"], 6)));
        text += "Share of positive labels where the probability is from ... to\n" + table(lines);
    }
    if (!report.contains("clipping")) return text;
    const Json &clipping = report["clipping"];
    lines.clear();
    for (const Json &item : clipping["clipped_share"])
        lines.push_back(line(item, "share of clipped rows"));
    return text + "Sizes are clipped to " + in_digits(clipping["bound"], 6) + " (" +
           shown(clipping["origin"]) + ")\n" + table(lines);
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
        const std::string numbers = ": difference of " + main + ' ' + with_interval(measure) + '.';
        const auto [lower, upper] = ends_of(measure);
        list.push_back(upper < 0.0   ? name + " is better than " + against + numbers
                       : lower > 0.0 ? name + " is worse than " + against + numbers
                                     : "Between " + name + " and " + against +
                                           " these rows show no difference" + numbers);
    }
    return list;
}

std::string contest_table(const Json &measures) {
    Lines lines{{""}};
    for (const Json &measure : measures) {
        const std::string name = measure["name"];
        const std::string model = measure["model"];
        if (name.ends_with(kDifference)) continue;
        std::vector<std::string> &names = lines.front();
        const std::size_t column = place_among(names, name);
        if (column == names.size()) names.push_back(name);
        auto row = std::find_if(lines.begin() + 1, lines.end(),
                                [&](const auto &cells) { return cells.front() == model; });
        if (row == lines.end()) row = lines.insert(row, {model});
        row->resize(std::max(row->size(), column + 1));
        (*row)[column] = with_interval(measure);
    }
    return table(lines);
}

std::string sentence_of_comparison(const Json &report) {
    const Json &measures = report["measures"];
    const std::string main = main_measure(measures);
    const bool noisy = report.contains("clipping");  // of private rows
    std::vector<std::string> errors;
    for (const Json &measure : measures)
        if (measure["name"] == main)
            errors.push_back(
                (noisy ? with_interval(measure, 2) : in_digits(measure["estimate"], 2)) + " for " +
                shown(measure["model"]));
    return "On " + counted(report) + " that no fit has seen, the " + main +
           (noisy ? " is about " : " is ") + joined(errors) + '.';
}

std::string sentence_of_rehearsal(const Json &report) {
    Json rows = report["table"];
    std::sort(rows.begin(), rows.end(),
              [](const Json &a, const Json &b) { return a["target_rows"] > b["target_rows"]; });
    const Json &most = rows.front();
    const std::size_t budget = usual_budget(most);
    Json needed;  // rows: all larger numbers that were tried beat the source, too
    for (const Json &row : rows) {
        const double error = row["private"][budget]["mean"];
        if (error > 0.99 * row["source_only"].get<double>()) break;
        needed = row["target_rows"];
    }
    const Json &cell = most["private"][budget];
    return "With " + most["target_rows"].dump() + " rows and epsilon " +
           in_digits(cell["epsilon"], 4) + " expect an error of " + in_digits(cell["mean"], 3) +
           " (source alone " + in_digits(most["source_only"], 3) + ", without privacy " +
           in_digits(most["adapted"], 3) + "); " +
           (needed.is_null()
                ? "that many rows do not beat the source."
                : "at least " + needed.dump() + " rows, of those tried, beat the source.");
}

std::string rehearsal_text(const Json &report) {
    Lines lines{{"rows", "source_only", "target_only", "adapted"}};
    for (const Json &item : report["table"][0]["private"])
        lines.front().push_back("eps " + to_text(item["epsilon"].get<double>()));
    for (const Json &row : report["table"]) {
        lines.push_back({row["target_rows"].dump()});
        for (const char *name : {"source_only", "target_only", "adapted"})
            lines.back().push_back(in_digits(row[name], 4));
        for (const Json &item : row["private"]) lines.back().push_back(in_digits(item["mean"], 4));
    }
    return shown(report["sentence"]) + "\n\n" + notes_text(report) +
           "A rehearsal on public rows: nothing private was read, nothing was spent.\n" +
           report["source_rows"].dump() + " rows play the source; " + shown(report["measure"]) +
           " on " + report["test_rows"].dump() + " rows that no fit has seen, mean of " +
           report["repeats"].dump() + " draws of the noise\n\n" + table(lines) +
           "\nsource_only needs no private row; target_only and adapted are without privacy.\n" +
           (report.contains("note") ? shown(report["note"]) + '\n' : "");
}

Json forecast_report(const Json &plan) {
    Json rows = plan["forecast"];
    const std::string error = rows[0]["error"];
    for (Json &row : rows) row.erase("error");
    return {{"sentence", plan["sentence"]}, {"error", error}, {"table", rows}};
}

std::string forecast_text(const Json &report) {
    Lines lines{
        {"epsilon", "shift", "source_only", "target_only", "private", "rows to beat source"}};
    for (const Json &row : report["table"]) {
        lines.emplace_back();
        for (const char *name :
             {"epsilon", "shift", "source_only", "target_only", "private", "rows_to_beat_source"})
            lines.back().push_back(in_digits(row[name], 4));
    }
    return shown(report["sentence"]) +
           "\n\nA forecast from the source's rows: nothing private was read, nothing was spent. "
           "The error is\n" +
           (report["error"] == "error" ? "the share of wrong labels" : shown(report["error"])) +
           "; the shift is how far the domains are assumed to differ.\n\n" + table(lines);
}

}  // namespace dpadapt::cli
