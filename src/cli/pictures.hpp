#pragma once

#include <string>

#include "cli/report.hpp"

namespace dpadapt::cli {

// Pictures of a privacy report as figures in HTML, each with its words and a text for those who do
// not see it; empty where the report has nothing to draw.

/** What an attacker can find, for one record and for several. */
[[nodiscard]] std::string picture_of_attackers(const Json &privacy);

/** epsilon at each delta: what is promised, and what was spent. */
[[nodiscard]] std::string picture_of_curve(const Json &privacy);

/** What share of the budget each release has cost. */
[[nodiscard]] std::string picture_of_releases(const Json &privacy);

/** Effects of the features: of the public predictor and of the released one.
 *  @param effects  Objects with name, public and released. */
[[nodiscard]] std::string picture_of_effects(const Json &effects);

/** Text as it must stand in HTML or SVG. */
[[nodiscard]] std::string escaped(const std::string &text);

/** Not longer than what a line of a drawing holds. */
[[nodiscard]] std::string shortened(const std::string &name);

// Parts of drawings. `kind` is the class by which a style sheet knows them.
namespace svg {

/** A number to be read. */
[[nodiscard]] std::string digits(double value, int count);

/** A place or a length. */
[[nodiscard]] std::string place(double value);

[[nodiscard]] std::string text(double x, double y, const std::string &text,
                               const char *anchor = "start");
/** @param words  What a reader sees who points at it, or cannot see; may be empty. */
[[nodiscard]] std::string line(double x1, double y1, double x2, double y2, const char *kind,
                               const std::string &words = {});
[[nodiscard]] std::string bar(double y, double length, const char *kind);
[[nodiscard]] std::string dot(double x, double y, const char *kind, const std::string &words = {});
/** @param points  "x,y x,y ...". */
[[nodiscard]] std::string polyline(const std::string &points, const char *kind);

/** A file of its own, with the style of all marks.
 *  @param words  What it shows, for those who cannot see it. */
[[nodiscard]] std::string document(double width, double height, const std::string &title,
                                   const std::string &words, const std::string &drawing);

}  // namespace svg

}  // namespace dpadapt::cli
