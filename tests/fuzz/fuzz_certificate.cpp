// Privacy reports from an untrusted place: refused with the file's name, or what the
// library writes.
#include "cli/read/failure.hpp"
#include "cli/show/report.hpp"
#include "fuzz/fuzz.hpp"

namespace {

constexpr const char *kName = "report.json";

/** Whether that ends with an exit code of bad data, and says of which file. */
template <typename Call>
bool refuses(const Call &call) {
    try {
        call();
        return false;
    } catch (const dpadapt::cli::Failure &failure) {
        REQUIRE(failure.code() == dpadapt::cli::kBadData);
        REQUIRE(std::strstr(failure.what(), kName) != nullptr);
        return true;
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(data, data + size);
    dpadapt::cli::Json report;
    if (refuses([&] { report = dpadapt::cli::checked_report(text, kName); })) return 0;
    REQUIRE(text.starts_with("{\"summary\":" + report["summary"].dump()));
    REQUIRE(dpa_report_check(reinterpret_cast<const std::uint8_t *>(text.data()), text.size(),
                             "provenance", nullptr) == DPA_OK);
    (void)dpadapt::cli::words_of_signer(report);
    return 0;
}
