#include "cli/show/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "cli/read/failure.hpp"
#include "cli/show/privacy_report.hpp"

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
