#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/chunks.hpp"
#include "cli/handles.hpp"
#include "cli/samples.hpp"
#include "cli/settings.hpp"

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

/** What a solution promises: "none", "guaranteed", "seeded" or "in part". */
[[nodiscard]] std::string protection(const dpa_solution *solution);

/** The privacy report of a solution; of a fit without privacy, that nothing is protected. */
[[nodiscard]] std::string privacy_report(const dpa_solution *solution, int32_t form);

/** What --report gets: the privacy report, as text with the notes of the fit's report. */
[[nodiscard]] std::string report_text(const nlohmann::ordered_json &report,
                                      const dpa_solution *solution, int32_t form);

/** The same of all that has been released about a problem under these settings. */
[[nodiscard]] std::string privacy_report(const dpa_problem *problem, const Settings &settings,
                                         int32_t form);

/** Failure(kUsage) if the ledger allows the fit to these samples, but not the fit and a private
 *  evaluation of it, each of which pays the price of the assignments; nothing is paid. Without a
 *  ledger the rows of the evaluation have a budget of their own. */
void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings);

/** Makes a call that pays from the budget of the problem. If Ctrl-C ends it after that, the Failure
 *  says that it is paid for.
 *  @param what  That is paid for. */
void pay(const ProblemHandle &problem, const std::string &what, const std::function<void()> &call);

}  // namespace dpadapt::cli
