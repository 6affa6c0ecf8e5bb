#include "cli/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace dpadapt::cli {

namespace {

// Units of the drawings are pixels of a narrow phone.
constexpr double kWidth = 340.0;
constexpr double kRow = 30.0;
constexpr std::size_t kMostBars = 12;
constexpr std::size_t kMostEffects = 30;

using svg::bar;
using svg::digits;
using svg::dot;
using svg::line;

std::string figure(const std::string &title, const std::string &words, double height,
                   const std::string &drawing) {
    return "<figure>\n<figcaption><strong>" + escaped(title) + "</strong> " + escaped(words) +
           "</figcaption>\n<svg role=\"img\" aria-label=\"" + escaped(title) + "\" viewBox=\"0 0 " +
           svg::place(kWidth) + ' ' + svg::place(height) + "\">\n" + drawing +
           "</svg>\n</figure>\n";
}

/** A curve with its axes: the logarithm of delta, and epsilon. */
class Curve {
  public:
    explicit Curve(double most) : most_(most > 0.0 ? most : 1.0) {}

    [[nodiscard]] static double x(double delta) {
        return kLeft + (std::log10(delta) + 9.0) / 7.0 * (kWidth - kLeft - 10.0);
    }
    [[nodiscard]] double y(double epsilon) const { return 10.0 + (1.0 - epsilon / most_) * 140.0; }

    [[nodiscard]] std::string axes() const {
        std::string text;
        for (const double share : {0.0, 0.5, 1.0}) {
            text += line(kLeft, y(share * most_), kWidth - 10.0, y(share * most_), "grid");
            text += svg::text(kLeft - 4.0, y(share * most_) + 4.0, digits(share * most_, 2), "end");
        }
        for (const int power : {-9, -7, -5, -3})
            text +=
                svg::text(x(std::pow(10.0, power)), 168.0, "1e" + std::to_string(power), "middle");
        return text + svg::text(kLeft, 184.0, "delta; upwards: epsilon");
    }

    [[nodiscard]] std::string draw(const Json &points, const char *kind) const {
        std::string path;
        for (const Json &point : points)
            if (point["epsilon"].is_number())
                path += svg::place(x(point["delta"])) + ',' + svg::place(y(point["epsilon"])) + ' ';
        return svg::polyline(path, kind);
    }

  private:
    static constexpr double kLeft = 36.0;
    double most_;
};

double largest(const Json &points) {
    double most = 0.0;
    for (const Json &point : points)
        if (point["epsilon"].is_number()) most = std::max(most, point["epsilon"].get<double>());
    return most;
}

/** The price of a release as a share of the part of the budget that it is paid from. */
double share_of(const Json &release, const Json &cap) {
    const double steps = release["steps"];
    const bool gaussian = release["mechanism"] == "Gaussian";
    const double price = release[gaussian ? "mu_of_a_step" : "epsilon_of_a_step"];
    const double whole = gaussian                            ? cap["mu"].get<double>()
                         : release["mechanism"] == "Laplace" ? cap["laplace_epsilon"].get<double>()
                                                             : cap["pure_epsilon"].get<double>();
    if (whole <= 0.0) return 0.0;
    const double share = gaussian ? steps * price * price / (whole * whole) : steps * price / whole;
    return std::min(1.0, share);
}

}  // namespace

std::string picture_of_attackers(const Json &privacy) {
    if (!privacy.contains("attackers") || !privacy["attackers"].is_array()) return "";
    std::string drawing;
    double y = 0.0;
    const std::string unit = privacy["unit"];
    for (const Json &attacker : privacy["attackers"]) {
        if (attacker["wrongly_suspected"] != 0.05) continue;
        const unsigned records = attacker["records"];
        const double found = attacker["found"];
        drawing +=
            svg::text(0.0, y + 12.0,
                      std::to_string(records) + ' ' + unit + (records > 1 ? "s" : "") +
                          ": at most " + digits(std::ceil(1000.0 * found) / 10.0, 4) + " of 100");
        drawing += bar(y + 17.0, found * kWidth, "paid") + bar(y + 17.0, 0.05 * kWidth, "guess");
        y += kRow + 6.0;
    }
    return figure("What an attacker can find.",
                  "Of 100 records that hold what they suspect, where the test misleads them for 5 "
                  "of 100 that do not. Grey: what a guess finds.",
                  y, drawing);
}

std::string picture_of_curve(const Json &privacy) {
    if (!privacy["budget"].is_object()) return "";
    const Json &budget = privacy["budget"];
    const Curve curve(1.1 * std::max(largest(budget["curve"]), budget["epsilon"].get<double>()));
    std::string drawing = curve.axes() + curve.draw(budget["curve"], "promised");
    if (privacy["spent_curve"].is_array()) drawing += curve.draw(privacy["spent_curve"], "spent");
    const double delta = budget["delta"];
    if (delta >= 1e-9 && delta <= 1e-2)
        drawing += dot(Curve::x(delta), curve.y(budget["epsilon"]), "released");
    return figure(
        "Epsilon at each delta.",
        "One guarantee in many forms. Solid: what the budget promises, with the pair that "
        "was asked for as a dot. Dashed: what was spent.",
        190.0, drawing);
}

std::string picture_of_releases(const Json &privacy) {
    if (!privacy.contains("releases") || privacy["releases"].empty() ||
        !privacy["budget"].is_object())
        return "";
    std::string drawing;
    double y = 0.0;
    std::size_t drawn = 0;
    for (const Json &entry : privacy["releases"]) {
        if (drawn++ == kMostBars) break;
        const Json &release = entry["release"];
        drawing +=
            svg::text(0.0, y + 12.0,
                      shortened(release["purpose"].get<std::string>()) + ": " +
                          release["steps"].dump() + (release["steps"] == 1 ? " step" : " steps"));
        drawing += bar(y + 17.0, kWidth, "whole") +
                   bar(y + 17.0, share_of(release, privacy["budget"]["cap"]) * kWidth, "paid");
        y += kRow + 6.0;
    }
    if (drawn > kMostBars) {
        drawing +=
            svg::text(0.0, y + 12.0,
                      "and " + std::to_string(privacy["releases"].size() - kMostBars) + " more");
        y += kRow;
    }
    return figure("What was released.",
                  "Each noisy release, and the share of its part of the budget that it cost.", y,
                  drawing);
}

std::string picture_of_effects(const Json &effects) {
    if (!effects.is_array() || effects.empty()) return "";
    std::vector<Json> rows(effects.begin(), effects.end());
    const auto size = [](const Json &row) {
        return std::max(std::fabs(row["public"].get<double>()),
                        std::fabs(row["released"].get<double>()));
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Json &a, const Json &b) { return size(a) > size(b); });
    if (rows.size() > kMostEffects) rows.resize(kMostEffects);
    const double most = std::max(size(rows.front()), 1e-300);
    const auto x = [&](const Json &value) {
        return kWidth / 2.0 + value.get<double>() / most * (kWidth / 2.0 - 8.0);
    };
    const double height = kRow * static_cast<double>(rows.size()) + 24.0;
    std::string drawing = line(kWidth / 2.0, 0.0, kWidth / 2.0, height - 18.0, "grid");
    double y = 0.0;
    for (const Json &row : rows) {
        drawing += svg::text(0.0, y + 11.0, shortened(row["name"].get<std::string>()));
        drawing += line(x(row["public"]), y + 20.0, x(row["released"]), y + 20.0, "move") +
                   dot(x(row["public"]), y + 20.0, "public") +
                   dot(x(row["released"]), y + 20.0, "released");
        y += kRow;
    }
    drawing += svg::text(8.0, height - 4.0, digits(-most, 3)) +
               svg::text(kWidth / 2.0, height - 4.0, "0", "middle") +
               svg::text(kWidth - 8.0, height - 4.0, digits(most, 3), "end");
    return figure(
        "What moved.",
        "Change of the score by one standard deviation of each feature in the public "
        "sample. Open dots: the predictor of the public sample alone; full dots: what "
        "was released. " +
            std::string(effects.size() > kMostEffects
                            ? "The " + std::to_string(kMostEffects) + " largest are shown."
                            : ""),
        height, drawing);
}

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
