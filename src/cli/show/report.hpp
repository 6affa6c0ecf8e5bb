// What results are as JSON, and as texts for people.
#pragma once

#include <dpadapt/privacy.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"
#include "cli/read/settings.hpp"

namespace dpadapt::cli {

/** A value to be read by people: numbers with so many digits, a dash for what is not there; an
 *  infinite number is an open end. */
[[nodiscard]] std::string in_digits(const Json &value, int digits);

/** The same with 8 digits, and a dash for what is infinite, too. */
[[nodiscard]] std::string shown(const Json &value);

using Lines = std::vector<std::vector<std::string>>;

/** Cells in columns, as wide as their widest one. */
[[nodiscard]] std::string table(const Lines &lines);

/** What one of the library's functions dpa_*_report writes, with a newline at its end.
 *  @param form  DPA_REPORT_JSON or DPA_REPORT_TEXT. */
[[nodiscard]] std::string report_by(auto writer, const auto *handle, int32_t form) {
    std::string text = filled_text(writer, handle, form);
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

/** That in JSON. */
[[nodiscard]] Json json_by(auto writer, const auto &handle) {
    return Json::parse(report_by(writer, handle.get(), DPA_REPORT_JSON));
}

[[nodiscard]] LedgerHandle open_ledger_file(const std::string &path);

/** What a solution promises: "none", "guaranteed", "seeded" or "in part". */
[[nodiscard]] std::string protection(const dpa_solution *solution);

/** What is protected, how, and at what price. */
struct PrivacyReport {
    std::string json;                   // the library's bytes, which `verify` compares
    std::string numbers;                // for people; empty where nothing is protected
    std::function<std::string()> page;  // of HTML, made while what it is of is open

    /** What --report gets: its sentences, those of the fit, where it came from, its numbers.
     *  @param notes  A list of sentences, or null. */
    [[nodiscard]] std::string text(const Json &notes, const std::string &origin = {}) const;
};

/** Of a solution; of a fit without privacy, that nothing is protected. */
[[nodiscard]] PrivacyReport privacy_report(const dpa_solution *solution);

/** Of all that has been released about a problem under these settings. */
[[nodiscard]] PrivacyReport privacy_report(const dpa_problem *problem, const Settings &settings);

/** A price of a report as epsilon at delta (null beyond what the accountant tells), mu and the
 *  other parts.
 *  @param records  Of one person, which move a release so many times as far. */
[[nodiscard]] Json price_of(const Json &cost, double delta, int records = 1);

/** The same in words. */
[[nodiscard]] std::string in_words(const Json &price);

/** What the report of a ledger has spent and left, at its delta. */
[[nodiscard]] Json state_of(const Json &ledger);

/** Adds `ledger_left`, what the ledger has left now: nothing without a ledger, null if it cannot be
 *  read, because what was paid for must be printed all the same. */
void add_left(const LedgerHandle &ledger, Json &report);

/** That as a last line; empty if it is not there. */
[[nodiscard]] std::string left_text(const Json &report);

/** A privacy report that is what the library writes of the releases in it, byte by byte. Throws
 *  Failure(kBadData), which names the member that is not.
 *  @param text    Without the newline at the end of the file.
 *  @param name    Of the report, for messages.
 *  @param ledger  Must have all that the report states of it; empty: it is not compared. */
[[nodiscard]] Json checked_report(const std::string &text, const std::string &name,
                                  const LedgerHandle &ledger = {});

/** What a report has only from whoever signed it: lines for people, each with the member's name.
 *  Nothing else in the report rests on it. */
[[nodiscard]] std::string words_of_signer(const Json &report);

/** The library's sentences, a line each, with columns by name and the option that reads codes. */
[[nodiscard]] Json sentences(const std::string &text, const Json &features);

/** Scores of a row. */
[[nodiscard]] std::size_t outputs(const dpa_solution *solution);

/** A text of dpa_solution_text. */
[[nodiscard]] std::string text(const dpa_solution *solution, const char *name);

/** A list of coefficients, for several outputs a list of each; null where the loss has none. */
[[nodiscard]] Json coefficients(const dpa_solution *solution);

/** Everything that `fit --json` prints but the weights; a value that is infinite, not released or
 *  not there for the loss is null. */
[[nodiscard]] Json solution_report(const dpa_solution *solution, const schema::Schema &schema);

/** Adds the record weights of both samples. */
void add_weights(const dpa_solution *solution, Json &report);

/** The report for people. */
[[nodiscard]] std::string solution_text(const Json &report, const schema::Schema &schema);

/** What `discrepancy --json` prints, but for the privacy report. */
[[nodiscard]] Json discrepancy_report(const dpa_discrepancy *discrepancy,
                                      const std::vector<std::string> &features);
[[nodiscard]] std::string discrepancy_text(const Json &report);

/** What `inspect` prints for people. */
[[nodiscard]] std::string inspection_text(const Json &report);

/** Such as "100 rows", of that report. */
[[nodiscard]] std::string counted(const Json &report);

/** Adds what was noted as rows were read, to a report that is not of a fit. */
void add_notes(const schema::Schema &schema, Json &report);

/** What readers must know first: lines, and an empty one after them. */
[[nodiscard]] std::string notes_text(const Json &report);

/** The report for people. */
[[nodiscard]] std::string evaluation_text(const Json &report);

/** The measure by which solutions are compared: that which the loss minimizes.
 *  @param measures  Those of an evaluation report. */
[[nodiscard]] std::string main_measure(const Json &measures);

/** Whether adaptation helps, in one sentence for each candidate after the first one. */
[[nodiscard]] Json verdicts(const Json &measures);

/** One line a candidate, one column a measure, with intervals. */
[[nodiscard]] std::string contest_table(const Json &measures);

// The answer of `assess` in one sentence, from what its report has.

/** Of a measured comparison. */
[[nodiscard]] std::string sentence_of_comparison(const Json &report);
/** Of fits to public rows. */
[[nodiscard]] std::string sentence_of_rehearsal(const Json &report);

/** That report for people. */
[[nodiscard]] std::string rehearsal_text(const Json &report);

/** Of the objects of a plan's forecast, what a choice of rows and epsilon needs. */
[[nodiscard]] Json forecast_report(const Json &plan);
[[nodiscard]] std::string forecast_text(const Json &report);

}  // namespace dpadapt::cli
