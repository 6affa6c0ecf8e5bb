#include "cli/statement.hpp"

#include <dpadapt/privacy.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "cli/report_file.hpp"

namespace dpadapt::cli {
namespace {

using privacy::Cost;
using privacy::kSource;
using privacy::kTarget;
using privacy::Mechanism;
using privacy::Neighbours;
using privacy::Release;
using privacy::Unit;

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

/** A budget gives its releases all that epsilon and delta allow, or, where their noise was given,
 *  what the first call costs. */
void check_cap(const JsonMember &member, const privacy::Ledger &ledger) {
    const privacy::Budget &budget = *ledger.budget();
    const privacy::Totals parts = budget.cap.totals();
    const privacy::Budget made =
        privacy::make_budget(budget.epsilon, budget.delta, parts.laplace_epsilon,
                             parts.pure_epsilon, budget.neighbours, budget.cap.failure);
    const auto is_cap = [&](const Cost &cost) {
        return cost.within(budget.cap) && budget.cap.within(cost);
    };
    if (!is_cap(made.cap) && !is_cap(ledger.spent()))
        member.at("cap").wrong("is not what epsilon and delta give");
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

/** As reports write it, 2026-11-25T18:00:00Z. */
std::uint64_t seconds_in(const JsonMember &member) {
    const std::string &text = member.text();
    std::array<int, 6> parts{};
    constexpr std::array kBegins = {0U, 5U, 8U, 11U, 14U, 17U};
    if (text.size() != 20) member.wrong("is no time");
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const char *begin = text.data() + kBegins.at(k);
        const char *end = begin + (k == 0 ? 4 : 2);
        if (std::from_chars(begin, end, parts.at(k)).ptr != end) member.wrong("is no time");
    }
    const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                           std::chrono::month(static_cast<unsigned>(parts[1])),
                                           std::chrono::day(static_cast<unsigned>(parts[2]))};
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    if (!date.ok() || days < 0) member.wrong("is no time");
    return static_cast<std::uint64_t>(days) * 86400U +
           static_cast<std::uint64_t>(3600 * parts[3] + 60 * parts[4] + parts[5]);
}

privacy::Digest digest_in(const JsonMember &member) {
    privacy::Digest digest{};
    const std::string &text = member.text();
    for (std::size_t k = 0; k < digest.size() && text.size() == 2 * digest.size(); ++k)
        (void)std::from_chars(text.data() + 2 * k, text.data() + 2 * k + 2, digest.at(k), 16);
    if (text != privacy::hexadecimal(digest)) member.wrong("is no hash");
    return digest;
}

/** What a call has paid: its number, time and options are facts, and all else follows from its
 *  releases, the first of those that are left. */
privacy::LedgerEntry paid_in(const JsonMember &member,
                             std::span<const privacy::Ledger::Entry *const> &left) {
    privacy::LedgerEntry entry;
    entry.sequence = member.at("sequence").whole();
    entry.time = seconds_in(member.at("time"));
    entry.options = member.at("options").text();
    std::vector<Release> releases;
    while (entry.releases != member.at("releases").text()) {
        if (left.empty()) member.at("releases").wrong("are not those of the report");
        releases.push_back(left.front()->release);
        entry.sizes = left.front()->sizes;
        entry.seeded = left.front()->noise == privacy::NoiseSource::unsafe_seed;
        entry.releases = privacy::shortened(privacy::describe_releases(releases));
        left = left.subspan(1);
    }
    entry.cost = privacy::price_of_call(releases);
    return entry;
}

/** The entries of this problem in its ledger: each follows the one before, and together they pay
 *  for all its releases. */
void add_paid(const JsonMember &shared, privacy::Statement &statement) {
    std::vector<const privacy::Ledger::Entry *> entries;
    for (const privacy::Ledger::Entry &entry : statement.ledger.entries())
        entries.push_back(&entry);
    std::span<const privacy::Ledger::Entry *const> left = entries;
    const privacy::LedgerState &state = *statement.shared;
    Cost own;
    std::uint64_t last = 0;
    std::uint64_t count = 0;
    for (const JsonMember &member : shared.at("own_entries").items()) {
        const privacy::LedgerEntry entry = paid_in(member, left);
        if (entry.sequence <= last || entry.sequence > state.entries)
            member.at("sequence").wrong("does not follow from the one before");
        last = entry.sequence;
        own += entry.cost;
        ++count;
        statement.paid.add(entry);
    }
    if (!left.empty()) shared.at("own_entries").wrong("do not pay for all releases");
    const bool alone = count == state.entries;
    if (!own.within(state.spent) || (alone && !state.spent.within(own)))
        shared.at("spent").wrong("is not what its entries have paid");
    if (!state.spent.within(state.header.budget.cap))
        shared.at("spent").wrong("is more than the budget");
    if (state.seeded ? alone && !statement.ledger.seeded() : statement.ledger.seeded())
        shared.at("seeded").wrong("is not what its entries say");
}

/** Of a ledger that locks, the summary names the samples that are private. */
privacy::Domains locked_domains(const JsonMember &report) {
    const std::string &summary = report.at("summary").text();
    for (const privacy::Domains domains : {kSource | kTarget, kSource})
        if (summary.find(domains == kSource ? "(private_domain = source)"
                                            : "(private_domain = both)") != std::string::npos)
            return domains;
    return kTarget;
}

/** The ledger that the problem shares with others. */
void add_shared(const JsonMember &report, privacy::Statement &statement) {
    const JsonMember shared = report.at("shared_ledger");
    if (shared.is_null()) return;
    if (!statement.ledger.budget()) report.at("budget").wrong("is missing");
    privacy::LedgerState state;
    state.header.budget = *statement.ledger.budget();
    state.header.id = shared.at("id").text();
    state.header.time = seconds_in(shared.at("created"));
    state.header.unit =
        shared.at("unit").one_of({"record", "person"}) == 1 ? Unit::person : Unit::record;
    if (shared.at("locks").truth()) state.header.locked_domains = locked_domains(report);
    const bool persons = state.header.unit == Unit::person;
    if (persons != statement.facts.persons && !statement.ledger.entries().empty())
        shared.at("unit").wrong("is not that of the report");
    state.entries = shared.at("entry_count").whole();
    state.head = digest_in(shared.at("head"));
    state.spent = cost_of(shared.at("spent"));
    state.seeded = shared.at("seeded").truth();
    statement.seeded = statement.seeded || state.seeded;
    statement.shared = std::move(state);
    add_paid(shared, statement);
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
    if (!budget.is_null()) check_cap(budget, ledger);
    add_exposure(report, ledger.exposure());
    privacy::Statement statement(ledger, std::move(facts));
    add_shared(report, statement);
    return statement;
}

privacy::Cost cost_in(const Json &member) { return cost_of(JsonMember(member)); }

}  // namespace dpadapt::cli
