#include "cli/show/report_file.hpp"

#include <cmath>
#include <sstream>
#include <string_view>

#include "cli/read/failure.hpp"

namespace dpadapt::cli {

namespace {

/** The same, one line each. */
std::string provenance_text(const Json &provenance) {
    const auto list = [&](const char *member, const char *between) {
        const std::vector<std::string> texts = provenance[member];
        return texts.empty() ? "-" : joined(texts, between);
    };
    std::string text = "Date: " + shown(provenance["date"]) + "\nCommand: dpadapt " +
                       shown(provenance["command"]) +
                       "\nOptions that were set: " + list("options", " ") + '\n';
    if (!provenance["columns_by"].empty())
        text += "Columns and labels by: " + list("columns_by", " ") + '\n';
    for (const Json &file : provenance["data"]) {
        text += "Data (" + shown(file["sample"]) + "): " + shown(file["file"]);
        if (file.contains("private")) text += ", private: a digest would let guesses be checked";
        if (file.contains("rows")) text += ", " + file["rows"].dump() + " rows";
        if (file.contains("sha256") && file["sha256"].is_string())
            text += ", SHA-256 " + shown(file["sha256"]);
        text += '\n';
    }
    text += "Label: " + shown(provenance["label"]) + "\nColumns: " + list("columns", ", ") + '\n';
    if (provenance["model_sha256"].is_string())
        text += "Model: SHA-256 " + shown(provenance["model_sha256"]) + '\n';
    return text;
}

/** JSON within a script: no text of it ends the script. */
std::string inlined(const Json &json) {
    std::string result;
    for (const char c : json.dump()) result += c == '<' ? "\\u003c" : std::string(1, c);
    return result;
}

Json lines_of(const std::string &text) {
    std::istringstream lines(text);
    Json list = Json::array();
    for (std::string line; std::getline(lines, line);) list.push_back(line);
    return list;
}

/** The standard deviation of a column. */
double deviation(const std::vector<double> &x, std::size_t column, std::size_t columns) {
    double sum = 0.0;
    double squares = 0.0;
    double rows = 0.0;
    for (std::size_t i = column; i < x.size(); i += columns) {
        rows += 1.0;
        const double from_mean = x[i] - sum;
        sum += from_mean / rows;
        squares += from_mean * (x[i] - sum);
    }
    return rows > 1.0 ? std::sqrt(squares / (rows - 1.0)) : 0.0;
}

/** The library's page with the command's data. */
std::string html_page(const PrivacyReport &report, const PageContent &content,
                      const std::string &origin) {
    constexpr std::string_view kData = "id=\"report\">";
    std::string page = report.page();
    const std::size_t begin = page.find(kData) + kData.size();
    const std::string data = inlined({{"privacy", Json::parse(report.json)},
                                      {"notes", content.notes},
                                      {"effects", content.effects},
                                      {"origin", lines_of(origin)}});
    return page.replace(begin, page.find("</script>", begin) - begin, data);
}

}  // namespace

Json effects_of(const dpa_solution *open, const Json &report,
                const std::vector<std::string> &features, const std::vector<double> &public_rows) {
    if (report["outputs"] != 1) return nullptr;
    const Json before = coefficients(open);
    const Json &after = report["coefficients"];
    if (!before.is_array() || !after.is_array()) return nullptr;
    Json effects = Json::array();
    for (std::size_t j = 0; j < features.size(); ++j) {
        const double unit = deviation(public_rows, j, features.size());
        effects.push_back({{"name", features[j]},
                           {"public", before[j].get<double>() * unit},
                           {"released", after[j].get<double>() * unit}});
    }
    return effects;
}

ReportFile::ReportFile(const std::string &path)
    : json_(path.ends_with(".json")), page_(path.ends_with(".html")) {
    if (path.ends_with(".pdf"))
        throw Failure(kUsage, path + ": a browser prints the page of a report .html as PDF");
    if (!path.empty()) file_.emplace(path);
}

void ReportFile::reserve(std::size_t bytes) {
    if (file_) file_->reserve(bytes);
}

void ReportFile::write(const PrivacyReport &report, const PageContent &content) {
    if (!file_) return;
    const bool has_origin = content.provenance.is_object();
    const std::string origin = has_origin ? provenance_text(content.provenance) : "";
    if (page_) return file_->write(html_page(report, content, origin));
    if (!json_) return file_->write(printable(report.text(content.notes, origin)));
    std::string json = report.json;
    if (has_origin) {  // the last member, beside the bytes that `verify` compares
        json.pop_back();
        json += ",\"provenance\":" + content.provenance.dump() + '}';
    }
    file_->write(json + '\n');
}

}  // namespace dpadapt::cli
