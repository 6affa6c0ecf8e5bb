#include <algorithm>
#include <cmath>

#include "cli/show/report.hpp"

namespace dpadapt::cli {

std::string in_digits(const Json &value, int digits) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    return value.is_number() ? to_text(value.get<double>(), digits) : "-";
}

std::string shown(const Json &value) {
    constexpr int kDigits = 8;
    const bool is_infinite = value.is_number_float() && !std::isfinite(value.get<double>());
    return is_infinite ? "-" : in_digits(value, kDigits);
}

std::string table(const Lines &lines) {
    std::vector<std::size_t> width;
    for (const auto &line : lines) {
        width.resize(std::max(width.size(), line.size()));
        for (std::size_t k = 0; k < line.size(); ++k) width[k] = std::max(width[k], line[k].size());
    }
    std::string text;
    for (const auto &line : lines) {
        std::string row;
        for (std::size_t k = 0; k < line.size(); ++k)
            row += "  " + line[k] + std::string(width[k] - line[k].size(), ' ');
        text += row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

namespace {

/** Names and values in two columns. */
class NamedValues {
  public:
    void add(const std::string &name, const Json &value) { lines_.push_back({name, shown(value)}); }

    [[nodiscard]] std::string text(const std::string &title) const {
        return title + '\n' + table(lines_);
    }

  private:
    Lines lines_;
};

std::string predictor_table(const std::string &title, const Json &features,
                            const Json &coefficients, const Json &intercept) {
    NamedValues values;
    for (std::size_t j = 0; j < features.size(); ++j) values.add(features[j], coefficients[j]);
    values.add("(intercept)", intercept);
    return values.text(title);
}

/** What was made of the columns; nothing where all are numbers and used. */
std::string data_text(const schema::Schema &schema) {
    if (schema.is_plain() && schema.dropped.empty() && schema.labels.names().empty()) return {};
    NamedValues data;
    for (const auto &[name, text] : schema::describe(schema)) data.add(name, text);
    return data.text("Data");
}

/** What is known of the coefficients; nothing where it is not. */
std::string inference_text(const Json &inference) {
    if (inference["coefficients"].is_null()) return "";
    Lines lines = {{"", "estimate", "standard error", "95 % interval"}};
    for (const Json &own : inference["coefficients"])
        lines.push_back({shown(own["name"]), shown(own["estimate"]), shown(own["standard_error"]),
                         shown(own["lower"]) + " to " + shown(own["upper"])});
    std::string text =
        "The target's own coefficients, which adaptation does not move\n" + table(lines);
    if (!inference["p_value"].is_null())
        text += "  p-value of equal domains  " + shown(inference["p_value"]) + '\n';
    return text;
}

/** Whether a person wants to see a setting: it is there, and it is not switched off. */
bool applies(const Json &settings, const std::string &name, const Json &value) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return false;
    if (name == "softmax_sharpness") return settings["lambda_inf"] != 0.0;
    return name == "alpha" || value != 0.0;
}

/** A table for each output; none where the scores are not linear. */
std::string predictor_text(const Json &report) {
    const Json &labels = report["schema"]["labels"];
    if (report["coefficients"].is_null()) return "";
    const auto label = [&](std::size_t k) {
        return k < labels["names"].size() ? shown(labels["names"][k]) : "";
    };
    if (report["intercept"].is_number()) {
        const bool is_class = labels["kind"] == "signs" && !label(1).empty();
        return predictor_table(is_class ? "Coefficients of the label " + label(1) : "Coefficients",
                               report["features"], report["coefficients"], report["intercept"]);
    }
    std::string all;
    for (std::size_t k = 0; k < report["coefficients"].size(); ++k) {
        const std::string name = label(k).empty() ? "" : ", the label " + label(k);
        all +=
            predictor_table("Coefficients of class " + std::to_string(k) + name, report["features"],
                            report["coefficients"][k], report["intercept"][k]);
    }
    return all;
}

}  // namespace

std::string solution_text(const Json &report, const schema::Schema &schema) {
    NamedValues fit;
    for (const char *name : {"loss", "objective", "duality_gap", "gradient_mapping", "discrepancy",
                             "iterations", "termination"}) {
        std::string shown_name(name);
        std::replace(shown_name.begin(), shown_name.end(), '_', ' ');
        if (!report[name].is_null()) fit.add(shown_name, report[name]);
    }
    NamedValues settings;
    for (const auto &[name, value] : report["settings"].items())
        if (applies(report["settings"], name, value)) settings.add(name, value);
    std::string text = shown(report["privacy"]["summary"]) + "\n\n";
    for (const Json &note : report["notes"]) text += shown(note) + "\n\n";
    return text + data_text(schema) + predictor_text(report) + inference_text(report["inference"]) +
           fit.text("Fit") + settings.text("Settings");
}

std::string discrepancy_text(const Json &report) {
    NamedValues bounds;
    bounds.add("value", report["value"]);
    if (!report["lower"].is_null()) {  // a private estimate releases its value alone
        bounds.add("lower bound", report["lower"]);
        bounds.add("upper bound", report["upper"]);
    } else {
        bounds.add("standard deviation of its noise", report["noise_deviation"]);
    }
    if (report.contains("labelled_bound"))
        bounds.add("bound of the labelled one", report["labelled_bound"]);
    const std::string text = notes_text(report) + shown(report["privacy"]["summary"]) + "\n\n" +
                             bounds.text("Discrepancy");
    if (report["maximizer"].is_null()) return text;
    return text + predictor_table("Maximizing predictor", report["features"], report["maximizer"],
                                  report["maximizer_intercept"]);
}

std::string inspection_text(const Json &report) {
    std::string text = shown(report["notice"]) + "\n\n";
    for (const Json &line : report["found"]) text += shown(line) + '\n';
    text += "The label must be " + shown(report["labels"]) + ".\n";
    for (const auto &[sample, tally] : report["files"].items()) {
        Lines cells;
        if (tally["wrong number of cells"] > 0)
            cells.push_back({"wrong number of cells", shown(tally["wrong number of cells"])});
        for (const auto &[column, reasons] : tally["columns"].items())
            for (const auto &[reason, count] : reasons.items())
                cells.push_back({column + ": " + reason, shown(count)});
        if (cells.empty()) continue;
        text +=
            "Of the " + tally["records"].dump() + " lines of the " + sample + '\n' + table(cells);
    }
    return text;
}

}  // namespace dpadapt::cli
