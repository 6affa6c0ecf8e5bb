#include "cli/findings.hpp"

#include <cmath>

#include "cli/number.hpp"

namespace dpadapt::cli {
namespace {

constexpr double kLargeEpsilon = 10.0;
constexpr double kHardly = 0.01;  // a share that nobody would see
constexpr double kLittle = 0.1;

bool has_release(const Json &privacy, const std::string &purpose) {
    for (const Json &entry : privacy["releases"])
        if (entry["release"]["purpose"] == purpose) return true;
    return false;
}

std::string percent(double share) {
    const double rounded = std::round(1000.0 * share) / 10.0;
    return to_text(rounded) + " %";
}

/** What became of the private rows where alpha is chosen by them: the coefficients go a share of
 *  the way from the public predictor to what the noisy sums of private rows show. */
void add_use(Json &report, Json &notes) {
    const Json &privacy = report["privacy"];
    const Json &alpha = report["settings"]["alpha"];
    const bool is_chosen =
        privacy.contains("call") && privacy["call"].value("alpha", Json()) == "auto";
    const std::string domain = privacy.value("private_domains", "");
    if (!is_chosen || !alpha.is_number() || (domain != "target" && domain != "source")) return;
    const bool target = domain == "target";
    const double share = target ? 1.0 - alpha.get<double>() : alpha.get<double>();
    const std::string other = target ? "source" : "target";
    const bool chose = has_release(privacy, "mean losses of public predictors");
    report["used_private_data"] = share > 0.0 || chose;
    if (share >= kHardly) {
        const std::string used = share >= kLittle ? "used: " : "used a little, most is noise: ";
        notes.push_back("The private rows were " + used + "the coefficients went " +
                        percent(share) + " of the way from the " + other +
                        "'s predictor to what the noisy sums of private rows show.");
        return;
    }
    const bool untouched = share == 0.0 && !chose;
    notes.push_back(
        "The private rows were " + std::string(untouched ? "not" : "hardly") +
        " used for the coefficients: the noise exceeded what they show; the result is " +
        (share == 0.0 ? "" : "nearly ") + "the " + other + "'s predictor" +
        (chose ? ", one of several with more or less ridge." : "."));
}

double private_rows(const Json &privacy) {
    const std::string domain = privacy.value("private_domains", "");
    const double source = privacy.value("source_rows", 0.0);
    const double target = privacy.value("target_rows", 0.0);
    return domain == "source" ? source : domain == "target" ? target : source + target;
}

void add_budget(const Json &privacy, Json &notes) {
    const double n = private_rows(privacy);
    const Json &budget = privacy["budget"];
    const double delta = budget.value("delta", 0.0);
    const double epsilon = budget.value("epsilon", 0.0);
    if (n > 0.0 && delta >= 1.0 / n)
        notes.push_back("WARNING: delta = " + to_text(delta) + " is not below 1/n = 1/" +
                        to_text(n) + ": the promise would allow to publish some " +
                        privacy.value("unit", "record") + " as it is.");
    if (epsilon > kLargeEpsilon)
        notes.push_back("WARNING: epsilon = " + to_text(epsilon) +
                        " is above 10: the promise means little to a single person.");
}

/** A mean of clipped gradients has norm 1 at most, in units of the clip: less than three deviations
 *  of its noise is nothing. */
void add_noise(const Json &privacy, Json &notes) {
    for (const Json &entry : privacy["releases"]) {
        const Json &release = entry["release"];
        if (release["purpose"] != "gradient of the predictor") continue;
        const double noise =
            release.value("sigma", 0.0) *
            std::sqrt(release.value("dimension", 0.0) / release.value("steps", 1.0));
        if (3.0 * noise < 1.0) continue;
        notes.push_back("WARNING: " + to_text(private_rows(privacy)) + " private " +
                        privacy.value("unit", "record") +
                        "s are too few for this epsilon and so many features: the "
                        "noise hides whatever they show. dpadapt plan tells the noise for other "
                        "sizes without spending anything.");
        return;
    }
}

}  // namespace

void add_findings(Json &report) {
    Json notes = Json::array();
    report["used_private_data"] = nullptr;
    if (report["protection"] != "none") {
        add_use(report, notes);
        add_budget(report["privacy"], notes);
        add_noise(report["privacy"], notes);
        notes.push_back(
            "Private cells that cannot be used are never told here: their custodian "
            "should run dpadapt inspect once.");
    }
    for (const Json &note : report["schema"]["notes"]) notes.push_back(note);
    report["notes"] = notes;
}

std::string with_notes(const std::string &text, const Json &notes) {
    std::string result = text;
    std::string paragraphs;
    for (const Json &note : notes) paragraphs += note.get<std::string>() + '\n';
    return result.insert(text.find('\n') + 1, paragraphs);
}

}  // namespace dpadapt::cli
