#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/read/schema.hpp"

namespace dpadapt::cli {

/** What the signer of a page states: nothing in it rests on that. */
struct SignerWords {
    std::string language = "en";  // of the page, or de
    std::string purpose;
    std::string recipient;
    std::string custodian;
    std::string valid;
};

/** One page about a result, to be read and signed by a person without statistics. It has the report
 *  in it, and all of it follows from that and from the words. Failure(kBadData) for a report that
 *  promises nothing.
 *  @param report  The bytes of a JSON report that checked_report() accepts. */
[[nodiscard]] std::string officer_page(const std::string &report, const SignerWords &words);

/** Of such a page. */
struct OfficerParts {
    std::string report;
    SignerWords words;
};

/** Nothing for another text, such as a report. */
[[nodiscard]] std::optional<OfficerParts> parts_of_page(std::string_view page);

}  // namespace dpadapt::cli
