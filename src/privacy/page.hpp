#pragma once

#include "privacy/report.hpp"

namespace dpadapt::privacy {

/** A report as one page of HTML that needs nothing else and no network, with these sentences about
 *  the fit. Its data, a JSON object in a script named `report`, may get the further members
 *  `effects` and `origin`, which the page draws. */
[[nodiscard]] std::string write_page(const Statement &statement,
                                     const std::vector<std::string> &notes);

}  // namespace dpadapt::privacy
