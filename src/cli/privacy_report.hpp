#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/filled_text.hpp"
#include "cli/handles.hpp"
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

}  // namespace dpadapt::cli
