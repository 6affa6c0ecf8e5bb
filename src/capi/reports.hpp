#pragma once

#include "capi/handles.hpp"
#include "private/call.hpp"

namespace dpadapt::capi {

/** DPA_REPORT_*; throws Error(DPA_E_INVALID_ARGUMENT). */
[[nodiscard]] privacy::Form report_form(std::int32_t form);

/** What a report says of a call besides its releases: method and the numbers that it used. */
[[nodiscard]] privacy::ReportFacts report_facts(const Settings &settings, const PlanFacts &facts,
                                                std::size_t features);

/** The same with what is said of a choice among several fits, if anything is. */
[[nodiscard]] privacy::ReportFacts with_choice(privacy::ReportFacts facts,
                                               const std::string &choice);

/** The facts of a problem without a call. */
[[nodiscard]] privacy::ReportFacts report_facts(const dpa_problem &problem,
                                                const privacy::Ledger &ledger);

/** What a solution without privacy says. */
[[nodiscard]] PrivacyRecord unprotected(std::size_t source_rows, std::size_t target_rows,
                                        std::size_t features);

/** The promise of a solution that the call made. */
[[nodiscard]] PrivacyRecord privacy_record(const privacy::Ledger &ledger,
                                           const privacy::ReportFacts &facts);

}  // namespace dpadapt::capi
