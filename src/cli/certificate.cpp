#include "cli/certificate.hpp"

#include <array>
#include <cmath>
#include <set>

#include "cli/failure.hpp"
#include "cli/number.hpp"
#include "cli/price.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kSchema = "dpadapt-privacy-report-1";
constexpr std::array kSuspects = {1U, 2U, 5U, 10U};
constexpr std::array kMisled = {0.01, 0.05, 0.1};
constexpr double kToldInWords = 0.05;
constexpr std::array kGroupSizes = {2U, 5U, 10U, 30U};
constexpr std::array kDeltas = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

/** Compares members with what they must be. */
class Comparison {
  public:
    void expect(const std::string &place, const Json &found, const Json &wanted) {
        ++count_;
        if (found == wanted) return;
        throw Contradiction('"' + place + "\" is " + found.dump() + ", but must be " +
                            wanted.dump());
    }

    void require(const std::string &place, bool holds, const std::string &rule) {
        ++count_;
        if (!holds) throw Contradiction('"' + place + "\" " + rule);
    }

    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    std::size_t count_ = 0;
};

Json groups(const Price &price, double delta) {
    Json list = Json::array();
    for (const unsigned records : kGroupSizes)
        list.push_back({{"records", records}, {"epsilon", epsilon_of(price, delta, records)}});
    return list;
}

Json curve(const Price &price) {
    Json list = Json::array();
    for (const double delta : kDeltas)
        list.push_back({{"delta", delta}, {"epsilon", epsilon_of(price, delta)}});
    return list;
}

/** Numbers that are the same value are equal, however they are written. */
void check_release(Comparison &compare, const std::string &place, const Json &release) {
    const auto sensitivity = release.at("integer_sensitivity").get<double>();
    const auto bits = static_cast<int>(release.at("bits").get<double>());
    const double price = std::ldexp(sensitivity, -bits);
    const bool gaussian = release.at("mechanism") == "Gaussian";
    compare.expect(place + "/price", release.at(gaussian ? "mu_of_a_step" : "epsilon_of_a_step"),
                   price);
    compare.expect(place + "/noise_multiplier", release.at("noise_multiplier"), 1.0 / price);
    const Json &unit = release.at("grid_unit");
    const Json none;
    compare.expect(place + "/sensitivity", release.at("sensitivity"),
                   unit.is_null() ? none : Json(unit.get<double>() * sensitivity));
    compare.expect(place + "/scale", release.at(gaussian ? "sigma" : "scale"),
                   unit.is_null() ? none : Json(std::ldexp(unit.get<double>(), bits)));
}

struct Spent {
    Price source;
    Price target;
    bool seeded = false;
};

/** Earlier versions knew no other than that. */
std::string relation_of(const Json &member) { return member.value("relation", "replace"); }

/** Prices of one relation say nothing of another. */
void check_relation(Comparison &compare, const Json &report) {
    const std::string relation = relation_of(report);
    compare.require("relation", relation == "replace" || relation == "zero_out", "is unknown");
    const Json &budget = report.at("budget");
    compare.require("budget/relation", budget.is_null() || relation_of(budget) == relation,
                    "is not that of the report");
    for (const Json &entry : report.at("releases"))
        compare.require("releases/relation", relation_of(entry.at("release")) == relation,
                        "is not that of the report");
    const std::string summary = report.at("summary");
    if (report.at("private").get<bool>())
        compare.require("summary",
                        (summary.find("(neighbours = zero_out)") != std::string::npos) ==
                            (relation == "zero_out"),
                        "is about another relation");
}

Spent check_releases(Comparison &compare, const Json &report) {
    Spent spent;
    const Json &releases = report.at("releases");
    for (std::size_t k = 0; k < releases.size(); ++k) {
        const Json &entry = releases[k];
        const Json &release = entry.at("release");
        const std::string place = "releases/" + std::to_string(k);
        compare.expect(place + "/sequence", entry.at("sequence"), k);
        check_release(compare, place, release);
        const Price price = price_of(release);
        if (release.contains("cost")) {
            compare.expect(place + "/cost", release.at("cost"), described(price));
            const Json &rate = release.at("sampling_rate_units_of_2^-32");
            compare.expect(place + "/sampling_rate", release.at("sampling_rate"),
                           std::ldexp(rate.get<double>(), -32));
        }
        const std::string domains = release.at("private_domains");
        compare.require(place + "/private_domains",
                        domains == "source" || domains == "target" || domains == "both",
                        "is no sample");
        if (domains != "target") spent.source += price;
        if (domains != "source") spent.target += price;
        spent.seeded = spent.seeded || entry.at("noise_source") == "unsafe_seed";
        for (const char *size : {"source_rows", "target_rows", "features"})
            compare.require(size, report.at(size).is_null() || report.at(size) == entry.at(size),
                            "is not the one of release " + std::to_string(k));
    }
    return spent;
}

void check_samples(Comparison &compare, const Json &report, const Spent &spent) {
    const Json &samples = report.at("samples");
    const std::string domains = report.at("private_domains");
    const std::size_t count = domains == "both" ? 2 : domains == "none" ? 0 : 1;
    compare.require("samples", samples.size() == count, "are not those of private_domains");
    compare.require("private_domains", domains != "target" || spent.source == Price{},
                    "leaves out the source");
    compare.require("private_domains", domains != "source" || spent.target == Price{},
                    "leaves out the target");
    for (std::size_t k = 0; k < count; ++k) {
        const std::string place = "samples/" + std::to_string(k);
        const std::string name = domains != "both" ? domains : k == 0 ? "source" : "target";
        const Price &price = name == "source" ? spent.source : spent.target;
        compare.expect(place + "/sample", samples[k].at("sample"), name);
        compare.expect(place + "/spent", samples[k].at("spent"), described(price));
        if (report.at("releases").empty()) continue;
        const double delta = report.at("budget").at("delta");
        compare.expect(place + "/delta", samples[k].at("delta"), delta);
        compare.expect(place + "/epsilon", samples[k].at("epsilon"), epsilon_of(price, delta));
        compare.expect(place + "/groups", samples[k].at("groups"), groups(price, delta));
    }
}

/** The cap, which must be what epsilon and delta allow. */
Price check_budget(Comparison &compare, const Json &budget) {
    constexpr double kRounding = 1.0 + 1e-9;
    const Price cap = price_in(budget.at("cap"));
    const double delta = budget.at("delta");
    const Json epsilon = epsilon_of(cap, delta);
    compare.expect("budget/cap", budget.at("cap"), described(cap));
    compare.require("budget/epsilon",
                    epsilon.is_number() &&
                        epsilon.get<double>() <= budget.at("epsilon").get<double>() * kRounding,
                    "is less than what the cap allows: " + epsilon.dump());
    compare.expect("budget/groups", budget.at("groups"), groups(cap, delta));
    compare.expect("budget/curve", budget.at("curve"), curve(cap));
    return cap;
}

/** The first of these entries of a ledger, added. */
struct Paid {
    Price spent;
    bool seeded = false;

    Paid(const Json &entries, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            spent += price_in(entries[k].at("cost"));
            seeded = seeded || entries[k].at("seeded").get<bool>();
        }
    }
};

/** What the report says of the ledger that others share; it has the entries of its own problem
 *  alone, so that what others have paid is known by the ledger only. */
void check_shared(Comparison &compare, const Json &report, const Price &spent) {
    const Json &shared = report.at("shared_ledger");
    const Json &entries = shared.at("own_entries");
    const auto count = shared.at("entry_count").get<std::uint64_t>();
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const std::string place = "shared_ledger/own_entries/" + std::to_string(k);
        const auto sequence = entries[k].at("sequence").get<std::uint64_t>();
        compare.require(place + "/sequence", sequence > last && sequence <= count,
                        "does not follow from the one before, or is beyond entry_count");
        last = sequence;
        const Json &cost = entries[k].at("cost");
        compare.expect(place + "/cost", cost, described(price_in(cost)));
    }
    const Paid own(entries, entries.size());
    const Price total = price_in(shared.at("spent"));
    compare.expect("shared_ledger/spent", shared.at("spent"), described(total));
    compare.require("shared_ledger/own_entries", spent.within(own.spent),
                    "are less than what this problem has spent");
    compare.require("shared_ledger/spent",
                    count == entries.size() ? total == own.spent : own.spent.within(total),
                    "is not the sum of the entries");
    compare.require("shared_ledger/seeded", shared.at("seeded").get<bool>() || !own.seeded,
                    "is false, but an entry of this problem is seeded");
    compare.expect("shared_ledger/unit", shared.at("unit"), report.at("unit"));
    compare.expect("shared_ledger/neighbours", shared.at("neighbours"), report.at("relation"));
    const std::string summary = report.at("summary");
    if (report.at("private").get<bool>())
        compare.require("shared_ledger/locks",
                        (summary.find(" and locks its problems") != std::string::npos) ==
                            shared.at("locks").get<bool>(),
                        "is not what the summary says");
}

/** Shares of 100 as the sentences have them, rounded up. */
std::string of_hundred(double share) { return to_text(std::ceil(1000.0 * share) / 10.0); }

/** The sentences that have numbers of attackers, for groups of 1, 2, 5 and 10 records, or for
 *  persons. */
Json sentences(const std::string &unit, const std::vector<std::string> &found) {
    Json list = {"Somebody who knows all other " + unit + "s, and suspects what a " + unit +
                 " holds, can test it by what is released. If the test misleads them for 5 of "
                 "100 " +
                 unit + "s that hold something else, it finds at most " + found[0] +
                 " of 100 that hold it; a guess without what is released finds 5."};
    if (found.size() > 1)
        list.push_back(
            "Where a person has several records, all of them count: of 2, 5 or 10 "
            "records together the same attacker finds at most " +
            found[1] + ", " + found[2] + " and " + found[3] + " of 100.");
    return list;
}

/** What attackers find by what the cap allows, and the sentences that say so. */
void check_attackers(Comparison &compare, const Json &report, const Price &cap) {
    constexpr double kRounding = 1e-6;
    const Json &attackers = report.at("attackers");
    const std::string unit = report.value("unit", "record");
    const std::size_t groups = unit == "person" ? 1 : kSuspects.size();
    compare.require("attackers", attackers.is_array(), "is no list, but there is a promise");
    compare.expect("attackers/size", attackers.size(), groups * kMisled.size());
    std::vector<std::string> told;
    for (std::size_t k = 0; k < attackers.size(); ++k) {
        const std::string place = "attackers/" + std::to_string(k);
        const unsigned records = kSuspects.at(k / kMisled.size());
        const double misled = kMisled.at(k % kMisled.size());
        compare.expect(place + "/records", attackers[k].at("records"), records);
        compare.expect(place + "/wrongly_suspected", attackers[k].at("wrongly_suspected"), misled);
        const auto found = attackers[k].at("found").get<double>();
        const double most = most_found(cap, misled, records);
        compare.require(place + "/found", std::fabs(found - most) <= kRounding * most,
                        "is " + to_text(found) + ", but must be " + to_text(most));
        if (misled == kToldInWords) told.push_back(of_hundred(found));
    }
    Json numbers = Json::array();
    for (const Json &sentence : report.at("plain_words"))
        if (sentence.get<std::string>().find(" of 100") != std::string::npos)
            numbers.push_back(sentence);
    compare.expect("plain_words", numbers, sentences(unit, told));
}

/** Without a promise nothing is said about attackers. */
void check_no_attackers(Comparison &compare, const Json &report) {
    compare.expect("attackers", report.value("attackers", Json()), Json());
    compare.expect("plain_words", report.value("plain_words", Json::array()), Json::array());
}

void check_words(Comparison &compare, const Json &report, bool seeded) {
    const Json &taken = report.at("taken_without_protection");
    const bool exposed =
        report.at("inspected").get<bool>() || report.at("unprotected_results").get<bool>();
    const bool is_private = !report.at("releases").empty() && !seeded && taken.is_null();
    compare.expect("seeded", report.at("seeded"), seeded);
    compare.require("taken_without_protection", !exposed || !taken.is_null(),
                    "is null, but something was");
    compare.expect("private", report.at("private"), is_private);
    const std::string summary = report.at("summary");
    compare.require("summary", summary.starts_with("PRIVATE: ") == is_private,
                    "does not say whether it is private");
    if (!is_private) return;
    const Json &budget = report.at("budget");
    const std::string numbers = "with epsilon = " + to_text(budget.at("epsilon").get<double>()) +
                                ", delta = " + to_text(budget.at("delta").get<double>()) + ',';
    compare.require("summary", summary.find(numbers) != std::string::npos,
                    "does not have the numbers of the budget");
}

void compare_all(Comparison &compare, const Json &report) {
    const Spent own = check_releases(compare, report);
    const Price spent = larger(own.source, own.target);
    bool seeded = own.seeded;
    compare.expect("spent", report.at("spent"), described(spent));
    check_samples(compare, report, own);
    const Json &budget = report.at("budget");
    compare.require("budget", !budget.is_null() || report.at("releases").empty(), "is missing");
    Price most = spent;
    if (report.contains("shared_ledger")) {
        check_shared(compare, report, spent);
        const Json &shared = report.at("shared_ledger");
        most = price_in(shared.at("spent"));
        seeded = seeded || shared.at("seeded").get<bool>();
    }
    const bool is_promise = !budget.is_null() && !report.at("releases").empty() && !seeded &&
                            report.at("private_domains") != "none";
    Price cap;
    if (!budget.is_null()) {
        cap = check_budget(compare, budget);
        compare.require("spent", most.within(cap), "is more than the budget");
    }
    if (is_promise)
        check_attackers(compare, report, cap);
    else
        check_no_attackers(compare, report);
    const bool hidden = seeded && !report.at("releases").empty();
    compare.expect("spent_curve", report.at("spent_curve"), hidden ? Json() : curve(spent));
    check_words(compare, report, seeded);
    check_relation(compare, report);
}

/** A name that an object has twice would be read differently by different readers. */
class OnceEach {
  public:
    bool operator()(int /*depth*/, Json::parse_event_t event, Json &value) {
        if (event == Json::parse_event_t::object_start) names_.emplace_back();
        if (event == Json::parse_event_t::object_end) names_.pop_back();
        if (event == Json::parse_event_t::key && !names_.back().insert(value).second)
            throw Contradiction("the name " + value.dump() + " is there twice in one object");
        return true;
    }

  private:
    std::vector<std::set<std::string>> names_;
};

/** Runs that, and says in which file it failed. */
template <typename Action>
auto in_file(const std::string &name, const Action &action) {
    try {
        return action();
    } catch (const Contradiction &error) {
        throw Failure(kBadData, name + ": " + error.what());
    } catch (const Json::parse_error &error) {
        throw Failure(kBadData,
                      name + ": is not JSON from byte " + std::to_string(error.byte) + " on");
    } catch (const Json::exception &error) {
        throw Failure(kBadData, name + ": is not a privacy report: " + error.what());
    }
}

}  // namespace

Json parse_certificate(const std::string &text, const std::string &name) {
    return in_file(name, [&] {
        OnceEach once;
        Json report = Json::parse(text, [&once](int depth, Json::parse_event_t event, Json &value) {
            return once(depth, event, value);
        });
        if (!report.is_object() || report.value("schema", "") != kSchema)
            throw Contradiction(std::string("is not a privacy report of the schema ") + kSchema);
        return report;
    });
}

std::size_t check_numbers(const Json &report, const std::string &name) {
    return in_file(name, [&] {
        Comparison compare;
        compare_all(compare, report);
        return compare.count();
    });
}

void check_ledger(const Json &report, const Json &ledger, const std::string &name) {
    in_file(name, [&] {
        if (!report.contains("shared_ledger")) throw Contradiction("was not paid from a ledger");
        const Json &shared = report.at("shared_ledger");
        Comparison compare;
        for (const char *member : {"id", "created", "unit", "neighbours", "locks"})
            compare.expect(std::string("shared_ledger/") + member, shared.at(member),
                           ledger.at(member));
        compare.expect("budget/relation", relation_of(report.at("budget")),
                       relation_of(ledger.at("budget")));
        for (const char *part : {"epsilon", "delta", "cap"})
            compare.expect(std::string("budget/") + part, report.at("budget").at(part),
                           ledger.at("budget").at(part));
        const Json &entries = ledger.at("entries");
        const auto count = shared.at("entry_count").get<std::size_t>();
        compare.require("shared_ledger/entry_count", count <= entries.size(),
                        "is more than the ledger has");
        const Paid paid(entries, count);
        compare.expect("shared_ledger/spent", shared.at("spent"), described(paid.spent));
        compare.expect("shared_ledger/seeded", shared.at("seeded"), paid.seeded);
        for (const Json &own : shared.at("own_entries"))
            compare.expect("shared_ledger/own_entries", own,
                           entries.at(own.at("sequence").get<std::size_t>() - 1));
    });
}

}  // namespace dpadapt::cli
