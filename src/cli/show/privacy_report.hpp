#pragma once

#include <string>

#include "cli/read/failure.hpp"
#include "cli/read/settings.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** What one of the library's functions dpa_*_report writes, with a newline at its end.
 *  @param form  DPA_REPORT_JSON or DPA_REPORT_TEXT. */
template <typename Handle>
[[nodiscard]] std::string report_by(dpa_status (*writer)(const Handle *, int32_t, char *,
                                                         std::size_t, std::size_t *),
                                    const Handle *handle, int32_t form) {
    std::string text = filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return writer(handle, form, out, size, needed);
    });
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

[[nodiscard]] LedgerHandle open_ledger_file(const std::string &path);

/** What the ledger holds. */
[[nodiscard]] Json ledger_facts(const LedgerHandle &ledger);

/** What a solution promises: "none", "guaranteed", "seeded" or "in part". */
[[nodiscard]] std::string protection(const dpa_solution *solution);

/** The privacy report of a solution; of a fit without privacy, that nothing is protected. */
[[nodiscard]] std::string privacy_report(const dpa_solution *solution, int32_t form);

/** What --report gets: the privacy report, as text with the notes of the fit's report. */
[[nodiscard]] std::string report_text(const Json &report, const dpa_solution *solution,
                                      int32_t form);

/** The same of all that has been released about a problem under these settings. */
[[nodiscard]] std::string privacy_report(const dpa_problem *problem, const Settings &settings,
                                         int32_t form);

/** Adds to the report of a fit what a person should know of it: used_private_data, which is whether
 *  the private rows moved the coefficients (null where nobody can tell), and notes, sentences.
 *  All from released values and public inputs.
 *  @param labels  Of the schema: those that count. */
void add_findings(const dpa_solution *solution, const schema::Labels &labels, Json &report);

}  // namespace dpadapt::cli
