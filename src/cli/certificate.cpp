#include "cli/certificate.hpp"

#include <dpadapt/version.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.hpp"
#include "cli/failure.hpp"
#include "cli/provenance.hpp"
#include "cli/statement.hpp"

namespace dpadapt::cli {
namespace {

constexpr int kMostDepth = 32;

/** A name that an object has twice would be read differently by different readers. */
class OnceEach {
  public:
    bool operator()(int depth, Json::parse_event_t event, Json &value) {
        if (depth > kMostDepth) throw Contradiction("is nested too deeply");
        if (event == Json::parse_event_t::object_start) names_.emplace_back();
        if (event == Json::parse_event_t::object_end) names_.pop_back();
        if (event == Json::parse_event_t::key && !names_.back().insert(value).second)
            throw Contradiction("the name " + value.dump(-1, ' ', true) +
                                " is there twice in one object");
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
    } catch (const Error &error) {
        throw Failure(kBadData, name + ": " + error.what());
    } catch (const Json::parse_error &error) {
        throw Failure(kBadData,
                      name + ": is not JSON from byte " + std::to_string(error.byte) + " on");
    } catch (const Json::exception &error) {
        throw Failure(kBadData, name + ": is not a privacy report: " + error.what());
    }
}

Json parsed(const std::string &text) {
    OnceEach once;
    return Json::parse(text, [&once](int depth, Json::parse_event_t event, Json &value) {
        return once(depth, event, value);
    });
}

/** A value as it is told in messages. */
std::string told(const Json &value) {
    constexpr std::size_t kMost = 200;
    const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

/** Of long texts what follows from where they differ, a little before. */
[[noreturn]] void differ(const std::string &place, const Json &found, const Json &wanted) {
    constexpr std::size_t kBefore = 40;
    if (!found.is_string() || !wanted.is_string())
        throw Contradiction('"' + place + "\" is " + told(found) + ", but must be " + told(wanted));
    const auto &one = found.get_ref<const std::string &>();
    const auto &other = wanted.get_ref<const std::string &>();
    const auto at = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
    const auto same = static_cast<std::size_t>(at - one.begin());
    const std::size_t begin = same > kBefore ? same - kBefore : 0;
    throw Contradiction('"' + place + "\" has " + told(one.substr(begin)) + ", but must have " +
                        told(other.substr(begin)) + " from byte " + std::to_string(begin) + " on");
}

/** Throws Contradiction where two objects have not the same names. */
void compare_names(const Json &found, const Json &wanted, const std::string &place) {
    for (const auto &[name, value] : wanted.items())
        if (!found.contains(name))
            throw Contradiction('"' + place + name + "\" is missing, but must be " + told(value));
    for (const auto &[name, value] : found.items())
        if (!wanted.contains(name))
            throw Contradiction(told(place + name) + " is unknown: a report has no such member");
}

/** Throws Contradiction that names the first member with another value. */
void compare(const Json &found, const Json &wanted, const std::string &place) {
    const std::string inside = place.empty() ? place : place + '/';
    if (found.type() == wanted.type() && wanted.is_object()) {
        compare_names(found, wanted, inside);
        for (const auto &[name, value] : wanted.items())
            compare(found.at(name), value, inside + name);
    } else if (found.type() == wanted.type() && wanted.is_array() &&
               found.size() == wanted.size()) {
        for (std::size_t k = 0; k < wanted.size(); ++k)
            compare(found[k], wanted[k], inside + std::to_string(k));
    } else if (found != wanted) {
        differ(place, found, wanted);
    }
}

[[noreturn]] void written_otherwise(const std::string &found, const std::string &wanted) {
    const auto place = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
    throw Contradiction(
        "is written otherwise than reports are (blanks, digits, escapes, or the "
        "order of members) from byte " +
        std::to_string(place.first - found.begin()) + " on");
}

void check_version(const Json &report) {
    const std::string schema = report.is_object() ? report.value("schema", "") : "";
    if (schema != privacy::kReportSchema)
        throw Contradiction(std::string("is not a privacy report of the schema ") +
                            privacy::kReportSchema);
    const std::string version = report.value("version", "");
    if (version != dpa_version())
        throw Contradiction("\"version\" is " + told(version) +
                            ", but only that version knows its words: this is dpadapt " +
                            dpa_version());
}

/** What the first of these entries of a ledger have paid. */
struct Paid {
    privacy::Cost spent;
    bool seeded = false;

    Paid(const Json &entries, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            spent += cost_in(entries[k].at("cost"));
            seeded = seeded || entries[k].at("seeded").get<bool>();
        }
    }
};

/** What the library writes of these facts, and what is there of the provenance. */
std::string written_again(const Json &report) {
    std::string text = write_report(statement_in(report), privacy::Form::json);
    if (!report.contains("provenance")) return text;
    check_provenance(report["provenance"]);
    return with_provenance(text, report["provenance"]);
}

}  // namespace

Json checked_report(const std::string &text, const std::string &name) {
    return in_file(name, [&] {
        const Json found = parsed(text);
        check_version(found);
        const std::string wanted = written_again(found);
        Json own = Json::parse(wanted);
        // mutant: words_not_compared
        const bool same = text == wanted;
        if (same) return own;
        compare(found, own, "");
        written_otherwise(text, wanted);
    });
}

void check_ledger(const Json &report, const Json &ledger, const std::string &name) {
    in_file(name, [&] {
        const Json &shared = report.at("shared_ledger");
        if (shared.is_null()) throw Contradiction("was not paid from a ledger");
        for (const char *member : {"id", "created", "unit", "neighbours", "locks"})
            compare(shared.at(member), ledger.at(member), std::string("shared_ledger/") + member);
        compare(report.at("budget"), ledger.at("budget"), "budget");
        const Json &entries = ledger.at("entries");
        const auto count = shared.at("entry_count").get<std::size_t>();
        if (count > entries.size())
            throw Contradiction("\"shared_ledger/entry_count\" is more than the ledger has");
        const Paid paid(entries, count);
        compare(shared.at("seeded"), paid.seeded, "shared_ledger/seeded");
        if (!(paid.spent.within(cost_in(shared.at("spent"))) &&
              cost_in(shared.at("spent")).within(paid.spent)))
            throw Contradiction("\"shared_ledger/spent\" is not what the ledger says");
        std::size_t place = 0;
        for (const Json &own : shared.at("own_entries"))
            compare(own, entries.at(own.at("sequence").get<std::size_t>() - 1),
                    "shared_ledger/own_entries/" + std::to_string(place++));
    });
}

std::string words_of_signer(const Json &report) {
    std::string text;
    for (const char *name : {"call", "provenance"})
        if (report.contains(name) && !report[name].empty())
            text += std::string("  ") + name + ": " + report[name].dump(-1, ' ', true) + '\n';
    if (report["shared_ledger"].is_null()) return text;
    for (const Json &entry : report["shared_ledger"]["own_entries"])
        text += "  options of entry " + entry["sequence"].dump() + ": " +
                entry["options"].dump(-1, ' ', true) + '\n';
    return text;
}

}  // namespace dpadapt::cli
