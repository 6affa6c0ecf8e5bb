#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

ExitCode exit_code(dpa_status status) {
    switch (status) {
        case DPA_E_OPTION:
        case DPA_E_OPTION_NAME:
        case DPA_E_OPTION_TYPE:
        case DPA_E_BUDGET:
        case DPA_E_STATE:        // of a ledger that is locked
        case DPA_E_UNSUPPORTED:  // another setting is needed, so the command line has to change
            return kUsage;
        case DPA_E_DIMENSION:
        case DPA_E_EMPTY:
        case DPA_E_NONFINITE:
        case DPA_E_FORMAT:
        case DPA_E_LABEL:
        case DPA_E_OVERFLOW:
            return kBadData;
        case DPA_E_STORE:
            return kNotWritten;
        default:
            return kComputationFailed;
    }
}

}  // namespace

void check(dpa_status status) {
    if (status == DPA_OK) return;
    if (status == DPA_E_CANCELLED) throw Failure(kInterrupted, "interrupted");
    throw Failure(exit_code(status), dpa_last_error());
}

}  // namespace dpadapt::cli
