#include "solution/promise.hpp"

#include <cmath>

#include "base/text.hpp"

namespace dpadapt {
namespace {

bool contains(const std::string &report, const std::string &words) {
    return report.find(words) != std::string::npos;
}

/** How many of the two reports begin with a promise. */
int opens_as_private(const PrivacyRecord &privacy) {
    return static_cast<int>(privacy.text.starts_with("PRIVATE: ")) +
           static_cast<int>(privacy.json.starts_with("{\"summary\":\"PRIVATE: "));
}

bool tells_budget(const PrivacyRecord &privacy) {
    const std::string epsilon = to_text(privacy.epsilon);
    const std::string delta = to_text(privacy.delta);
    return contains(privacy.text, "epsilon = " + epsilon + ", delta = " + delta + ',') &&
           contains(privacy.json, "\"budget\":{\"epsilon\":" + epsilon + ",\"delta\":" + delta);
}

}  // namespace

bool agrees_with_reports(const PrivacyRecord &privacy) {
    if (!is_plain(privacy.text) || !is_plain(privacy.json)) return false;
    const bool seeded = privacy.protection == Protection::seeded;
    if (contains(privacy.json, "\"seeded\":true") != seeded) return false;
    if (privacy.protection == Protection::guaranteed)
        return privacy.epsilon >= 0.0 && std::isfinite(privacy.epsilon) && privacy.delta >= 0.0 &&
               privacy.delta < 1.0 && contains(privacy.json, "\"private\":true") &&
               opens_as_private(privacy) == 2 && tells_budget(privacy);
    return opens_as_private(privacy) == 0 && std::isinf(privacy.epsilon) && privacy.epsilon > 0.0 &&
           privacy.delta == 1.0;
}

}  // namespace dpadapt
