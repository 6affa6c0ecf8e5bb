#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cli/read/schema.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

/** A value to be read by people: numbers with 8 digits, a dash for what is infinite or not
 * released. */
std::string shown(const Json &value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    if (!value.is_number() || !std::isfinite(value.get<double>())) return "-";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                      value.get<double>(), std::chars_format::general, 8);
    return {buffer.data(), result.ptr};
}

/** The opening paragraph of the privacy report. */
std::string privacy_paragraph(const Json &report) {
    return report["privacy"]["summary"].get<std::string>() + "\n\n";
}

/** Names and values in two columns. */
class Table {
  public:
    void add(const std::string &name, const Json &value) {
        lines_.emplace_back(name, shown(value));
    }

    void add_predictor(const Json &features, const Json &coefficients, const Json &intercept) {
        for (std::size_t j = 0; j < features.size(); ++j) {
            add(features[j], coefficients.is_null() ? Json() : coefficients[j]);
        }
        add("(intercept)", intercept);
    }

    [[nodiscard]] bool empty() const { return lines_.empty(); }

    [[nodiscard]] std::string text(const std::string &title) const {
        std::size_t width = 0;
        for (const auto &[name, value] : lines_) width = std::max(width, name.size());
        std::string text = title + '\n';
        for (const auto &[name, value] : lines_) {
            text += "  " + name + std::string(width - name.size() + 2, ' ') + value + '\n';
        }
        return text;
    }

  private:
    std::vector<std::pair<std::string, std::string>> lines_;
};

/** What was made of the columns; nothing where all are numbers and used. */
std::string data_text(const Json &report) {
    Table data;
    for (const auto &[name, text] : schema_lines(report["schema"])) data.add(name, text);
    return data.empty() ? "" : data.text("Data");
}

/** A paragraph each. */
std::string report_notes(const Json &report) {
    std::string text;
    for (const Json &note : report["notes"]) text += note.get<std::string>() + "\n\n";
    return text;
}

/** Numbers in columns, as wide as their widest entry. */
std::string columns_text(const std::vector<std::vector<std::string>> &lines) {
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

/** What is known of the coefficients; nothing where it is not. */
std::string inference_text(const Json &inference) {
    if (inference["coefficients"].is_null()) return "";
    std::vector<std::vector<std::string>> lines = {
        {"", "estimate", "standard error", "95 % interval"}};
    for (const Json &own : inference["coefficients"])
        lines.push_back({own["name"].get<std::string>(), shown(own["estimate"]),
                         shown(own["standard_error"]),
                         shown(own["lower"]) + " to " + shown(own["upper"])});
    std::string text =
        "The target's own coefficients, which adaptation does not move\n" + columns_text(lines);
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

/** Whose coefficients they are. */
std::string of_class(const Json &labels, std::size_t k) {
    const Json &names = labels["names"];
    return k < names.size() ? names[k].get<std::string>() : "";
}

/** A table for each output; none where the scores are not linear. */
std::string predictor_text(const Json &report) {
    const Json &coefficients = report["coefficients"];
    const Json &intercept = report["intercept"];
    if (coefficients.is_null()) return "";
    if (intercept.is_number()) {
        Table table;
        table.add_predictor(report["features"], coefficients, intercept);
        const std::string name = of_class(report["schema"]["labels"], 1);
        const bool is_class = report["schema"]["labels"]["kind"] == "signs" && !name.empty();
        return table.text(is_class ? "Coefficients of the label " + name : "Coefficients");
    }
    std::string text;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
        Table table;
        table.add_predictor(report["features"], coefficients[k], intercept[k]);
        const std::string name = of_class(report["schema"]["labels"], k);
        text += table.text("Coefficients of class " + std::to_string(k) +
                           (name.empty() ? "" : ", the label " + name));
    }
    return text;
}

}  // namespace

std::string solution_text(const Json &report) {
    Table fit;
    for (const char *name : {"loss", "objective", "duality_gap", "gradient_mapping", "discrepancy",
                             "iterations", "termination"}) {
        std::string shown_name(name);
        std::replace(shown_name.begin(), shown_name.end(), '_', ' ');
        if (!report[name].is_null()) fit.add(shown_name, report[name]);
    }
    Table settings;
    for (const auto &[name, value] : report["settings"].items())
        if (applies(report["settings"], name, value)) settings.add(name, value);
    return privacy_paragraph(report) + report_notes(report) + data_text(report) +
           predictor_text(report) + inference_text(report["inference"]) + fit.text("Fit") +
           settings.text("Settings");
}

std::string discrepancy_text(const Json &report) {
    Table bounds;
    bounds.add("value", report["value"]);
    if (!report["lower"].is_null()) {  // a private estimate releases its value alone
        bounds.add("lower bound", report["lower"]);
        bounds.add("upper bound", report["upper"]);
    } else {
        bounds.add("standard deviation of its noise", report["noise_deviation"]);
    }
    std::string text = privacy_paragraph(report) + bounds.text("Discrepancy");
    if (report["maximizer"].is_null()) return text;
    Table maximizer;
    maximizer.add_predictor(report["features"], report["maximizer"], report["maximizer_intercept"]);
    return text + maximizer.text("Maximizing predictor");
}

std::string inspection_text(const Json &report) {
    Table counts;
    counts.add("not finite or invalid label, set to zero", report["nonfinite"]);
    counts.add("features scaled down", report["scaled"]);
    counts.add("label clamped", report["clamped"]);
    std::string text = report["notice"].get<std::string>() + "\n\n" +
                       counts.text("Private records") + "The label must be " +
                       report["labels"].get<std::string>() + ".\n";
    for (const auto &[sample, tally] : report["files"].items()) {
        Table cells;
        if (tally["wrong number of cells"] > 0)
            cells.add("wrong number of cells", tally["wrong number of cells"]);
        for (const auto &[column, reasons] : tally["columns"].items())
            for (const auto &[reason, count] : reasons.items())
                cells.add(column + ": " + reason, count);
        if (!cells.empty())
            text += cells.text("Of the " + tally["records"].dump() + " lines of the " + sample);
    }
    return text;
}

}  // namespace dpadapt::cli
