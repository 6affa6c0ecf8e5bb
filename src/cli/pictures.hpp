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

}  // namespace dpadapt::cli
