#include "solution/promise.hpp"

#include <cmath>

#include "base/text.hpp"

namespace dpadapt {
namespace {

bool contains(const std::string &report, const std::string &words) {
    return report.find(words) != std::string::npos;
}

constexpr std::string_view kSummary = "{\"summary\":\"";
constexpr std::string_view kPrivate = "PRIVATE: ";
constexpr std::string_view kInPart = "NOT PRIVATE AS A WHOLE: ";

std::string_view paragraph(const PrivacyRecord &privacy) {
    const std::string_view json = privacy.json;
    return json.starts_with(kSummary) ? json.substr(kSummary.size()) : std::string_view();
}

bool opens_as_private(const PrivacyRecord &privacy) {
    return privacy.text.starts_with(kPrivate) || paragraph(privacy).starts_with(kPrivate);
}

/** Each report by itself: between the two more may have been taken from the problem. */
bool keeps_promise(const PrivacyRecord &privacy) {
    const std::string_view json = paragraph(privacy);
    const bool whole = contains(privacy.json, "\"private\":true");
    return (whole ? json.starts_with(kPrivate) : json.starts_with(kInPart)) &&
           (privacy.text.starts_with(kPrivate) || privacy.text.starts_with(kInPart));
}

/** Earlier versions knew no other than the first. Quotes within texts have a backslash before them,
 *  so that no text can look like this. */
privacy::Neighbours relation_in(const std::string &json) {
    return contains(json, "\"budget\":{") && contains(json, "\"relation\":\"zero_out\"")
               ? privacy::Neighbours::zero_out
               : privacy::Neighbours::replace;
}

/** Both reports name the same relation. */
bool tells_relation(const PrivacyRecord &privacy) {
    const bool zero_out = relation_in(privacy.json) == privacy::Neighbours::zero_out;
    return contains(privacy.text, "(neighbours = zero_out)") == zero_out;
}

bool tells_budget(const PrivacyRecord &privacy) {
    const std::string epsilon = to_text(privacy.epsilon);
    const std::string delta = to_text(privacy.delta);
    return contains(privacy.text, "epsilon = " + epsilon + ", delta = " + delta + ',') &&
           contains(privacy.json, "\"budget\":{\"epsilon\":" + epsilon + ",\"delta\":" + delta);
}

}  // namespace

std::string PrivacyRecord::report(privacy::Form form) const {
    if (statement) return privacy::write_report(*statement, form);
    return form == privacy::Form::json ? json : text;
}

privacy::Neighbours PrivacyRecord::neighbours() const {
    if (!statement) return relation_in(json);
    const std::optional<privacy::Budget> &budget = statement->ledger.budget();
    return budget ? budget->neighbours : privacy::Neighbours::replace;
}

bool is_whole(const PrivacyRecord &privacy) {
    // mutant: exposure_unsaid
    return privacy.statement ? privacy.statement->taken_without_protection().empty()
                             : contains(privacy.json, "\"private\":true");
}

bool agrees_with_reports(const PrivacyRecord &privacy) {
    if (!is_plain(privacy.text) || !is_plain(privacy.json)) return false;
    const bool seeded = privacy.protection == Protection::seeded;
    if (contains(privacy.json, "\"seeded\":true") != seeded) return false;
    if (privacy.protection == Protection::guaranteed)
        return privacy.epsilon >= 0.0 && std::isfinite(privacy.epsilon) && privacy.delta >= 0.0 &&
               privacy.delta < 1.0 && keeps_promise(privacy) && tells_budget(privacy) &&
               tells_relation(privacy);
    return !opens_as_private(privacy) && std::isinf(privacy.epsilon) && privacy.epsilon > 0.0 &&
           privacy.delta == 1.0;
}

privacy::Domains private_domains(const PrivacyRecord &privacy) {
    if (privacy.statement) return privacy.statement->facts.domains;
    const bool both = contains(privacy.json, "\"private_domains\":\"both\"");
    privacy::Domains domains = 0;
    if (both || contains(privacy.json, "\"private_domains\":\"source\""))
        domains |= privacy::kSource;
    if (both || contains(privacy.json, "\"private_domains\":\"target\""))
        domains |= privacy::kTarget;
    return domains;
}

bool chose_anchor(const PrivacyRecord &privacy) {
    return privacy.statement ? privacy.statement->facts.chose_anchor
                             : contains(privacy.json, "\"mean losses of public predictors");
}

}  // namespace dpadapt
