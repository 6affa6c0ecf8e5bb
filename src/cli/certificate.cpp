#include "cli/certificate.hpp"

#include <dpadapt/privacy.h>

#include "cli/failure.hpp"
#include "cli/provenance.hpp"

namespace dpadapt::cli {

Json checked_report(const std::string &text, const std::string &name, const LedgerHandle &ledger) {
    const auto *data = reinterpret_cast<const std::uint8_t *>(text.data());
    if (dpa_report_check(data, text.size(), "provenance", ledger.get()) != DPA_OK)
        throw Failure(kBadData, name + ": " + dpa_last_error());
    try {
        Json report = Json::parse(text);
        if (report.contains("provenance")) check_provenance(report["provenance"], name);
        return report;
    } catch (const Json::exception &error) {
        throw Failure(kBadData, name + ": " + error.what());
    }
}

std::string words_of_signer(const Json &report) {
    std::string text;
    for (const char *name : {"call", "provenance"})
        if (report.contains(name) && !report[name].empty())
            text += std::string("  ") + name + ": " + report[name].dump(-1, ' ', true) + '\n';
    if (report["shared_ledger"].is_null()) return text;
    for (const Json &entry : report["shared_ledger"]["own_entries"])
        text += "  options of entry " + entry["sequence"].dump() + ": " +
                entry["options"].dump(-1, ' ', true) + '\n';
    return text;
}

}  // namespace dpadapt::cli
