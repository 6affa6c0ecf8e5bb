#include "privacy/plain_words.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "privacy/accountant.hpp"
#include "privacy/permute_and_flip.hpp"

namespace dpadapt::privacy {

namespace {

constexpr double kMisled = 0.05;
constexpr double kLargestSlope = 40.0;  // the logarithm of a line's slope
constexpr int kSections = 60;

/** The least value of a function with one valley; every value that it takes is a bound. */
double least(const auto &function) noexcept {
    double low = 0.0;
    double high = kLargestSlope;
    double best = function(low);
    for (int i = 0; i < kSections; ++i) {
        const double left = low + (high - low) / 3.0;
        const double right = high - (high - low) / 3.0;
        const double at_left = function(left);
        const double at_right = function(right);
        best = std::min({best, at_left, at_right});
        (at_left < at_right ? high : low) = at_left < at_right ? right : left;
    }
    return best;
}

bool is_promise(const Statement &statement) {
    return statement.ledger.budget() && !statement.ledger.entries().empty() && !statement.seeded &&
           statement.facts.domains != 0;
}

/** So many of 100, rounded up. */
std::string of_hundred(double share) { return to_text(std::ceil(1000.0 * share) / 10.0); }

std::string sample(Domains domains) {
    return domains == kSource   ? "source"
           : domains == kTarget ? "target"
                                : "source or of the target";
}

std::string several_rows(const Budget &budget) {
    std::string text = "Where a person has several records, all of them count: of 2, 5 or 10";
    std::string found;
    for (const unsigned records : {2U, 5U, 10U}) {
        const Totals totals = cost_of_group(budget.cap, records).totals();
        found += (found.empty()    ? ""
                  : records == 10U ? " and "
                                   : ", ") +
                 of_hundred(most_found(kMisled, totals));
    }
    return text + " records together the same attacker finds at most " + found + " of 100.";
}

/** Private units of the largest samples from which something was released. */
std::uint64_t most_units(const Statement &statement) {
    const Domains domains = statement.facts.domains;
    std::uint64_t most = 0;
    for (const Ledger::Entry &entry : statement.ledger.entries())
        most = std::max(most, ((domains & kSource) != 0 ? entry.sizes.source_rows : 0) +
                                  ((domains & kTarget) != 0 ? entry.sizes.target_rows : 0));
    return most;
}

std::string about_delta(const Statement &statement, double delta) {
    const std::uint64_t n = most_units(statement);
    if (n == 0) return "";
    const char *unit = statement.facts.persons ? "person" : "record";
    const std::string rule = "1/n = 1/" + std::to_string(n);
    if (delta < 1.0 / static_cast<double>(n))
        return "delta = " + to_text(delta) + " is below " + rule + ", as it should be.";
    return "delta = " + to_text(delta) + " is NOT below " + rule +
           ": the promise would allow to publish some " + unit + " as it is.";
}

}  // namespace

double most_found(double misled, const Totals &totals) noexcept {
    const double first = least([&](double epsilon) {
        return exponential(epsilon) * misled + upper_delta(epsilon, totals);
    });
    const double second = least([&](double epsilon) {
        return 1.0 - exponential(-epsilon) * (1.0 - misled - upper_delta(epsilon, totals));
    });
    constexpr double kRounding = 1.0 + 1e-12;
    return std::clamp(std::min(first, second) * kRounding, misled, 1.0);
}

Document attackers(const Statement &statement) {
    if (!is_promise(statement)) return nullptr;
    const Cost &cap = statement.ledger.budget()->cap;
    Document list = Document::list();
    for (const unsigned records : {1U, 2U, 5U, 10U}) {
        if (statement.facts.persons && records > 1) break;
        // mutant: an_attacker_of_one_record
        const Totals totals = cost_of_group(cap, records).totals();
        for (const double misled : {0.01, 0.05, 0.1})
            list.add(Document()
                         .set("records", records)
                         .set("wrongly_suspected", misled)
                         .set("found", most_found(misled, totals)));
    }
    return list;
}

std::vector<std::string> plain_words(const Statement &statement) {
    if (!is_promise(statement)) return {};
    const Budget &budget = *statement.ledger.budget();
    const bool persons = statement.facts.persons;
    const std::string of = sample(statement.facts.domains);
    std::vector<std::string> words;
    if (!statement.taken_without_protection().empty())
        words.emplace_back("What follows is about the releases below alone.");
    words.push_back(persons ? "What is protected is a person of the " + of +
                                  ": all rows under one identifier together."
                            : "What is protected is a record: one row of the " + of + ".");
    const std::string unit = persons ? "person" : "record";
    words.push_back(
        "Somebody who knows all other " + unit + "s, and suspects what a " + unit +
        " holds, can test it by what is released. If the test misleads them for 5 of 100 " + unit +
        "s that hold something else, it finds at most " +
        of_hundred(most_found(kMisled, budget.cap.totals())) +
        " of 100 that hold it; a guess "
        "without what is released finds 5.");
    if (!persons) words.push_back(several_rows(budget));
    const std::string delta = about_delta(statement, budget.delta);
    if (!delta.empty()) words.push_back(delta);
    return words;
}

}  // namespace dpadapt::privacy
