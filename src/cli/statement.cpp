#include "cli/statement.hpp"

#include <dpadapt/privacy.h>

#include <array>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "cli/json_member.hpp"

namespace dpadapt::cli {
namespace {

using privacy::Cost;
using privacy::Mechanism;
using privacy::Neighbours;
using privacy::Release;

privacy::Cost cost_of(const JsonMember &member) {
    return {member.at("mu_square_units_of_2^-80").units(),
            member.at("laplace_epsilon_units_of_2^-40").whole(),
            member.at("pure_epsilon_units_of_2^-40").whole(),
            member.has("failure_units_of_2^-120") ? member.at("failure_units_of_2^-120").units()
                                                  : Uint128{0}};
}

Neighbours neighbours_in(const JsonMember &member) {
    return member.one_of({"replace", "zero_out"}) == 1 ? Neighbours::zero_out : Neighbours::replace;
}

/** The words are numbered as the bits are. */
privacy::Domains domains_in(const JsonMember &member) {
    return static_cast<privacy::Domains>(member.one_of({"none", "source", "target", "both"}));
}

privacy::ReleaseKind kind_in(const JsonMember &member) {
    for (int kind = 0; kind <= static_cast<int>(privacy::ReleaseKind::own_columns); ++kind)
        if (member.text() == privacy::purpose(static_cast<privacy::ReleaseKind>(kind)))
            return static_cast<privacy::ReleaseKind>(kind);
    member.wrong("is no purpose that a release has");
}

privacy::Budget budget_in(const JsonMember &member) {
    try {
        return privacy::certify_budget(member.at("epsilon").number(), member.at("delta").number(),
                                       cost_of(member.at("cap")),
                                       neighbours_in(member.at("relation")));
    } catch (const Error &error) {
        member.at("epsilon").wrong(std::string("is less than what the cap allows: ") +
                                   error.what());
    }
}

/** The price of sampled steps is stated, because accountants of other machines round logarithms
 *  otherwise. */
void check_sampled(const Release &release, const JsonMember &member) {
    constexpr double kRounding = 1e-6;
    const double part =
        release.step_price() / static_cast<double>(privacy::norms_moved(release.neighbours));
    double mu = 0.0;
    const dpa_status status = dpa_privacy_sampled_mu(
        1.0 / part, std::ldexp(static_cast<double>(release.rate), -32),
        static_cast<std::int64_t>(release.steps),
        release.neighbours == Neighbours::zero_out ? DPA_NEIGHBOURS_ZERO_OUT
                                                   : DPA_NEIGHBOURS_REPLACE,
        std::ldexp(static_cast<double>(release.sampled.failure), -privacy::kFailureBits), &mu);
    const Cost &paid = release.sampled;
    if (release.mechanism != Mechanism::gaussian || status != DPA_OK || paid.laplace > 0 ||
        paid.pure > 0 || !(std::fabs(paid.totals().mu - mu) <= kRounding * mu))
        member.at("cost").wrong("is not the price of these sampled steps");
}

/** Whether its price can be computed in the integers that prices have. */
bool has_price(const Release &release) {
    constexpr double kMostSquare = 0x1p40;
    constexpr double kMostEpsilon = 0x1p20;
    const double step = release.step_price();
    const auto steps = static_cast<double>(release.steps);
    return release.integer_sensitivity > 0 && step * step * steps < kMostSquare &&
           step * steps < kMostEpsilon;
}

Release release_in(const JsonMember &member) {
    Release release;
    release.mechanism =
        static_cast<Mechanism>(member.at("mechanism").one_of({"Gaussian", "Laplace", "pure"}));
    release.kind = kind_in(member.at("purpose"));
    release.domains = domains_in(member.at("private_domains"));
    release.neighbours = neighbours_in(member.at("relation"));
    release.steps = member.at("steps").whole();
    release.bits = member.at("bits").small();
    const std::uint64_t sensitivity = member.at("integer_sensitivity").whole();
    release.integer_sensitivity = static_cast<std::int64_t>(sensitivity);
    release.unit = member.at("grid_unit").number_or_nan();
    if (!has_price(release)) member.at("integer_sensitivity").wrong("is of no price");
    if (!member.has("sampling_rate_units_of_2^-32")) return release;
    const JsonMember rate = member.at("sampling_rate_units_of_2^-32");
    release.rate = rate.whole();
    if (release.rate == 0) rate.wrong("is no rate");
    release.sampled = cost_of(member.at("cost"));
    return release;
}

privacy::SampleSizes sizes_in(const JsonMember &member) {
    return {member.at("source_rows").whole(), member.at("target_rows").whole(),
            member.at("features").whole()};
}

void add_release(const JsonMember &entry, privacy::Domains domains, privacy::Ledger &ledger) {
    const JsonMember member = entry.at("release");
    const Release release = release_in(member);
    if (release.domains == 0 || (release.domains & ~domains) != 0)
        member.at("private_domains").wrong("is not among those of the report");
    const bool seeded = entry.at("noise_source").text() == "unsafe_seed";
    ledger.announce({sizes_in(entry), {}});
    try {
        ledger.charge({&release, 1},
                      seeded ? privacy::NoiseSource::unsafe_seed : privacy::NoiseSource::system);
    } catch (const Error &error) {
        member.wrong(std::string("was not paid: ") + error.what());
    }
    if (release.rate > 0) check_sampled(release, member);
}

/** What was taken without protection. */
void add_exposure(const JsonMember &report, privacy::Exposure &exposure) {
    exposure.inspected = report.at("inspected").truth();
    exposure.unprotected = report.at("unprotected_results").truth();
    const JsonMember taken = report.at("taken_without_protection");
    if (!taken.is_null() && taken.text().find("unsafe_seed") != std::string::npos)
        exposure.seeded = true;
}

Document document_of(const Json &json) {
    Document document = json.is_array() ? Document::list() : Document();
    switch (json.type()) {
        case Json::value_t::object:
            for (const auto &[name, value] : json.items()) document.set(name, document_of(value));
            return document;
        case Json::value_t::array:
            for (const Json &value : json) document.add(document_of(value));
            return document;
        case Json::value_t::string:
            return json.get_ref<const std::string &>();
        case Json::value_t::boolean:
            return json.get<bool>();
        case Json::value_t::number_unsigned:
            return json.get<std::uint64_t>();
        case Json::value_t::number_integer:
            return json.get<std::int64_t>();
        case Json::value_t::number_float:
            return json.get<double>();
        default:
            return nullptr;
    }
}

privacy::ReportFacts facts_in(const JsonMember &report, bool nothing) {
    privacy::ReportFacts facts;
    facts.domains = domains_in(report.at("private_domains"));
    facts.persons = report.at("unit").one_of({"record", "person"}) == 1;
    facts.neighbours = neighbours_in(report.at("relation"));
    if (nothing) facts.sizes = sizes_in(report);
    const JsonMember call = report.at("call");
    if (!call.value().is_object()) call.wrong("is no object");
    facts.call = document_of(call.value());
    facts.call_without_privacy =
        report.at("summary").text().starts_with("NOT PRIVATE: private_domain is none");
    return facts;
}

}  // namespace

privacy::Statement statement_in(const Json &json) {
    const JsonMember report(json);
    privacy::Ledger ledger;
    const JsonMember budget = report.at("budget");
    if (!budget.is_null()) ledger.set_budget(budget_in(budget));
    const std::vector<JsonMember> releases = report.at("releases").items();
    if (budget.is_null() && !releases.empty()) budget.wrong("is missing");
    privacy::ReportFacts facts = facts_in(report, releases.empty());
    for (const JsonMember &entry : releases) add_release(entry, facts.domains, ledger);
    add_exposure(report, ledger.exposure());
    privacy::Statement statement(ledger, std::move(facts));
    return statement;
}

privacy::Cost cost_in(const Json &member) { return cost_of(JsonMember(member)); }

}  // namespace dpadapt::cli
