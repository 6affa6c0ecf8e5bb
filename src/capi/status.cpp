#include <dpadapt/status.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/version.hpp"
#include "capi/guard.hpp"
#include "linalg/blas.hpp"

namespace dpadapt::capi {
namespace {

constexpr std::size_t kMessageBytes = 1024;
thread_local std::array<char, kMessageBytes> last_message{};
thread_local std::array<char, kMessageBytes> build_facts{};

/** Text as the inside of a JSON string. */
std::string escaped(const char *text) {
    std::string result;
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') result += '\\';
        if (static_cast<unsigned char>(*c) >= 0x20) result += *c;
    }
    return result;
}

}  // namespace

dpa_status fail(dpa_status status, const char *function, const char *message) noexcept {
    char *to = last_message.data();
    char *const end = to + kMessageBytes - 1;
    for (const char *part : {function, ": ", message}) {
        const std::size_t length =
            std::min<std::size_t>(std::strlen(part), static_cast<std::size_t>(end - to));
        // One line: a caller's text in the message may hold line breaks.
        to = std::transform(part, part + length, to,
                            [](char c) { return static_cast<unsigned char>(c) < 0x20 ? ' ' : c; });
    }
    *to = '\0';
    return status;
}

}  // namespace dpadapt::capi

using namespace dpadapt;

const char *dpa_version(void) { return kVersion; }

const char *dpa_build_info(void) {
    const dpa_status status = capi::guard("dpa_build_info", [] {
        const std::string facts =
            std::string("{\"version\": \"").append(kVersion) + "\", \"compiler\": \"" +
            capi::escaped(__VERSION__) + "\", \"flags\": \"" + capi::escaped(DPA_BUILD_FLAGS) +
            "\", \"armadillo\": \"" + linalg::armadillo_version() + "\", \"blas\": \"" +
            capi::escaped(linalg::blas_description()) +
            "\", \"blas_threads\": " + std::to_string(linalg::blas_threads()) + "}";
        if (facts.size() >= capi::kMessageBytes)
            throw Error(DPA_E_INTERNAL, "the description of the build is too long");
        std::copy_n(facts.c_str(), facts.size() + 1, capi::build_facts.data());
    });
    return status == DPA_OK ? capi::build_facts.data() : nullptr;
}

const char *dpa_status_string(dpa_status status) {
    switch (status) {
#define DPA_NAME(code) \
    case code:         \
        return #code;
        DPA_NAME(DPA_OK)
        DPA_NAME(DPA_E_INVALID_ARGUMENT)
        DPA_NAME(DPA_E_DIMENSION)
        DPA_NAME(DPA_E_NONFINITE)
        DPA_NAME(DPA_E_OPTION)
        DPA_NAME(DPA_E_STATE)
        DPA_NAME(DPA_E_FORMAT)
        DPA_NAME(DPA_E_BUFFER)
        DPA_NAME(DPA_E_HANDLE)
        DPA_NAME(DPA_E_EMPTY)
        DPA_NAME(DPA_E_STRIDE)
        DPA_NAME(DPA_E_OVERFLOW)
        DPA_NAME(DPA_E_OPTION_NAME)
        DPA_NAME(DPA_E_OPTION_TYPE)
        DPA_NAME(DPA_E_LABEL)
        DPA_NAME(DPA_E_NUMERICAL)
        DPA_NAME(DPA_E_CANCELLED)
        DPA_NAME(DPA_E_CALLBACK)
        DPA_NAME(DPA_E_NO_MEMORY)
        DPA_NAME(DPA_E_ENTROPY)
        DPA_NAME(DPA_E_UNSUPPORTED)
        DPA_NAME(DPA_E_NOT_RELEASABLE)
        DPA_NAME(DPA_E_BUDGET)
        DPA_NAME(DPA_E_INTERNAL)
#undef DPA_NAME
        default:
            return "unknown status";
    }
}

const char *dpa_last_error(void) { return capi::last_message.data(); }
