#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "privacy/ledger.hpp"
#include "privacy/plan.hpp"

namespace dpadapt::privacy {

/** Of the members of a report, which docs/certificate.md lists. */
constexpr const char *kReportSchema = "dpadapt-privacy-report-3";

/** The public facts that a report is about. */
struct ReportFacts {
    Domains domains = 0;  ///< what is protected
    SampleSizes sizes;
    std::vector<std::string> findings;  ///< sentences about what the call did
    bool chose_anchor = false;          ///< among public predictors, by a release
    Document call;  ///< method and settings of the call that it is made for; may be empty
    bool call_without_privacy = false;
    std::optional<Document> forecast;  ///< of a plan
    std::string sentence;              ///< its meaning
    std::optional<Document> theory;    ///< of a plan of `method` = paper
    bool persons = false;              ///< what is protected; target_rows is then their number
    Neighbours neighbours = Neighbours::replace;
};

/** `numbers`: the text without its sentences. */
enum class Form { json, text, numbers };

/** What a report is about, as it was at one moment. What was taken from the problem without
 *  protection is not of that moment: it spoils earlier results too. */
struct Statement {
    Statement(const Ledger &own, ReportFacts about);

    Ledger ledger;
    std::optional<LedgerState> shared;  ///< that others share
    Growing<LedgerEntry> paid;          ///< the entries of this problem there
    bool seeded;
    ReportFacts facts;

    /** Why what it releases is not all that was taken; empty if it is. */
    [[nodiscard]] std::string taken_without_protection() const;
    /** Whether privacy protects all that was taken, and something was. */
    [[nodiscard]] bool is_private() const;
};

/** Everything that a reader needs to judge the guarantee: promise, price, releases, assumptions,
 *  and what is not covered. Nothing in it depends on private records. */
[[nodiscard]] std::string write_report(const Statement &statement, Form form);

/** The same as one page of HTML that needs nothing else and no network, with sentences about the
 *  fit. Its data, a JSON object in a script named `report`, may get the further members `effects`
 *  and `origin`, which the page draws. */
[[nodiscard]] std::string write_page(const Statement &statement,
                                     const std::vector<std::string> &notes);

/** Budget, what is spent and left, last hash and entries of a shared ledger. */
[[nodiscard]] std::string write_ledger(const LedgerContent &content, Form form);

/** What a call releases, in one line. */
[[nodiscard]] std::string describe_releases(std::span<const Release> releases);

/** The price of a plan, in the same words. */
[[nodiscard]] std::string write_plan(const Plan &plan, const ReportFacts &facts, Form form);

}  // namespace dpadapt::privacy
