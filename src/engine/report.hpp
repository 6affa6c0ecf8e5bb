#pragma once

#include <string>

#include "baseline/method.hpp"
#include "engine/problem.hpp"
#include "privacy/report.hpp"

namespace dpadapt::engine {

/** What a report says of a call besides its releases: method and the numbers that it used. */
[[nodiscard]] privacy::ReportFacts report_facts(const Settings &settings, const PlanFacts &facts,
                                                std::size_t features);
[[nodiscard]] privacy::ReportFacts report_facts(const baseline::MethodSpec &method,
                                                const baseline::PrivateBaseline &call);

/** What the privacy report of a problem states: what its ledger holds. Any thread. */
[[nodiscard]] privacy::Statement statement(const Problem &problem);

/** What a solution without privacy says. */
[[nodiscard]] PrivacyRecord unprotected(const privacy::SampleSizes &sizes,
                                        std::vector<std::string> findings);

/** The promise of a solution that the call made.
 *  @param choice  What its report says of a choice among several fits; may be empty. */
[[nodiscard]] PrivacyRecord privacy_record(const privacy::Ledger &ledger,
                                           privacy::ReportFacts facts, const std::string &choice);

}  // namespace dpadapt::engine
