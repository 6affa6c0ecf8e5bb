#include "cli/show/officer_page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

constexpr std::string_view kEnglish =
// clang-format off
#include "officer.en.inc"
    ;
constexpr std::string_view kGerman =
#include "officer.de.inc"
    ;
// clang-format on

constexpr const char *kStyle =
    "body{font:15px/1.4 system-ui,sans-serif;color:#1c2733;background:#fff;margin:0 auto;"
    "max-width:44rem;padding:1rem;overflow-wrap:anywhere}h1{font-size:1.4rem;margin:.3rem 0}"
    "h2{font-size:1.05rem;margin:.9rem 0 .2rem}p,ul{margin:.3rem 0}"
    "table{border-collapse:collapse;width:100%}th,td{border:1px solid #9aa5af;padding:.15rem .5rem;"
    "text-align:left;font-weight:normal}td+td{font-variant-numeric:tabular-nums}"
    ".sign span{display:inline-block;width:32%;border-bottom:1px solid;margin:2rem 1rem 0 .4rem}"
    ".foot{font-size:12px}@media print{body{max-width:none;padding:0;font-size:9.5pt}"
    ".foot{font-size:8pt}}";

/** Digits and the sign between them as in the page's language. */
std::string in_language(std::string text, const std::string &language) {
    if (language == "de") std::replace(text.begin(), text.end(), '.', ',');
    return text;
}

/** As a reader of no formulas writes it: 0.00001. */
std::string without_exponent(double value) {
    std::array<char, 400> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return {text.data(), end.ptr};
}

enum class Rounding { up, down };

/** With four digits, to the side that promises less. */
std::string rounded(double value, Rounding rounding, const std::string &language) {
    if (value <= 0.0) return "0";
    const double unit = std::pow(10.0, 3.0 - std::floor(std::log10(value)));
    constexpr double kSlip = 1e-9;  // that 2 stays 2, though it is 2 less the last digit
    const double scaled = value * unit;
    const double whole =
        rounding == Rounding::up ? std::ceil(scaled - kSlip) : std::floor(scaled + kSlip);
    return in_language(to_text(whole / unit), language);
}

/** A whole number of up to 38 digits, as reports write it. */
long double units_of(const Json &cost, const char *member) {
    if (!cost.contains(member)) return 0.0L;
    const Json &value = cost[member];
    return std::stold(value.is_string() ? value.get<std::string>() : value.dump());
}

/** What is left of a cap: the parts, from the integers that add up. */
Json left_of(const Json &cap, const Json &spent) {
    const auto left = [&](const char *member) {
        return std::max(0.0L, units_of(cap, member) - units_of(spent, member));
    };
    const auto below = [](long double value) {
        return std::max(0.0, std::nextafter(static_cast<double>(value), 0.0));
    };
    return {{"mu", below(std::sqrt(std::ldexp(left("mu_square_units_of_2^-80"), -80)))},
            {"laplace_epsilon", below(std::ldexp(left("laplace_epsilon_units_of_2^-40"), -40))},
            {"pure_epsilon", below(std::ldexp(left("pure_epsilon_units_of_2^-40"), -40))}};
}

/** How many of 100 true suspicions an attacker confirms. */
double found_of(const Json &report) {
    for (const Json &attacker : report["attackers"])
        if (attacker["records"] == 1 && attacker["wrongly_suspected"] == 0.05)
            return 100.0 * attacker["found"].get<double>();
    return 100.0;
}

/** A template with the texts, and without parts {{?name}}...{{/name}} whose name has none. */
std::string filled(std::string_view rest, const std::map<std::string, std::string> &texts) {
    std::string page;
    for (std::size_t at = 0; (at = rest.find("{{")) != std::string_view::npos;) {
        page += rest.substr(0, at);
        const std::size_t end = rest.find("}}", at);
        const std::string name(rest.substr(at + 2, end - at - 2));
        rest.remove_prefix(end + 2);
        if (name[0] == '?' && texts.at(name.substr(1)).empty()) {
            const std::string close = "{{/" + name.substr(1) + "}}";
            rest.remove_prefix(rest.find(close) + close.size());
        } else if (name[0] != '?' && name[0] != '/') {
            page += texts.at(name);
        }
    }
    return page += rest;
}

std::string base64_of(const std::string &text) {
    return base64({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
}

/** What stands in base64 in the element of that name. */
std::optional<std::string> element(std::string_view page, const std::string &name) {
    const std::string open = "<script type=\"text/plain\" id=\"" + name + "\">";
    const std::size_t begin = page.find(open);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = page.find("</script>", begin);
    if (end == std::string_view::npos) return {};
    const auto bytes = from_base64(page.substr(begin + open.size(), end - begin - open.size()));
    if (!bytes) return {};
    return std::string(bytes->begin(), bytes->end());
}

}  // namespace

std::string officer_page(const std::string &text, const SignerWords &words) {
    const Json report = Json::parse(text);
    if (!report["private"].get<bool>())
        throw Failure(kBadData, "the report promises nothing, so that there is nothing to sign: " +
                                    report["summary"].get<std::string>());
    const std::string &language = words.language;
    const double delta = report["budget"]["delta"];
    const Json &cap = report["budget"]["cap"];
    const Json &own = report["spent"];
    const Json &shared = report["shared_ledger"];
    const Json &all = shared.is_object() ? shared["spent"] : own;
    const Json left = left_of(cap, all);
    const auto epsilon = [&](const Json &cost, Rounding rounding, int records = 1) {
        const Json value = price_of(cost, delta, records)["epsilon"];
        return value.is_number() ? rounded(value.get<double>(), rounding, language) : "&gt; 600";
    };
    const auto mu = [&](const Json &cost, Rounding rounding = Rounding::up) {
        return rounded(cost["mu"].get<double>(), rounding, language);
    };
    std::string groups;
    for (const int records : {1, 2, 5, 10})
        groups += "<tr><td>" + std::to_string(records) + "</td><td>" +
                  epsilon(own, Rounding::up, records) + "</td><td>" +
                  epsilon(cap, Rounding::up, records) + "</td></tr>" + (records < 10 ? "\n" : "");
    const std::string domains = report["private_domains"];
    const std::string rows =
        domains == "both" ? report["source_rows"].dump() + " + " + report["target_rows"].dump()
                          : report[domains + "_rows"].dump();
    const Json provenance = report.value("provenance", Json::object());
    const Json model = provenance.value("model_sha256", Json());
    const Json intervals = report["call"].value("calibration_of_intervals", Json());
    const auto of_intervals = [&](const char *member) {
        if (intervals.is_null()) return std::string();
        return in_language(without_exponent(intervals[member].get<double>()), language);
    };
    const Json stated = {{"language", language},
                         {"purpose", words.purpose},
                         {"recipient", words.recipient},
                         {"custodian", words.custodian},
                         {"valid", words.valid}};
    return filled(language == "de" ? kGerman : kEnglish,
                  {{"style", kStyle},
                   {"purpose", in_html(words.purpose)},
                   {"recipient", in_html(words.recipient)},
                   {"custodian", in_html(words.custodian)},
                   {"valid", in_html(words.valid)},
                   {"record", report["unit"] == "record" ? "1" : ""},
                   {"person", report["unit"] == "person" ? "1" : ""},
                   {"zero_out", report["relation"] == "zero_out" ? "1" : ""},
                   {"rows", rows},
                   {"found", to_text(std::ceil(found_of(report)))},
                   {"model", model.is_string() ? in_html(model.get<std::string>()) : ""},
                   {"spent", epsilon(own, Rounding::up)},
                   {"all", epsilon(all, Rounding::up)},
                   {"left", epsilon(left, Rounding::down)},
                   {"budget", epsilon(cap, Rounding::up)},
                   {"delta", in_language(without_exponent(delta), language)},
                   {"groups", groups},
                   {"intervals", of_intervals("epsilon")},
                   {"interval_delta", of_intervals("delta")},
                   {"interval_rows", of_intervals("rows")},
                   {"mu", mu(own)},
                   {"mu_all", mu(all)},
                   {"mu_left", mu(left, Rounding::down)},
                   {"mu_budget", mu(cap)},
                   {"version", in_html(report["version"].get<std::string>())},
                   {"ledger", shared.is_object() ? in_html(shared["id"].get<std::string>()) : ""},
                   {"words", base64_of(stated.dump())},
                   {"report", base64_of(text)}});
}

std::optional<OfficerParts> parts_of_page(std::string_view page) {
    const std::optional<std::string> report = element(page, "report");
    const std::optional<std::string> texts = element(page, "words");
    if (!report || !texts) return {};
    const Json json = Json::parse(*texts, nullptr, false);
    SignerWords words;
    if (!json.is_object()) return {};
    for (const auto &[name, word] : {std::pair("language", &words.language),
                                     {"purpose", &words.purpose},
                                     {"recipient", &words.recipient},
                                     {"custodian", &words.custodian},
                                     {"valid", &words.valid}}) {
        if (!json.contains(name) || !json[name].is_string()) return {};
        *word = json[name];
    }
    return OfficerParts{*report, words};
}

}  // namespace dpadapt::cli
