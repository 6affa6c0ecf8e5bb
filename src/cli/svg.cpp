#include "cli/svg.hpp"

#include <array>
#include <cstdio>

namespace dpadapt::cli {
namespace {

constexpr std::size_t kLongestName = 40;

constexpr const char *kMarks =
    "svg{font:12px system-ui,sans-serif;background:#fff}text{fill:#1c2733}\n"
    ".title{font-weight:600}.grid{stroke:#d3d9df}.axis{stroke:#5a6772}\n"
    "polyline{fill:none;stroke-width:1.5}circle{stroke-width:1.5}\n"
    ".private,.first{stroke:#2f6db3}circle.private,circle.first{fill:#2f6db3}\n"
    ".source_only,.second{stroke:#b3372f}.target_only,.third{stroke:#2a7f62}\n"
    ".source_only,.target_only{fill:#fff}polyline{stroke-dasharray:4 3}\n"
    "circle.second{fill:#b3372f}circle.third{fill:#2a7f62}line{stroke-width:1.5}\n"
    "line.grid{stroke-width:1}\n";

std::string mark(const std::string &name, const std::string &attributes, const std::string &words) {
    return '<' + name + ' ' + attributes +
           (words.empty() ? "/>\n" : "><title>" + escaped(words) + "</title></" + name + ">\n");
}

}  // namespace

std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string shortened(const std::string &name) {
    if (name.size() <= kLongestName) return name;
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
    return name.substr(0, end) + "...";
}

namespace svg {

std::string digits(double value, int count) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*g", count, value);
    return text.data();
}

std::string place(double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

std::string text(double x, double y, const std::string &text, const char *anchor) {
    return "<text x=\"" + place(x) + "\" y=\"" + place(y) + "\" text-anchor=\"" + anchor + "\">" +
           escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char *kind,
                 const std::string &words) {
    return mark("line",
                "class=\"" + std::string(kind) + "\" x1=\"" + place(x1) + "\" y1=\"" + place(y1) +
                    "\" x2=\"" + place(x2) + "\" y2=\"" + place(y2) + '"',
                words);
}

std::string bar(double y, double length, const char *kind) {
    return mark("rect",
                "class=\"" + std::string(kind) + "\" x=\"0\" y=\"" + place(y) + "\" width=\"" +
                    place(length) + "\" height=\"10\"",
                {});
}

std::string dot(double x, double y, const char *kind, const std::string &words) {
    return mark("circle",
                "class=\"" + std::string(kind) + "\" cx=\"" + place(x) + "\" cy=\"" + place(y) +
                    "\" r=\"4.5\"",
                words);
}

std::string polyline(const std::string &points, const char *kind) {
    return mark("polyline", "class=\"" + std::string(kind) + "\" points=\"" + points + '"', {});
}

std::string document(double width, double height, const std::string &title,
                     const std::string &words, const std::string &drawing) {
    const std::string w = place(width);
    const std::string h = place(height);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" +
           w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + ' ' + h + "\">\n<title>" +
           escaped(title) + "</title>\n<desc>" + escaped(words) + "</desc>\n<style>\n" + kMarks +
           "</style>\n" + drawing + "</svg>\n";
}

}  // namespace svg
}  // namespace dpadapt::cli
