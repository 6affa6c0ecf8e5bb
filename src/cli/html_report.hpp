#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"

namespace dpadapt::cli {

/** What a page shows beside the privacy report; each member may be missing. */
struct PageContent {
    Json notes;       // sentences about the fit
    Json effects;     // of the features: objects with name, public and released
    Json provenance;  // of the result
};

/** A privacy report as one page of HTML that needs nothing else and no network: page.html with the
 *  report in it, which a script in the page draws.
 *  @param numbers  The report's text form without its sentences. */
[[nodiscard]] std::string html_page(const Json &privacy, const PageContent &content,
                                    const std::string &numbers);

/** Effects of one standard deviation of each feature, by the public predictor and by that of the
 *  fit's report; null where scores are not linear or are several. */
[[nodiscard]] Json effects_of(const dpa_solution *open, const Json &report,
                              const std::vector<std::string> &features,
                              const std::vector<double> &public_rows);

}  // namespace dpadapt::cli
