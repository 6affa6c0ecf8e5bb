#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/failure.hpp"
#include "cli/handles.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {

/** What one of the library's functions dpa_*_report writes, with a newline at its end.
 *  @param form  DPA_REPORT_JSON or DPA_REPORT_TEXT. */
template <typename Handle>
[[nodiscard]] std::string report_by(dpa_status (*writer)(const Handle *, int32_t, char *,
                                                         std::size_t, std::size_t *),
                                    const Handle *handle, int32_t form) {
    std::size_t size = 0;
    const dpa_status status = writer(handle, form, nullptr, 0, &size);
    if (status != DPA_E_BUFFER) check(status);
    std::string text(size, '\0');
    check(writer(handle, form, text.data(), text.size(), nullptr));
    text.pop_back();  // the final zero
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
