#include "cli/html_report.hpp"

#include <cmath>
#include <sstream>

#include "cli/pictures.hpp"
#include "cli/provenance.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kStyle =
    ":root{color-scheme:light}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#1c2733;background:#fff;margin:0 auto;"
    "max-width:44rem;padding:1rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}\n"
    ".promise{border-left:.4rem solid #2a7f62;background:#eef6f2;padding:.6rem .9rem}\n"
    ".promise.none{border-color:#b3372f;background:#fbeeed}\n"
    "figure{margin:1.2rem 0;max-width:34rem;break-inside:avoid}\n"
    "figcaption{margin-bottom:.5rem}\n"
    "svg{display:block;width:100%;height:auto;font:12px system-ui,sans-serif;overflow:visible}\n"
    "text{fill:#1c2733}.paid{fill:#2f6db3}.guess{fill:#8a949e}.whole{fill:#e3e8ed}\n"
    ".grid{stroke:#d3d9df}.move{stroke:#9fb4cc;stroke-width:2}\n"
    "polyline{fill:none;stroke-width:2}.promised{stroke:#2f6db3}"
    ".spent{stroke:#b3372f;stroke-dasharray:5 4}\n"
    ".public{fill:#fff;stroke:#5a6772;stroke-width:1.5}.released{fill:#2f6db3}\n"
    "pre{white-space:pre-wrap;font:13px/1.45 ui-monospace,monospace;background:#f5f7f9;"
    "padding:.8rem}\n"
    "@media print{body{max-width:none;padding:0;font-size:11pt}pre{background:none;padding:0}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

std::string list_of(const Json &sentences) {
    std::string text;
    for (const Json &sentence : sentences)
        text += "<li>" + escaped(sentence.get<std::string>()) + "</li>\n";
    return text.empty() ? "" : "<ul>\n" + text + "</ul>\n";
}

std::string section(const char *title, const std::string &content) {
    return content.empty() ? "" : "<h2>" + std::string(title) + "</h2>\n" + content;
}

std::string lines_of(const std::string &text) {
    std::istringstream lines(text);
    std::string list;
    for (std::string line; std::getline(lines, line);) list += "<li>" + escaped(line) + "</li>\n";
    return list.empty() ? "" : "<ul>\n" + list + "</ul>\n";
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

}  // namespace

std::string html_page(const Json &privacy, const PageContent &content, const std::string &numbers) {
    const std::string summary = privacy.at("summary");
    const bool holds = privacy.value("private", false);
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n"
        "<title>Privacy report</title>\n<style>\n" +
        std::string(kStyle) +
        "</style>\n</head>\n<body>\n<h1>Privacy report</h1>\n<p class=\"promise" +
        (holds ? "" : " none") + "\">" + escaped(summary) + "</p>\n";
    page +=
        section("What this means",
                list_of(privacy.value("plain_words", Json::array())) +
                    picture_of_attackers(privacy.contains("budget") ? privacy : Json::object()));
    page +=
        section("What happened", list_of(content.notes.is_array() ? content.notes : Json::array()) +
                                     picture_of_effects(content.effects));
    if (privacy.contains("budget"))
        page += section("What was promised and paid",
                        picture_of_curve(privacy) + picture_of_releases(privacy));
    page += section("What is not covered", list_of(privacy.value("not_covered", Json::array())));
    if (content.provenance.is_object())
        page += section("Where it comes from", lines_of(provenance_text(content.provenance)));
    if (!numbers.empty()) page += section("All numbers", "<pre>" + escaped(numbers) + "</pre>\n");
    return page + "</body>\n</html>\n";
}

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

}  // namespace dpadapt::cli
